/// Why a text is no snapshot of a schema, or how a program differs from its snapshot.
///
///     malformedText: found 'nam String | required', expected a property: 'key: Type | … | encoding' (line 7)
public struct SchemaSnapshotError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// A line is none of a snapshot.
    case malformedText
    /// The text is of a later version of Arc.
    case unsupportedVersion
    /// The type of a property or root is none that a column can hold.
    case malformedEncoding
    /// A class, root or key is there twice.
    case duplicateName
    /// A superclass is not among the classes, or leads back to the class itself.
    case unknownSuperclass
    /// The text describes more than any program declares.
    case limitExceeded
    /// There was no snapshot yet: it is written now, to be reviewed.
    case recorded
    /// The schema of the program is another one, which can read the files of the snapshot's.
    case compatibleChange
    /// Files of the snapshot's schema could no longer be read.
    case breakingChange
  }

  /// The kind of failure.
  public let code: Code
  /// What was found.
  public let found: String
  /// What was expected instead; nil if it cannot be said.
  public let expected: String?
  /// What whoever reads the message can do about it.
  public let remedy: String?
  /// The line of the text, from 1; nil if it is about the whole.
  public package(set) var line: Int?
  /// The path of the snapshot; nil for a text in memory.
  public package(set) var filePath: String?
  /// What a program with the new schema would do about files of the old one.
  public let differences: [SchemaDifference]
  /// The lines that changed, each behind `-` or `+`, below the class that they belong to.
  public let changedLines: [String]

  package init(
    _ code: Code, found: String, expected: String? = nil, remedy: String? = nil, line: Int? = nil,
    filePath: String? = nil, differences: [SchemaDifference] = [], changedLines: [String] = []
  ) {
    self.code = code
    self.found = found
    self.expected = expected
    self.remedy = remedy
    self.line = line
    self.filePath = filePath
    self.differences = differences
    self.changedLines = changedLines
  }
}

extension SchemaSnapshotError: CustomStringConvertible {
  /// The error in words: a line, then what changed, then what that means for old files, the worst first.
  public var description: String {
    var text = "\(code.rawValue): found \(found)"
    if let expected { text += ", expected \(expected)" }
    let places = [filePath.map { "file '\($0)'" }, line.map { "line \($0)" }].compactMap { $0 }
    if !places.isEmpty { text += " (" + places.joined(separator: ", ") + ")" }
    if let remedy { text += "; " + remedy }
    let worstFirst = differences.enumerated().sorted {
      ($1.element.effect, $0.offset) < ($0.element.effect, $1.offset)
    }
    return ([printable(text)] + changedLines + worstFirst.map(\.element.description))
      .joined(separator: "\n")
  }
}
