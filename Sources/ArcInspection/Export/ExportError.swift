/// The reason why a valid archive cannot be exported in a format.
struct ExportError: InspectionError, CustomStringConvertible {
  /// The kind of an error. `--json` prints its raw value, which is stable.
  enum Code: String {
    /// A class has more properties than a table of the format can have columns.
    case tooManyColumns
  }

  let code: Code
  let found: String
  let expected: String
  let remedy: String

  init(_ code: Code, found: String, expected: String, remedy: String) {
    self.code = code
    self.found = found
    self.expected = expected
    self.remedy = remedy
  }

  var description: String { "\(code.rawValue): found \(found), expected \(expected); \(remedy)" }
  var codeName: String { code.rawValue }
  var status: ExitStatus { .incomplete }
}
