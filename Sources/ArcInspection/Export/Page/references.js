// Who refers to whom.

const strong = 0;
const weak = 1;
const unowned = 2;
const kindNames = ["strong", "weak", "unowned"];

/** Calls `body(row, isWeak)` for each reference in a value, in its order. */
function forEachReference(value, type, node, body) {
  if (value === null || value === undefined) return;
  const { kind, children } = type.nodes[node];
  switch (kind) {
    case "reference":
    case "weak":
      if (value > 0) body(value, kind === "weak");
      break;
    case "optional":
      forEachReference(value, type, children[0], body);
      break;
    case "array":
    case "set":
      for (const element of value) forEachReference(element, type, children[0], body);
      break;
    case "dictionary":
      value.forEach((part, place) => forEachReference(part, type, children[place % 2], body));
      break;
    case "structure":
      value.forEach((field, place) => forEachReference(field, type, children[place], body));
      break;
    case "enumeration":
      if (Array.isArray(value)) forEachReference(value[1], type, payloadNode(type, node, value[0]), body);
      break;
  }
}

/** The node of the values that come with a case. */
function payloadNode(type, node, name) {
  const { children, labels, payloads } = type.nodes[node];
  return children[payloads[labels.indexOf(name)]];
}

let graph;

/** All references of the file; those from and to each row are found by where they begin. */
function references() {
  if (graph) return graph;
  const [owners, targets, kinds, columns] = [[], [], [], []];
  for (const type of archive.classes) {
    type.columns.forEach((column, position) => {
      if (!containsKind(type, column.node, referenceKinds)) return;
      const values = columnOf(type, position);
      rowsOf(type).forEach((row, index) => {
        forEachReference(values[index], type, column.node, (target, isWeak) => {
          owners.push(row);
          targets.push(target);
          kinds.push(isWeak ? weak : column.isUnowned ? unowned : strong);
          columns.push(position);
        });
      });
    });
  }
  graph = { owners, targets, kinds, columns, from: sorted(owners), to: sorted(targets) };
  return graph;
}

/** The numbers of references by one of their ends: those of row r are in `list` from `starts[r]` on. */
function sorted(ends) {
  const starts = new Uint32Array(archive.rows + 2);
  for (const row of ends) starts[row + 2]++;
  for (let row = 2; row < starts.length; row++) starts[row] += starts[row - 1];
  const list = new Uint32Array(ends.length);
  ends.forEach((row, number) => (list[starts[row + 1]++] = number));
  return { starts, list };
}

function edges(ends, row) {
  const { owners, targets, kinds, columns } = references();
  return Array.from(ends.list.subarray(ends.starts[row], ends.starts[row + 1]), (number) => ({
    owner: owners[number],
    target: targets[number],
    kind: kinds[number],
    name: placeOf(owners[number]).type.columns[columns[number]].name,
  }));
}

/** The references in an object, and those to it: `{owner, target, kind, name}`. */
const referencesFrom = (row) => edges(references().from, row);
const referencesTo = (row) => edges(references().to, row);

/**
 * References by the object at their other end, each once, in the order in which they are met:
 * `[{row, names, isWeak}]`.
 */
function neighbours(list, end) {
  const groups = new Map();
  for (const edge of list) {
    const group = groups.get(edge[end]) ?? { row: edge[end], names: [], isWeak: true };
    if (!group.names.includes(edge.name)) group.names.push(edge.name);
    group.isWeak &&= edge.kind !== strong;
    groups.set(edge[end], group);
  }
  return [...groups.values()];
}

let finders;

/** The references on a shortest way from the roots to an object; undefined if no root keeps it. */
function wayTo(row) {
  const { owners, targets, kinds, from } = references();
  if (!finders) {
    finders = new Int32Array(archive.rows).fill(-1);
    const found = [0];
    for (let next = 0; next < found.length; next++) {
      for (let place = from.starts[found[next]]; place < from.starts[found[next] + 1]; place++) {
        const number = from.list[place];
        const target = targets[number];
        if (kinds[number] !== strong || target === 0 || finders[target] >= 0) continue;
        finders[target] = number;
        found.push(target);
      }
    }
  }
  const way = [];
  for (let next = row; next !== 0; next = owners[finders[next]]) {
    if (finders[next] < 0) return undefined;
    const { type } = placeOf(owners[finders[next]]);
    way.push({ row: next, name: type.columns[graph.columns[finders[next]]].name });
  }
  return way.reverse();
}
