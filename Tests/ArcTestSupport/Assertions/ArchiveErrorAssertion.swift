package import ArcFormat
import XCTest

/// Asserts that a closure throws an `ArchiveError` with a code, and that its description contains a string,
/// unless the string is nil. Returns the error. `what` distinguishes the failures in a loop.
@discardableResult
package func assertThrows<Result>(
  _ code: ArchiveError.Code, _ text: String? = nil, for what: String = "",
  file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Result
) -> ArchiveError? {
  let error = assertThrows(ArchiveError.self, for: what, file: file, line: line, body)
  guard let error else { return nil }
  XCTAssertEqual(error.code, code, "\(what) \(error)", file: file, line: line)
  if let text { XCTAssertTrue("\(error)".contains(text), "\(what) \(error)", file: file, line: line) }
  return error
}

/// Asserts that a closure throws an error of a type. Returns the error.
@discardableResult
package func assertThrows<Failure: Error, Result>(
  _ type: Failure.Type, for what: String = "", file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Result
) -> Failure? {
  var thrown: (any Error)?
  XCTAssertThrowsError(try body(), what, file: file, line: line) { thrown = $0 }
  if let thrown, !(thrown is Failure) { XCTFail("\(what) \(thrown)", file: file, line: line) }
  return thrown as? Failure
}
