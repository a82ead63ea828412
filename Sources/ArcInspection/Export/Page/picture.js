// An object among its neighbours, as a picture.

/** Neighbours on each side; of more, a link says how many. */
const neighboursShown = 9;
const pictureWidth = 960;
const nodeWidth = 240;
const nodeHeight = 44;
const nodeGap = 14;

/** The picture of an object, those that refer to it on its left, those that it refers to on its right. */
function neighbourhood(row) {
  const left = neighbours(referencesTo(row), "owner").filter((other) => other.row !== row);
  const right = neighbours(referencesFrom(row), "target").filter((other) => other.row !== row);
  const count = Math.max(1, ...[left, right].map((list) => Math.min(list.length, neighboursShown + 1)));
  const height = count * (nodeHeight + nodeGap) + nodeGap;
  const middle = { x: (pictureWidth - nodeWidth) / 2, y: height / 2 };
  const lines = shape("g");
  const nodes = shape("g");
  drawSide(left, 0, middle, height, lines, nodes);
  drawSide(right, pictureWidth - nodeWidth, middle, height, lines, nodes);
  nodes.append(nodeShape(row, middle.x, middle.y, true));
  const title =
    `${objectName(row)}, ${counted(left.length, "object")} that refer to it, ` +
    `${counted(right.length, "object")} that it refers to`;
  const box = { viewBox: `0 0 ${pictureWidth} ${height}`, role: "group", "aria-label": title };
  return element(
    "div",
    { class: "scroll picture", tabindex: 0, role: "region", "aria-label": "Neighbours" },
    shape("svg", box, arrowHeads(), lines, nodes)
  );
}

function objectName(row) {
  return row === 0 ? "roots" : `${shortName(placeOf(row).type.name)} #${row}`;
}

function arrowHeads() {
  const head = shape("path", { d: "M0 0 8 4 0 8z", class: "arrow-head" });
  const size = { refX: 8, refY: 4, markerWidth: 8, markerHeight: 8 };
  const box = { id: "arrow", viewBox: "0 0 8 8", orient: "auto", ...size };
  return shape("defs", null, shape("marker", box, head));
}

/** Draws the neighbours of one side below each other, and the lines to them. */
function drawSide(list, x, middle, height, lines, nodes) {
  const shown = list.slice(0, list.length > neighboursShown ? neighboursShown : undefined);
  const slots = shown.length + (shown.length < list.length ? 1 : 0);
  const step = nodeHeight + nodeGap;
  const top = (height - slots * step) / 2 + step / 2;
  shown.forEach((other, place) => {
    const y = top + place * step;
    lines.append(...lineShapes(other, x, y, middle));
    nodes.append(nodeShape(other.row, x, y, false));
  });
  if (shown.length < list.length) {
    const text = `… ${counted(list.length - shown.length, "more object")}`;
    const place = { x: x + nodeWidth / 2, y: top + shown.length * step, "text-anchor": "middle" };
    nodes.append(shape("text", { class: "more", ...place }, text));
  }
}

/** The line between a neighbour and the object in the middle, from who refers to who is referred to. */
function lineShapes({ names, isWeak }, x, y, middle) {
  const isLeft = x < middle.x;
  const [start, end] = isLeft
    ? [{ x: x + nodeWidth, y }, { x: middle.x, y: middle.y }]
    : [{ x: middle.x + nodeWidth, y: middle.y }, { x, y }];
  const bend = (end.x - start.x) / 2;
  const bends = `${start.x + bend} ${start.y} ${end.x - bend} ${end.y}`;
  const path = `M${start.x} ${start.y}C${bends} ${end.x - 2} ${end.y}`;
  const label = names.map((name) => shortened(printable(name), 24)).join(", ");
  const place = isLeft
    ? { x: x + nodeWidth + 6, y: y - 5, "text-anchor": "start" }
    : { x: x - 10, y: y - 5, "text-anchor": "end" };
  return [
    shape("path", { d: path, class: isWeak ? "line weak" : "line", "marker-end": "url(#arrow)" }),
    shape("text", { class: "label", ...place }, shortened(label, 18), shape("title", null, label)),
  ];
}

function nodeShape(row, x, y, isMiddle) {
  const { type } = placeOf(row);
  const name = objectName(row);
  const title = titleOf(row);
  const label = `${name} ${title}`;
  const style = `node ${toneOf(type)}${isMiddle ? " middle" : ""}`;
  const place = { x, y: y - nodeHeight / 2, height: nodeHeight };
  return shape(
    "a",
    { href: address.object(row), class: style, "aria-label": label },
    shape("title", null, label),
    shape("rect", { ...place, width: nodeWidth, rx: 7 }),
    shape("rect", { ...place, width: 6, rx: 3, class: "tone" }),
    shape("text", { x: x + 16, y: title ? y - 4 : y + 5, class: "name" }, shortened(name, 28)),
    title ? shape("text", { x: x + 16, y: y + 14, class: "detail" }, shortened(title, 32)) : null
  );
}
