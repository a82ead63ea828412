// Text for people.

/** What is invisible, steers or reorders text, or is no character at all. */
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}\u115F\u1160\u3164\uFFA0]/gu;

/** Text of the file as the page shows it: hidden characters are written `\u{…}`, but line ends if kept. */
function printable(text, keepsLines = false) {
  return text.replace(hiddenCharacters, (character) => {
    if (keepsLines && (character === "\n" || character === "\t")) return character;
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return `\\u{${character.codePointAt(0).toString(16)}}`;
  });
}

/** A text of at most so many characters, with a mark where something was left out. */
function shortened(text, count) {
  if (text.length <= count) return text;
  // Not between the halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text[count - 1]) ? count - 1 : count;
  return text.slice(0, end) + "…";
}

/** `1,234,567` */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 object`, `2,000 classes` */
function counted(number, singular, plural = singular + "s") {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** `12.3 KB` */
function byteText(count) {
  if (count < 1000) return counted(count, "byte");
  let number = count;
  for (const unit of ["KB", "MB", "GB"]) {
    number /= 1000;
    if (number < 999.5 || unit === "GB") return `${number.toFixed(number < 9.95 ? 2 : 1)} ${unit}`;
  }
}

/** `37.2 %` */
function percentText(part, whole) {
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : "0.0 %";
}

// Addresses of views. What stands in them is encoded, so that no text of the file ends a part.

function encoded(text) {
  return encodeURIComponent(text.replace(/[\uD800-\uDFFF]/gu, "\uFFFD"));
}

const address = {
  object: (row) => (row === 0 ? "#" : `#object/${row}`),
  class: (name, parameters = {}) => `#class/${encoded(name)}${query(parameters)}`,
  search: (text) => `#search/${encoded(text)}`,
};

function query(parameters) {
  const parts = Object.entries(parameters).filter(([, value]) => value !== "");
  return parts.length ? "?" + parts.map(([name, value]) => `${name}=${encoded(value)}`).join("&") : "";
}

/** The view that an address asks for: `{view, subject, parameters}`. */
function parseAddress(hash) {
  const [path, parameterText = ""] = hash.replace(/^#/, "").split("?");
  const slash = path.indexOf("/");
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const parameters = new Map();
  for (const part of parameterText.split("&")) {
    const [name, value = ""] = part.split("=");
    if (name) parameters.set(name, decoded(value));
  }
  return {
    view: slash < 0 ? path : path.slice(0, slash),
    subject: slash < 0 ? "" : decoded(path.slice(slash + 1)),
    parameters,
  };
}
