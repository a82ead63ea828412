/// The source of a manual page in roff, with the macros of man(7). Functions append to it.
struct Roff {
  /// The source of the page.
  private(set) var text = ""

  /// Begins a page of the manual's section 1.
  init(name: String) { text = ".TH \(name.uppercased()) 1\n" }

  /// Begins a section.
  mutating func section(_ title: String) { text += ".SH \(Self.escaped(title))\n" }

  /// Begins a subsection.
  mutating func subsection(_ title: String) { text += ".SS \(Self.escaped(title))\n" }

  /// Appends a term in bold. The next paragraph explains it.
  mutating func term(_ term: String) { text += ".TP\n\\fB\(Self.escaped(term))\\fR\n" }

  /// Appends paragraphs. Roff moves line ends in paragraphs, but preserves lines that begin with a space.
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

  /// Appends lines that roff prints one by one, without joining them.
  mutating func lines(_ source: String) {
    text += ".nf\n"
    for line in source.split(separator: "\n") { text += Self.escaped(String(line)) + "\n" }
    text += ".fi\n"
  }

  /// Returns a line with escapes, so that roff prints the line unchanged.
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
