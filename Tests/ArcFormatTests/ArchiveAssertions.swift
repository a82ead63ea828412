import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

extension XCTestCase {
  /// Asserts that opening or verifying an archive fails with a code. If `text` is set, the error's
  /// description must contain it.
  func assertRefused(
    _ archive: HandMadeArchive, _ code: ArchiveError.Code, _ text: String? = nil,
    limits: ArchiveLimits = .default, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    try assertRefused(archive.bytes(), code, text, limits: limits, file: file, line: line)
  }

  /// Asserts that opening or verifying the bytes of a file fails with a code.
  func assertRefused(
    _ bytes: [UInt8], _ code: ArchiveError.Code, _ text: String? = nil, limits: ArchiveLimits = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    assertThrows(code, text, file: file, line: line) {
      try ArchiveFile(bytes: bytes, limits: limits).verify()
    }
  }

  /// Returns a column chunk of one-byte values.
  func chunk(_ values: [UInt8]) -> [UInt8] { HandMadeArchive.chunk(values) }

  /// Returns the value of the only root of an archive with one column.
  func root(_ type: String, _ chunks: [UInt8]..., limits: ArchiveLimits = .default) throws -> ArchiveValue? {
    let bytes = try HandMadeArchive(rootTypes: [type], chunks: chunks).bytes()
    let file = try ArchiveFile(verifying: bytes, limits: limits)
    return try file.roots()["root0"]
  }
}
