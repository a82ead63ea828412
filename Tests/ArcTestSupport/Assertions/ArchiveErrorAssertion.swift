package import ArcFormat
import XCTest

/// Asserts that a body throws an `ArchiveError` with a code, whose description contains a text if one is
/// given; `what` tells a failure in a loop apart from the others.
package func assertThrows(
  _ code: ArchiveError.Code, _ text: String? = nil, for what: String = "",
  file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) {
  XCTAssertThrowsError(try body(), what, file: file, line: line) { error in
    guard let error = error as? ArchiveError else {
      return XCTFail("\(what) \(error)", file: file, line: line)
    }
    XCTAssertEqual(error.code, code, "\(what) \(error)", file: file, line: line)
    if let text { XCTAssertTrue("\(error)".contains(text), "\(what) \(error)", file: file, line: line) }
  }
}
