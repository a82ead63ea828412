import ArcArchive
import ArcFormat

/// The way to a value as text that `arcdump get` reads: `root.people[3].address`, `#17.name`.
///
/// It is that of the paths in errors, but nothing is cut: a name that is too long to be written is not
/// written.
struct PathText: Reportable {
  /// A longer step is not written: a file may repeat a name of a megabyte in each row.
  private static let longestStep = 400

  /// The text so far.
  private(set) var text: String

  var reportValue: ReportValue { .words(Words(text), as: text) }

  /// The way to an object by its number.
  init(_ id: ObjectID) { text = "#\(id.rawValue)" }

  /// A way that begins with some steps from a root.
  init(beginning text: String) { self.text = text }

  /// The way to a root; nil if its name is too long.
  init?(root name: String) {
    guard let step = Self.step(to: name) else { return nil }
    // A digit in front would be read as a number.
    let isNumber = name.utf8.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
    text = isNumber ? "`" + name + "`" : String(step.dropFirst())
  }

  /// Goes a step on.
  mutating func append(_ step: String) { text += step }

  /// The way after a step.
  func appending(_ step: String) -> PathText {
    var path = self
    path.append(step)
    return path
  }

  // MARK: Steps

  /// The step to a property, a field or a case, with backticks where it is no identifier; nil if it is too
  /// long.
  static func step(to name: String) -> String? {
    guard name.utf8.count <= longestStep else { return nil }
    let isIdentifier =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    let shown = printable(name)
    if isIdentifier, shown == name { return "." + name }
    // What was escaped is told apart from what the name has itself.
    let pieces = name.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false).map { piece in
      piece.split(separator: "`", omittingEmptySubsequences: false).map { printable(String($0)) }
        .joined(separator: "\\u{60}")
    }
    return ".`" + pieces.joined(separator: "\\u{5c}") + "`"
  }

  /// The step to an element.
  static func step(toElement index: Int) -> String { "[\(index)]" }

  /// The step to the value for a key; nil for one that has no text, or too long a one.
  static func step(toValueFor key: ArchiveValue) -> String? {
    switch key {
    case .string(let text): text.utf8.count <= longestStep ? "[" + printable(text, quoted: true) + "]" : nil
    case .integer(let number): Int(exactly: number).map { "[\($0)]" }
    default: nil
    }
  }

  /// The step to the value of an entry by its place among all.
  static func step(toValueAt index: Int) -> String { ".values[\(index)]" }

  /// The step to a key by its place among all.
  static func step(toKeyAt index: Int) -> String { ".keys[\(index)]" }

  /// The step to a value inside another one, empty if paths do not name the value; nil for too long a name.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - namesEntry: whether a value of a dictionary is named by its key, if the key has a text: not if an
  ///     earlier entry has an equal key.
  /// - Returns: the step as text.
  static func step(_ step: ValueStep, namesEntry: Bool = true) -> String? {
    switch step {
    case .element(let index): self.step(toElement: index)
    case .key(let index): self.step(toKeyAt: index)
    case .value(let index, let key):
      (namesEntry ? self.step(toValueFor: key) : nil) ?? self.step(toValueAt: index)
    case .field(let index, let name): name.isEmpty ? ".\(index)" : self.step(to: name)
    case .onlyField: ""
    case .payload(let name): self.step(to: name)
    }
  }
}
