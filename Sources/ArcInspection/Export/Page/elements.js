// Elements of the page. Text goes in as text alone: nothing here parses HTML.

/**
 * An element with attributes and children, which are elements or text; null is left out. `on` has listeners.
 * Names of attributes and the beginnings of addresses are written in this script, never taken from the file.
 */
function element(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a part of a picture. */
function shape(name, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  const { on = {}, ...others } = attributes ?? {};
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener);
  for (const [key, value] of Object.entries(others)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/** Text of the file, apart from what is around it: none of it is turned around by its neighbours. */
function fileText(text, kind = "", keepsLines = false) {
  return element("bdi", { class: kind || null }, printable(text, keepsLines));
}

/** What the page says where there is nothing, or beside what the file says. */
function faint(...children) {
  return element("span", { class: "nil" }, ...children);
}

/** A link to an object: its number and its title, after its class if that is not clear. */
function objectLink(row, showsClass = false) {
  const { type } = placeOf(row);
  const title = titleOf(row);
  return element(
    "a",
    { href: address.object(row), class: "object", title: `${shortName(type.name)} #${row}` },
    showsClass && row > 0 ? element("span", { class: "type" }, shortName(type.name), " ") : null,
    element("span", { class: "number" }, row === 0 ? "roots" : `#${row}`),
    title ? element("bdi", { class: "title" }, " ", title) : null
  );
}

function classLink(type) {
  return element("a", { href: address.class(type.name), class: "type" }, fileText(type.name));
}

/** A heading, which gets the focus when its view is shown, so that readers of screens say it. */
function heading(...children) {
  return element("h1", { tabindex: -1 }, ...children);
}

function section(title, ...children) {
  return element("section", null, element("h2", null, title), ...children);
}

/** A small table of rows that are all shown: cells are elements, text or numbers. */
function plainTable(label, titles, rows) {
  const isNumber = titles.map((_, place) => rows.some((row) => typeof row[place] === "number"));
  const cell = (name, value, place) =>
    element(
      name,
      { class: isNumber[place] ? "numeric" : null, scope: name === "th" ? "col" : null },
      typeof value === "number" ? grouped(value) : value
    );
  const line = (name, values) => element("tr", null, values.map((value, place) => cell(name, value, place)));
  const head = element("thead", null, line("th", titles));
  const body = element("tbody", null, rows.map((row) => line("td", row)));
  return element(
    "div",
    { class: "scroll", role: "region", "aria-label": label, tabindex: 0 },
    element("table", { class: "plain" }, head, body)
  );
}

/** Facts as pairs of a name and what it is; pairs of null are left out. */
function facts(pairs) {
  const pair = ([name, value]) => element("div", null, element("dt", null, name), element("dd", null, value));
  return element("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null).map(pair));
}

/** The colour of a class: one of those in the style, the same wherever it is shown. */
const toneOf = (type) => `tone-${type.number % 10}`;
