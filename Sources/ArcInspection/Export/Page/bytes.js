// Bytes as areas: a rectangle for each class, and in it one for each property.

/** Rectangles of areas in proportion to `size`, as square as they can be: `[{item, x, y, width, height}]`. */
function squarified(items, x, y, width, height) {
  const left = items.filter((item) => item.size > 0).sort((one, other) => other.size - one.size);
  const total = left.reduce((sum, item) => sum + item.size, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  const placed = [];
  for (let start = 0; start < left.length; ) {
    const side = Math.min(width, height);
    let end = start;
    let sum = 0;
    let worst = Infinity;
    // A strip takes items as long as its rectangles become no longer.
    while (end < left.length) {
      const next = sum + left[end].size * scale;
      const ratio = worstRatio(left[start].size * scale, left[end].size * scale, next, side);
      if (end > start && ratio > worst) break;
      [sum, worst] = [next, ratio];
      end++;
    }
    const thickness = side > 0 ? sum / side : 0;
    let offset = 0;
    for (; start < end; start++) {
      const length = thickness > 0 ? (left[start].size * scale) / thickness : 0;
      placed.push(
        width < height
          ? { item: left[start], x: x + offset, y, width: length, height: thickness }
          : { item: left[start], x, y: y + offset, width: thickness, height: length }
      );
      offset += length;
    }
    if (width < height) [y, height] = [y + thickness, height - thickness];
    else [x, width] = [x + thickness, width - thickness];
  }
  return placed;
}

function worstRatio(greatest, least, sum, side) {
  return Math.max((side * side * greatest) / (sum * sum), (sum * sum) / (side * side * least));
}

/** What takes bytes: classes with their properties, and the texts that all share. */
function byteParts() {
  const parts = archive.classes.map((type) => ({
    type,
    name: type.number === 0 ? "roots" : printable(type.name),
    href: type.number === 0 ? "#" : address.class(type.name),
    size: type.columns.reduce((sum, column) => sum + column.bytes, 0),
    parts: type.columns.map((column) => ({ name: printable(column.name), size: column.bytes })),
  }));
  const texts = archive.segments.find((segment) => segment.kind === "STRS");
  if (texts) parts.push({ name: "texts that all classes share", href: null, size: texts.raw, parts: [] });
  return parts.filter((part) => part.size > 0).sort((one, other) => other.size - one.size);
}

const treemapWidth = 1000;
const treemapHeight = 560;
const headHeight = 20;

/** The picture; each class is a link to its table. */
function treemap(parts) {
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  const box = { viewBox: `0 0 ${treemapWidth} ${treemapHeight}`, role: "group" };
  const picture = shape("svg", { class: "treemap", "aria-label": "Bytes by class and property", ...box });
  for (const { item: part, x, y, width, height } of squarified(parts, 0, 0, treemapWidth, treemapHeight)) {
    // What is too small to be seen is in the table below.
    if (width < 1.5 || height < 1.5) continue;
    const label = `${part.name}: ${byteText(part.size)}, ${percentText(part.size, total)}`;
    const tone = part.type ? toneOf(part.type) : "tone-none";
    const group = shape(
      part.href ? "a" : "g",
      { href: part.href, class: `area ${tone}`, "aria-label": label },
      shape("title", null, label),
      areaShape(x, y, width, height, "outer")
    );
    if (height > headHeight + 8 && width > 30) {
      const title = `${shortName(part.name)} ${byteText(part.size)}`;
      group.append(areaText(title, x + 6, y + 15, width - 8, "head"));
      const inside = squarified(part.parts, x + 2, y + headHeight, width - 4, height - headHeight - 2);
      for (const rectangle of inside) group.append(...propertyShapes(part, rectangle));
    }
    picture.append(group);
  }
  const region = { class: "picture scroll", role: "region", "aria-label": "Bytes", tabindex: 0 };
  return element("div", region, picture);
}

function propertyShapes(part, { item, x, y, width, height }) {
  if (width < 1.5 || height < 1.5) return [];
  const label = `${part.name}.${item.name}: ${byteText(item.size)}`;
  const area = areaShape(x, y, width, height, "inner");
  area.append(shape("title", null, label));
  return height > 16 && width > 28 ? [area, areaText(item.name, x + 5, y + 15, width - 8)] : [area];
}

function areaShape(x, y, width, height, kind) {
  const size = { width: Math.max(0.5, width - 2), height: Math.max(0.5, height - 2) };
  return shape("rect", { x: x + 1, y: y + 1, ...size, rx: 3, class: kind });
}

function areaText(text, x, y, width, kind = "") {
  // As wide as letters are, roughly: what does not fit is cut.
  const letters = Math.floor(width / (kind === "head" ? 8 : 7)) - 1;
  return shape("text", { x, y, class: kind || null }, shortened(text, Math.max(1, letters)));
}

/** The view of the bytes: the picture, and the same as a table. */
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
      `${byteText(archive.bytes)} in the file; `,
      `values of all columns and texts before compression: ${byteText(total)}`
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
