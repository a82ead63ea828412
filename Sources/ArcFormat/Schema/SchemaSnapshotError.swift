/// An error in the text of a schema snapshot, or a difference between a program and its snapshot.
///
///     malformedText: found the line '  nam String', expected a line of the form
///     'KEY: Type | attributes | encoding' (line 7)
public struct SchemaSnapshotError: Error, Hashable, Sendable {
  /// The kind of an error.
  public enum Code: String, CaseIterable, Sendable {
    /// A line is not in the format of a snapshot.
    case malformedText
    /// A later version of Arc wrote the text.
    case unsupportedVersion
    /// The type of a property or root is not a type that a column can contain.
    case malformedEncoding
    /// A class, root or key occurs twice.
    case duplicateName
    /// A superclass is not among the classes, or inherits from the class itself.
    case unknownSuperclass
    /// The text describes more classes, properties or names than the limits allow.
    case limitExceeded
    /// The snapshot did not exist. Arc has written the snapshot, which a person must review.
    case recorded
    /// The schema of the program has changed, and the program can read files of the old schema.
    case compatibleChange
    /// The schema of the program has changed, and the program cannot read some files of the old schema.
    case breakingChange
  }

  /// The kind of the error.
  public let code: Code
  /// A description of what was found.
  public let found: String
  /// A description of what was expected. Nil if unknown.
  public let expected: String?
  /// A description of how to fix the problem. Nil if unknown.
  public let remedy: String?
  /// The number of the line in the text, from 1. Nil if the error is not about a single line.
  public package(set) var line: Int?
  /// The path of the snapshot. Nil if the text was in memory.
  public package(set) var filePath: String?
  /// The differences between the schema of the program and the schema in the snapshot.
  public let differences: [SchemaDifference]
  /// The changed lines of the snapshot. Removed lines begin with `-`, and added lines begin with `+`.
  ///
  /// The lines are grouped by class and root. The first line of each group names the class or root. If this
  /// line did not change, it begins with spaces.
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
  /// The error as a string: the problem on one line, the changed lines, and the differences, beginning with
  /// the worst.
  public var description: String {
    var text = "\(code.rawValue): found \(found)"
    if let expected { text += ", expected \(expected)" }
    let locations = [filePath.map { "file '\($0)'" }, line.map { "line \($0)" }].compactMap { $0 }
    if !locations.isEmpty { text += " (" + locations.joined(separator: ", ") + ")" }
    if let remedy { text += "; " + remedy }
    let worstFirst = differences.enumerated().sorted {
      ($1.element.effect, $0.offset) < ($0.element.effect, $1.offset)
    }
    return ([printable(text)] + changedLines + worstFirst.map(\.element.description))
      .joined(separator: "\n")
  }
}
