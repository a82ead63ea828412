import XCTest

/// Asserts, for each row of a table, all errors of a program that imports Arc in its first line.
func assertCompilerErrors(
  _ table: [(source: String, errors: [String])], file: StaticString = #filePath, line: UInt = #line
) throws {
  for row in table {
    let errors = try Compiler().errors(of: "import Arc; \(row.source)")
    XCTAssertEqual(errors, row.errors, row.source, file: file, line: line)
  }
}
