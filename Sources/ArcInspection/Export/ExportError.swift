/// Why an archive cannot be exported in a format, though nothing is wrong with it.
struct ExportError: InspectionError, CustomStringConvertible {
  /// The kind of an error, by a stable name, which `--json` prints.
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
