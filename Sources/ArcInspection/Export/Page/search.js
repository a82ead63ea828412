// Finding text in objects.

/** What a text is looked for by: a pattern for texts, and a number for numbers. */
function searchFor(text) {
  const wanted = text.trim();
  if (!wanted) return undefined;
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  // Without "u", so that no escape is an error; letters of one code unit ignore case all the same.
  return { text: wanted, pattern: new RegExp(escaped, "i"), number: wanted.replace(/,/g, "") };
}

/** Calls `body(index, position)` with each value of a class in which something is found, column by column. */
function forEachFound(search, type, body) {
  type.columns.forEach((column, position) => {
    const { kind } = innerNode(type, column.node);
    const hasText = containsKind(type, column.node, textKinds);
    if (!hasText && !numberKinds.has(kind)) return;
    const { pattern, number } = search;
    const values = columnOf(type, position);
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      if (value === null) continue;
      const isFound = !hasText
        ? numberText(value, kind) === number || String(value) === number
        : typeof value === "string"
          ? pattern.test(value)
          : pattern.test(kind === "string" ? value.text : searchedText(value, type, column.node));
      if (isFound) body(index, position);
    }
  });
}

/** A value as the text in which something is looked for: objects that it leads to are not part of it. */
function searchedText(value, type, node) {
  return valueText(value, type, node, 4000, (row) => `#${row}`);
}

/** Objects in which a text is found, each once, by classes and rows: `[{row, index, type, position}]`. */
function findObjects(search) {
  const found = [];
  for (const type of objectClasses) {
    const positions = new Map();
    forEachFound(search, type, (index, position) => {
      if (!positions.has(index)) positions.set(index, position);
    });
    const rows = rowsOf(type);
    const indices = [...positions.keys()].sort((one, other) => one - other);
    for (const index of indices) {
      found.push({ row: rows[index], index, type, position: positions.get(index) });
    }
  }
  return found;
}

/** The piece of a text around what was found in it, which is marked. */
function foundText(text, search) {
  const match = search.pattern.exec(text);
  if (!match) return fileText(shortened(text, 120));
  const start = match.index > 40 ? match.index - 30 : 0;
  const end = match.index + match[0].length;
  const halves = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;
  const piece = (from, to) => printable(text.slice(from, to).replace(halves, ""));
  return element(
    "bdi",
    null,
    start > 0 ? "…" : null,
    piece(start, match.index),
    element("mark", null, piece(match.index, end)),
    piece(end, end + 100),
    end + 100 < text.length ? "…" : null
  );
}

function searchView(text) {
  const search = searchFor(text);
  if (!search) return [heading("Search"), element("p", { class: "note" }, "Type what you look for.")];
  const found = findObjects(search);
  const number = Number(search.number.replace(/^#/, ""));
  const isObject = /^#?\d+$/.test(search.number) && number > 0 && placeOf(number);
  const classes = objectClasses.filter((type) => search.pattern.test(type.name));
  const propertyName = ({ type, position }) => shortened(type.columns[position].name, 60);
  const columns = [
    { title: "object", width: 260, cell: ({ row }) => objectLink(row) },
    { title: "class", width: 160, cell: ({ type }) => fileText(shortName(type.name), "type") },
    { title: "property", width: 130, cell: (item) => fileText(propertyName(item), "key") },
    { title: "value", width: 400, cell: (item) => foundText(foundValue(item), search) },
  ];
  const count = `${counted(found.length, "object")} of ${grouped(archive.rows - 1)}`;
  return [
    heading("Search for ", fileText(search.text)),
    element(
      "p",
      { class: "note", "data-count": found.length },
      `${count}: texts that contain it, numbers that are it`
    ),
    isObject ? element("p", null, "The object with that number: ", objectLink(number, true)) : null,
    classes.length
      ? element("p", null, "Classes: ", classes.slice(0, 20).map((type) => [classLink(type), " "]))
      : null,
    found.length ? virtualTable("Objects that were found", columns, found) : null,
  ];
}

function foundValue({ index, type, position }) {
  const value = columnOf(type, position)[index];
  if (typeof value === "string") return value;
  return value?.text ?? searchedText(value, type, type.columns[position].node);
}
