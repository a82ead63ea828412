// The view of a class: its objects as a table.

/** More columns than these make a table slow, and nobody reads it. */
const columnsShown = 100;

function classView(type, parameters) {
  const sort = parameters.get("sort") ?? "";
  const filter = parameters.get("filter") ?? "";
  const rows = sortedIndices(type, sort, filter);
  const superclass = type.superclass === null ? null : archive.classes[type.superclass];
  return [
    heading(element("bdi", null, printable(type.name))),
    element(
      "p",
      { class: "note" },
      filter
        ? `${counted(rows.length, "object")} of ${grouped(type.count)}`
        : counted(type.count, "object"),
      superclass ? [", a kind of ", classLink(superclass)] : null,
      subclassLinks(type),
      type.columns.length > columnsShown
        ? `; ${columnsShown} of ${grouped(type.columns.length)} properties, all are with each object`
        : null
    ),
    filterForm(type, sort, filter),
    virtualTable(printable(type.name), tableColumns(type, sort, filter), rows),
  ];
}

function subclassLinks(type) {
  const subclasses = objectClasses.filter((other) => other.superclass === type.number);
  if (!subclasses.length) return null;
  const links = subclasses.slice(0, 20).map((other, place) => [place ? ", " : null, classLink(other)]);
  return ["; subclasses: ", links];
}

function filterForm(type, sort, filter) {
  const input = element("input", { type: "search", id: "filter", value: filter, placeholder: "Filter" });
  const apply = () => show(address.class(type.name, { sort, filter: input.value }));
  input.addEventListener("input", delayed(apply));
  return element(
    "form",
    { class: "filter", on: { submit: (event) => (event.preventDefault(), apply()) } },
    element("label", { class: "hidden", for: "filter" }, "Filter these objects"),
    input
  );
}

function tableColumns(type, sort, filter) {
  const rows = rowsOf(type);
  const sortName = (name) => {
    const next = sort === name ? `-${name}` : name;
    const order = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
    return { sort: address.class(type.name, { sort: next, filter }), order };
  };
  const number = {
    title: "#", detail: "number", width: 90, isNumeric: true, ...sortName("#"),
    cell: (index) => element("a", { href: address.object(rows[index]), class: "object" }, `#${rows[index]}`),
  };
  const others = shownColumns(type).map(({ column, position }) => ({
    title: printable(shortened(column.name, 60)),
    detail: columnDetail(column),
    ...sortName(column.name),
    ...cellStyle(type, column),
    cell: (index) => tableCell(columnOf(type, position)[index], type, column.node),
  }));
  return [number, ...others];
}

/** The columns of a table: that of the title is first. */
function shownColumns(type) {
  const all = type.columns.map((column, position) => ({ column, position }));
  const title = titleColumn(type);
  const others = all.filter(({ position }) => position !== title);
  return [...(title < 0 ? [] : [all[title]]), ...others].slice(0, columnsShown);
}

function columnDetail(column) {
  const parts = [`${column.attributes}: ${column.type}`, byteText(column.bytes)];
  if (column.nils) parts.push(`${grouped(column.nils)} nil`);
  if (column.distinct !== undefined) parts.push(counted(column.distinct, "different value"));
  return printable(parts.join("; "));
}

function cellStyle(type, column) {
  const { kind } = innerNode(type, column.node);
  if (numberKinds.has(kind)) return { width: 110, isNumeric: true };
  if (kind === "bool") return { width: 90 };
  if (referenceKinds.all.has(kind)) return { width: 220 };
  return { width: kind === "date" ? 210 : 240 };
}

function tableCell(value, type, node) {
  const { kind } = innerNode(type, node);
  if (value === null) return faint("nil");
  if (referenceKinds.all.has(kind)) return value > 0 ? objectLink(value) : faint("nil");
  const isText = kind === "string";
  const text = isText ? printable(shortened(value.text ?? value, 160)) : valueText(value, type, node);
  const style = numberKinds.has(kind) || kind === "bool" || kind === "date" ? "number" : null;
  return element("bdi", { class: style, title: text.length > 24 ? text : null }, text);
}

/** The indices of a class's rows in which a filter finds something, in the order that is asked for. */
function sortedIndices(type, sort, filter) {
  const search = searchFor(filter);
  const found = new Set();
  if (search) forEachFound(search, type, (index) => found.add(index));
  const all = Array.from({ length: type.count }, (_, index) => index);
  const indices = search ? all.filter((index) => found.has(index)) : all;
  const isDown = sort.startsWith("-");
  const name = isDown ? sort.slice(1) : sort;
  const position = type.columns.findIndex((column) => column.name === name);
  if (position >= 0) {
    const keys = sortKeys(type, position);
    const isText = typeof keys.find((key) => key !== null) === "string";
    const compare = isText ? textOrder.compare : (one, other) => one - other;
    indices.sort((one, other) => {
      const [first, second] = [keys[one], keys[other]];
      // What is nil is last, whichever the order.
      if (first === null || second === null) return (first === null) - (second === null) || one - other;
      return (isDown ? compare(second, first) : compare(first, second)) || one - other;
    });
  } else if (isDown) indices.reverse();
  return indices;
}

const textOrder = new Intl.Collator(undefined, { numeric: true });

/** What the values of a column are compared by: numbers or texts, null for nil. */
function sortKeys(type, position) {
  const { node } = type.columns[position];
  const { kind } = innerNode(type, node);
  return columnOf(type, position).map((value) => {
    if (value === null) return null;
    if (numberKinds.has(kind)) return Number(String(value).replace("inf", "Infinity"));
    if (kind === "bool") return Number(value);
    if (referenceKinds.all.has(kind)) return value > 0 ? value : null;
    if (kind === "string") return value.text ?? value;
    if (kind === "data") return value[0];
    if (kind === "array" || kind === "set" || kind === "dictionary") return value.length;
    return valueText(value, type, node);
  });
}
