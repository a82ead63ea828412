// The objects of the file. Each column is parsed when it is first asked for.

/** The JSON in an element of the page; undefined if there is no such element. */
function embedded(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : undefined;
}

const archive = embedded("index");

archive.classes.forEach((type, number) => {
  type.number = number;
  type.blocks = [];
  type.values = [];
});
archive.blocks.forEach(([number, count], block) => archive.classes[number].blocks.push({ block, count }));

const rootClass = archive.classes[0];
/** The classes that can have objects. */
const objectClasses = archive.classes.slice(1);
const classesByName = new Map(objectClasses.map((type) => [type.name, type]));

/** The rows of a class, ascending. */
function rowsOf(type) {
  if (!type.rows) {
    type.rows = new Uint32Array(type.count);
    let place = 0;
    for (const { block } of type.blocks) {
      const runs = embedded(`b${block}`);
      for (let run = 0; run < runs.length; run += 2) {
        for (let index = 0; index < runs[run + 1]; index++) type.rows[place++] = runs[run] + index;
      }
    }
  }
  return type.rows;
}

/** The values of a column for all rows of a class; null where rows were written before it was there. */
function columnOf(type, position) {
  if (!type.values[position]) {
    let values = [];
    for (const { block, count } of type.blocks) {
      const part = embedded(`b${block}c${position}`) ?? new Array(count).fill(null);
      values = values.length ? values.concat(part) : part;
    }
    type.values[position] = values;
  }
  return type.values[position];
}

let places;

/** The class of a row, and its index among the rows of the class; undefined if there is no such row. */
function placeOf(row) {
  if (!places) {
    places = { classes: new Uint16Array(archive.rows), indices: new Uint32Array(archive.rows) };
    for (const type of archive.classes) {
      rowsOf(type).forEach((other, index) => {
        places.classes[other] = type.number;
        places.indices[other] = index;
      });
    }
  }
  if (!Number.isInteger(row) || row < 0 || row >= archive.rows) return undefined;
  return { type: archive.classes[places.classes[row]], index: places.indices[row] };
}

let sizes;

/** The bytes of an object's values, and the bytes and objects that it retains, both with itself. */
function sizeOf(row) {
  sizes ??= embedded("sizes");
  return { own: sizes.own[row], bytes: sizes.bytes[row], objects: sizes.objects[row] };
}

/** The objects that retain most bytes. */
function largestObjects(count) {
  sizes ??= embedded("sizes");
  const { bytes } = sizes;
  const best = [];
  for (let row = 1; row < bytes.length; row++) {
    if (best.length === count && bytes[row] <= bytes[best[count - 1]]) continue;
    let place = best.length;
    while (place > 0 && bytes[best[place - 1]] < bytes[row]) place--;
    best.splice(place, 0, row);
    best.length = Math.min(best.length, count);
  }
  return best.filter((row) => bytes[row] > 0);
}

// Types

/** A node of a class's types without the optionals around it. */
function innerNode(type, node) {
  let inner = type.nodes[node];
  while (inner.kind === "optional" && inner.children) inner = type.nodes[inner.children[0]];
  return inner;
}

const answers = new Map();

/** Whether a node or one inside of it is of one of some kinds. */
function containsKind(type, node, kinds) {
  const question = `${type.number} ${node} ${kinds.name}`;
  if (!answers.has(question)) {
    const seen = new Set();
    const open = [node];
    let isFound = false;
    while (open.length && !isFound) {
      const next = open.pop();
      // Recursive types lead back to themselves.
      if (seen.has(next)) continue;
      seen.add(next);
      isFound = kinds.all.has(type.nodes[next].kind);
      open.push(...(type.nodes[next].children ?? []));
    }
    answers.set(question, isFound);
  }
  return answers.get(question);
}

const referenceKinds = { name: "references", all: new Set(["reference", "weak"]) };
const textKinds = {
  name: "texts",
  all: new Set(["string", "url", "uuid", "decimal", "date", "data", "enumeration"]),
};
const numberKinds = new Set([
  "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128",
  "float16", "float32", "float64", "decimal",
]);
const floatKinds = new Set(["float16", "float32", "float64"]);

// Names

const likelyTitles = ["name", "title", "label", "identifier", "id", "key", "path", "text", "value"];

/** The column whose text says best which object one is; -1 if there is none. */
function titleColumn(type) {
  if (type.titleColumn === undefined) {
    const texts = type.columns.filter((column) => innerNode(type, column.node).kind === "string");
    const rank = (column) => {
      const place = likelyTitles.indexOf(column.name.toLowerCase());
      return place < 0 ? likelyTitles.length : place;
    };
    const best = texts.reduce((one, other) => (one && rank(one) <= rank(other) ? one : other), undefined);
    type.titleColumn = best ? type.columns.indexOf(best) : -1;
  }
  return type.titleColumn;
}

/** A short text that tells an object from others for people; empty if it has none. */
function titleOf(row) {
  const place = placeOf(row);
  const position = place ? titleColumn(place.type) : -1;
  const value = position < 0 ? null : columnOf(place.type, position)[place.index];
  const text = typeof value === "object" ? value?.text ?? "" : value;
  return printable(shortened(text, 60));
}

/** The last part of a class's name: of `Zoo.Animal` it is `Animal`. */
function shortName(name) {
  const isPath = /^[\w.]+$/.test(name);
  return shortened(printable(isPath ? name.slice(name.lastIndexOf(".") + 1) : name), 60);
}
