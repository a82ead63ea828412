/// Why an expression cannot be understood, or has no answer in a file.
///
///     do { try Query(parsing: "Person[age >]") }
///     catch { print(error) }
///     // malformedExpression: found ']' at character 13 of 'Person[age >]', expected a value or a path
struct QueryError: InspectionError, CustomStringConvertible {
  /// The kind of an error, by a stable name, which `--json` prints.
  enum Code: String {
    /// The text is no expression.
    case malformedExpression
    /// The file has no such class, root, property or element, or object.
    case unknownClass, missingRoot, missingKey, missingObject
    /// A step leads on from nil.
    case nilReference
    /// A value is not of the type that is asked for.
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

  /// The error in one line: code, what was found and expected, and the remedy.
  var description: String {
    "\(code.rawValue): found \(found)" + (expected.map { ", expected \($0)" } ?? "")
      + (remedy.map { "; \($0)" } ?? "")
  }

  var codeName: String { code.rawValue }
  var status: ExitStatus { .incomplete }

  /// Names to choose from, in quotes, of many only some.
  static func choice(_ names: some Sequence<String>) -> String {
    let all = Array(names)
    let shown = all.prefix(20).map { "'\(String($0.prefix(60)))'" }.joined(separator: ", ")
    return all.isEmpty ? "none" : shown + (all.count > 20 ? ", and \(all.count - 20) more" : "")
  }
}
