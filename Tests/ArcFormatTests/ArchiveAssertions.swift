import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

extension XCTestCase {
  /// Asserts that opening and verifying an archive fails with a code and, if given, a text.
  func assertRefused(
    _ archive: HandMadeArchive, _ code: ArchiveError.Code, _ text: String? = nil,
    limits: ArchiveLimits = .default, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    try assertRefused(archive.bytes(), code, text, limits: limits, file: file, line: line)
  }

  /// Asserts the same of a file's bytes.
  func assertRefused(
    _ bytes: [UInt8], _ code: ArchiveError.Code, _ text: String? = nil, limits: ArchiveLimits = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    assertThrows(code, text, file: file, line: line) {
      try ArchiveFile(bytes: bytes, limits: limits).verify()
    }
  }

  /// A column chunk of values of one byte each.
  func chunk(_ values: [UInt8]) -> [UInt8] { HandMadeArchive.chunk(values) }

  /// The value of the only root of an archive with one column.
  func root(_ type: String, _ chunks: [UInt8]..., limits: ArchiveLimits = .default) throws -> ArchiveValue? {
    let bytes = try HandMadeArchive(rootTypes: [type], chunks: chunks).bytes()
    let file = try ArchiveFile(verifying: bytes, limits: limits)
    return try file.roots()["root0"]
  }
}
