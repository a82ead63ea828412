/// What is wrong with a line of a control file, and where.
struct ControlFileError: Error, Hashable, CustomStringConvertible {
  /// The kinds of damage that the parser knows.
  enum Code: String, CaseIterable {
    /// A line that is neither `Name: value`, nor a continuation, nor a comment.
    case missingColon
    /// A field name that is empty or holds bytes other than printable ASCII.
    case invalidFieldName
    /// An indented line with no field above it to continue.
    case continuationWithoutField
    /// A field that its paragraph already has; the first one counts.
    case repeatedField
    /// A value that is not UTF-8; repaired with U+FFFD.
    case invalidUTF8
  }

  let code: Code
  /// The line's number, from 1.
  let line: Int
  /// The byte offset of the line's start.
  let byteOffset: Int
  /// The field concerned, or the start of the line.
  let detail: String

  var description: String {
    "line \(line) (byte \(byteOffset)): \(code.rawValue): \(detail)"
  }
}
