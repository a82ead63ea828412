/// An error in an expression, or in its evaluation for a file.
///
///     do { try Query(parsing: "Person[age >]") }
///     catch { print(error) }
///     // malformedExpression: found ']' at character 13 of 'Person[age >]', expected a value or a path
struct QueryError: InspectionError, CustomStringConvertible {
  /// The stable name of the kind of error, which `--json` prints.
  enum Code: String {
    /// The text is not a valid expression.
    case malformedExpression
    /// The file has no such class, root, property, element or object.
    case unknownClass, missingRoot, missingKey, missingObject
    /// A path has a step after a value that is nil.
    case nilReference
    /// A value does not have the required type.
    case typeMismatch
  }

  let code: Code
  let found: String
  var expected: String?
  var remedy: String?

  init(_ code: Code, found: String, expected: String? = nil, remedy: String? = nil) {
    self.code = code
    self.found = found
    self.expected = expected
    self.remedy = remedy
  }

  /// The error in one line: its code, what was found, what was expected, and the remedy.
  var description: String {
    "\(code.rawValue): found \(found)" + (expected.map { ", expected \($0)" } ?? "")
      + (remedy.map { "; \($0)" } ?? "")
  }

  var codeName: String { code.rawValue }
  var status: ExitStatus { .incomplete }

  /// Returns the valid names in quotes. If there are more than 20 names, returns the first 20 and the number
  /// of omitted names.
  static func choice(_ names: some Sequence<String>) -> String {
    let all = Array(names)
    let shown = all.prefix(20).map { "'\(String($0.prefix(60)))'" }.joined(separator: ", ")
    return all.isEmpty ? "none" : shown + (all.count > 20 ? ", and \(all.count - 20) more" : "")
  }
}
