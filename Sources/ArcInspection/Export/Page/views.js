// The other views: what the file is, a class as a table, where the bytes are.

function overview() {
  const roots = rootClass.columns.map((column, position) => [
    fileText(column.name, "key"),
    rootClass.count > 0 ? valueElement(columnOf(rootClass, position)[0], rootClass, column.node) : "",
  ]);
  const byCount = [...objectClasses].sort((one, other) => other.count - one.count);
  return [
    heading(fileText(archive.file)),
    facts([
      ["objects", grouped(archive.rows - 1)],
      ["classes", grouped(objectClasses.length)],
      ["size", byteText(archive.bytes)],
      ["format", `Arc ${archive.version}`],
      ["written by", fileText(archive.writer)],
      ...archive.metadata.map(([key, value]) => [fileText(key), fileText(shortened(value, 400))]),
    ]),
    section("Roots", plainTable("Roots", ["name", "value"], roots)),
    section(
      "Classes",
      plainTable(
        "Classes",
        ["class", "objects", "properties", "superclass"],
        byCount.slice(0, 200).map((type) => [
          classLink(type),
          type.count,
          type.columns.length,
          type.superclass === null ? "" : classLink(archive.classes[type.superclass]),
        ])
      )
    ),
    section(
      "Objects that keep most",
      plainTable(
        "Objects that keep most",
        ["object", "objects", "bytes"],
        largestObjects(20).map((row) => [objectLink(row, true), sizeOf(row).objects, sizeOf(row).bytes])
      )
    ),
  ];
}

// A class

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
  return ["; subclasses: ", subclasses.slice(0, 20).map((other, place) => [place ? ", " : null, classLink(other)])];
}

function filterForm(type, sort, filter) {
  const input = element("input", { type: "search", id: "filter", value: filter, placeholder: "Filter", spellcheck: "false" });
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
  const others = type.columns.slice(0, columnsShown).map((column, position) => ({
    title: printable(shortened(column.name, 60)),
    detail: columnDetail(column),
    ...sortName(column.name),
    ...cellStyle(type, column),
    cell: (index) => tableCell(columnOf(type, position)[index], type, column.node),
  }));
  return [number, ...others];
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
  if (value === null) return element("span", { class: "nil" }, "nil");
  if (referenceKinds.all.has(kind)) return value > 0 ? objectLink(value) : element("span", { class: "nil" }, "nil");
  const text = kind === "string" ? printable(shortened(value.text ?? value, 160)) : valueText(value, type, node);
  const style = numberKinds.has(kind) || kind === "bool" || kind === "date" ? "number" : null;
  return element("bdi", { class: style, title: text.length > 24 ? text : null }, text);
}

/** The indices of a class's rows in which a filter finds something, in the order that is asked for. */
function sortedIndices(type, sort, filter) {
  const search = searchFor(filter);
  const found = new Set();
  if (search) forEachFound(search, type, (index) => found.add(index));
  const indices = Array.from({ length: type.count }, (_, index) => index).filter((index) => !search || found.has(index));
  const isDown = sort.startsWith("-");
  const name = isDown ? sort.slice(1) : sort;
  const position = type.columns.findIndex((column) => column.name === name);
  if (position >= 0) {
    const keys = sortKeys(type, position);
    const compare = typeof keys.find((key) => key !== null) === "string" ? textOrder.compare : (one, other) => one - other;
    indices.sort((one, other) => {
      // What is nil is last, whichever the order.
      if (keys[one] === null || keys[other] === null) return (keys[one] === null) - (keys[other] === null) || one - other;
      return (isDown ? compare(keys[other], keys[one]) : compare(keys[one], keys[other])) || one - other;
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

// Bytes

function bytesView() {
  const parts = byteParts();
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  const rows = parts.flatMap((part) =>
    part.parts.length
      ? part.parts.map((inner) => ({ ...inner, part }))
      : [{ name: "", size: part.size, part }]
  );
  rows.sort((one, other) => other.size - one.size);
  return [
    heading("Bytes"),
    element(
      "p",
      { class: "note" },
      `${byteText(archive.bytes)} in the file; values of all columns and texts before compression: ${byteText(total)}`
    ),
    treemap(parts),
    section(
      "By property",
      plainTable(
        "Bytes by property",
        ["class", "property", "bytes", "share"],
        rows.slice(0, 200).map(({ name, size, part }) => [
          part.href && part.type.number > 0 ? classLink(part.type) : part.name,
          element("bdi", { class: "key" }, name),
          size,
          percentText(size, total),
        ])
      )
    ),
    section(
      "By segment",
      plainTable(
        "Bytes by segment",
        ["kind", "segments", "bytes", "stored"],
        archive.segments.map(({ kind, count, raw, stored }) => [fileText(kind), count, raw, stored])
      )
    ),
  ];
}
