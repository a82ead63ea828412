/// An error in a line of a control file, with its location.
struct ControlFileError: Error, Hashable, CustomStringConvertible {
  /// A kind of syntax error.
  enum Code: String, CaseIterable {
    /// A line that is neither `Name: value`, nor a continuation, nor a comment.
    case missingColon
    /// A field name that is empty or contains other bytes than printable ASCII.
    case invalidFieldName
    /// An indented line without a field before it.
    case continuationWithoutField
    /// A field that the paragraph already has. The first field counts.
    case repeatedField
    /// A value that is not UTF-8. It is repaired with U+FFFD.
    case invalidUTF8
  }

  let code: Code
  /// The number of the line, counted from 1.
  let line: Int
  /// The offset of the line in the file, in bytes.
  let byteOffset: Int
  /// The name of the field, or the beginning of the line.
  let detail: String

  var description: String {
    "line \(line) (byte \(byteOffset)): \(code.rawValue): \(detail)"
  }
}
