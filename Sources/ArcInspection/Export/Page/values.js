// Values as text, and as elements with links.

/** How many elements of a collection are shown before somebody asks for more, and how many come then. */
const elementsAtFirst = 12;
const elementsAtOnce = 200;

/** What a value without others in it is: `{text, kind}`, `kind` for its colour; undefined for any other. */
function scalar(value, kind) {
  if (value === null) return { text: "nil", kind: "nil" };
  switch (kind) {
    case "bool":
      return { text: String(value), kind: "number" };
    case "string":
    case "decimal":
    case "date":
    case "uuid": {
      const text = typeof value === "object" ? value.text : value;
      return { text, kind: kind === "string" ? "string" : "number", rest: value.rest };
    }
    case "url": {
      const parts = (Array.isArray(value) ? value : [value]).map((part) => `<${part.text ?? part}>`);
      return { text: parts.join(" in "), kind: "string" };
    }
    case "data":
      return { text: dataText(value), kind: "number" };
  }
  if (numberKinds.has(kind)) return { text: numberText(value, kind), kind: "number" };
  return undefined;
}

function numberText(value, kind) {
  if (typeof value !== "number") return value;
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return floatKinds.has(kind) && /^-?\d+$/.test(text) ? text + ".0" : text;
}

function dataText([count, digits]) {
  const isCut = count * 2 > digits.length;
  return counted(count, "byte") + (count > 0 ? ` ${digits}${isCut ? "…" : ""}` : "");
}

/** A value in one line of about so many characters, as text, in which `nameOf` says which object one is. */
function valueText(value, type, node, room = 120, nameOf = referenceText) {
  const pieces = [];
  let left = room;
  const add = (text) => {
    pieces.push(text);
    left -= text.length;
  };
  const list = (opener, values, closer, body) => {
    add(opener);
    for (let place = 0; place < values.length && left > 0; place++) {
      if (place > 0) add(", ");
      body(values[place], place);
    }
    add(left > 0 ? closer : "…");
  };
  const visit = (value, node) => {
    const { kind, children, name } = type.nodes[node];
    const plain = scalar(value, kind);
    if (plain) return add(plain.kind === "string" && pieces.length ? `"${plain.text}"` : plain.text);
    switch (kind) {
      case "optional":
        return visit(value, children[0]);
      case "reference":
      case "weak":
        return add(value > 0 ? nameOf(value) : "nil");
      case "array":
      case "set":
        return list(kind === "set" ? "{" : "[", value, kind === "set" ? "}" : "]", (part) =>
          visit(part, children[0])
        );
      case "dictionary": {
        const keys = value.filter((_, place) => place % 2 === 0);
        return list(keys.length ? "[" : "[:", keys, "]", (key, place) => {
          visit(key, children[0]);
          add(": ");
          visit(value[place * 2 + 1], children[1]);
        });
      }
      case "structure":
        return list(`${structureName(name)}(`, value, ")", (field, place) => {
          const label = type.nodes[node].labels?.[place];
          if (label) add(label + ": ");
          visit(field, children[place]);
        });
      case "enumeration": {
        const [caseName, payload] = Array.isArray(value) ? value : [value];
        add(`${structureName(name)}.${caseName}`);
        if (payload !== undefined) visit(payload, payloadNode(type, node, caseName));
      }
    }
  };
  visit(value, node);
  return printable(shortened(pieces.join(""), room));
}

const structureName = (name) => (!name || name === "?" ? "" : name);

function referenceText(row) {
  const title = titleOf(row);
  return title ? `#${row} ${title}` : `#${row}`;
}

/** A value with all that is in it; collections grow when asked. */
function valueElement(value, type, node) {
  const { kind, children, name, labels } = type.nodes[node];
  const plain = scalar(value, kind);
  if (plain) {
    const isText = kind === "string" && value !== null;
    const text = isText ? textElement(plain.text) : fileText(plain.text, plain.kind);
    if (!plain.rest) return text;
    return element("span", null, text, faint(` … ${counted(plain.rest, "more byte")}`));
  }
  switch (kind) {
    case "optional":
      return valueElement(value, type, children[0]);
    case "reference":
    case "weak":
      return value > 0 ? objectLink(value, true) : faint("nil");
    case "array":
    case "set":
      return collection(
        `${kind} of ${grouped(value.length)}`,
        value.length,
        (place) => valueElement(value[place], type, children[0]),
        kind === "array"
      );
    case "dictionary":
      return collection(`dictionary of ${grouped(value.length / 2)}`, value.length / 2, (place) => [
        valueElement(value[place * 2], type, children[0]),
        ": ",
        valueElement(value[place * 2 + 1], type, children[1]),
      ]);
    case "structure":
      return members(structureName(name), labels ?? [], value, (field, place) =>
        valueElement(field, type, children[place])
      );
    case "enumeration": {
      const [caseName, payload] = Array.isArray(value) ? value : [value];
      const text = fileText(`${structureName(name)}.${caseName}`, "type");
      if (payload === undefined) return text;
      return element("span", null, text, valueElement(payload, type, payloadNode(type, node, caseName)));
    }
  }
  return fileText(JSON.stringify(value));
}

function textElement(text) {
  return text.includes("\n") ? fileText(text, "string lines", true) : fileText(`"${text}"`, "string");
}

function members(title, labels, fields, body) {
  return element(
    "span",
    null,
    title ? fileText(title, "type") : null,
    element(
      "ul",
      { class: "members" },
      fields.map((field, place) =>
        element("li", null, labels[place] ? [fileText(labels[place], "key"), ": "] : null, body(field, place))
      )
    )
  );
}

function collection(title, count, body, isNumbered = false) {
  const list = element(isNumbered ? "ol" : "ul", { class: "members", start: isNumbered ? 0 : null });
  const more = element("button", { type: "button", on: { click: () => grow() } });
  let shown = 0;
  const grow = () => {
    const end = Math.min(count, shown + (shown === 0 ? elementsAtFirst : elementsAtOnce));
    for (; shown < end; shown++) list.append(element("li", null, body(shown)));
    more.textContent = `${grouped(count - shown)} more`;
    more.hidden = shown === count;
  };
  grow();
  if (count === 0) return faint(title);
  return element("span", null, faint(title), list, count > shown ? more : null);
}
