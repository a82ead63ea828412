// The view of one object.

const holdersAtOnce = 50;

function objectView(row) {
  const { type, index } = placeOf(row);
  const title = titleOf(row);
  return [
    heading(
      classLink(type),
      ` #${row}`,
      title ? element("bdi", { class: "title" }, " ", title) : null
    ),
    element("nav", { class: "steps", "aria-label": "Objects of this class" }, stepLinks(type, index)),
    facts([...sizeFacts(row), ["path", wayElement(row)]]),
    section("Properties", propertyList(type, index)),
    section("Neighbours", neighbourhood(row)),
    section(...holderList(row)),
  ];
}

function stepLinks(type, index) {
  const rows = rowsOf(type);
  const step = (place, text, key) =>
    rows[place] === undefined
      ? null
      : element("a", { href: address.object(rows[place]), "data-step": key, "aria-keyshortcuts": key }, text);
  return [
    step(index - 1, "← previous", "p"),
    faint(`${grouped(index + 1)} of ${grouped(rows.length)}`),
    step(index + 1, "next →", "n"),
  ];
}

function sizeFacts(row) {
  const size = sizeOf(row);
  const isKept = size.objects > 0;
  return [
    ["own bytes", byteText(size.own)],
    [
      "retains",
      isKept
        ? `${counted(size.objects, "object")}, ${byteText(size.bytes)}, itself included`
        : "nothing: no root retains it",
    ],
  ];
}

/** The way from a root, with a link to each object on it. */
function wayElement(row) {
  const way = wayTo(row);
  if (!way) return faint("none");
  const shown = way.length > 12 ? [...way.slice(0, 6), null, ...way.slice(-5)] : way;
  return element(
    "span",
    { class: "way" },
    element("a", { href: "#" }, "roots"),
    shown.map((step) =>
      step
        ? [" › ", fileText(shortened(step.name, 40), "key"), " ", objectLink(step.row)]
        : ` › … ${counted(way.length - 11, "more object")} … `
    )
  );
}

function propertyList(type, index) {
  return element(
    "dl",
    { class: "properties" },
    type.columns.map((column, position) =>
      element(
        "div",
        null,
        element("dt", null, fileText(column.name, "key")),
        element("dd", null, valueElement(columnOf(type, position)[index], type, column.node)),
        element(
          "dd",
          { class: "declared", title: printable(shortened(column.attributes, 400)) },
          fileText(shortened(column.type, 60))
        )
      )
    ),
    type.columns.length === 0 ? element("div", null, element("dd", { class: "nil" }, "none")) : null
  );
}

/** The title and the list of those that refer to an object. */
function holderList(row) {
  const list = referencesTo(row);
  const title = list.length ? `Held by ${counted(list.length, "reference")}` : "Held by nothing";
  return [
    title,
    list.length
      ? collectionOfLines(list, ({ owner, name, kind }) => [
          objectLink(owner, true),
          element("span", { class: "key" }, " .", element("bdi", null, printable(name))),
          kind === strong ? null : faint(` ${kindNames[kind]}`),
        ])
      : element("p", { class: "note" }, "No object and no root refers to it."),
  ];
}

/** Lines of which more come when asked for. */
function collectionOfLines(items, body) {
  const list = element("ul", { class: "lines" });
  let shown = 0;
  const more = element("button", { type: "button", on: { click: () => grow() } });
  const grow = () => {
    const end = Math.min(items.length, shown + holdersAtOnce);
    for (; shown < end; shown++) list.append(element("li", null, body(items[shown])));
    more.textContent = `${grouped(items.length - shown)} more`;
    more.hidden = shown === items.length;
  };
  grow();
  return element("div", null, list, more);
}
