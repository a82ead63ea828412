/// A manual page as it grows, in the macros of man(7).
struct Roff {
  /// The source so far.
  private(set) var text = ""

  /// Begins a page of section 1.
  init(name: String) { text = ".TH \(name.uppercased()) 1\n" }

  /// Begins a section.
  mutating func section(_ title: String) { text += ".SH \(Self.escaped(title))\n" }

  /// Begins a part of a section.
  mutating func subsection(_ title: String) { text += ".SS \(Self.escaped(title))\n" }

  /// Begins the explanation of a term, in bold.
  mutating func term(_ term: String) { text += ".TP\n\\fB\(Self.escaped(term))\\fR\n" }

  /// Writes paragraphs; lines that begin with a space stay as they are.
  mutating func paragraphs(_ source: String) {
    var isVerbatim = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") != isVerbatim, !line.isEmpty {
        isVerbatim.toggle()
        text += isVerbatim ? ".nf\n" : ".fi\n"
      }
      text += line.isEmpty ? ".PP\n" : Self.escaped(String(line)) + "\n"
    }
    if isVerbatim { text += ".fi\n" }
  }

  /// Writes lines as they are.
  mutating func lines(_ source: String) {
    text += ".nf\n"
    for line in source.split(separator: "\n") { text += Self.escaped(String(line)) + "\n" }
    text += ".fi\n"
  }

  /// A line that says what it says: no escape, and no request at its beginning.
  static func escaped(_ line: String) -> String {
    let first = line.utf8.first
    var escaped = first == UInt8(ascii: ".") || first == UInt8(ascii: "'") ? "\\&" : ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
