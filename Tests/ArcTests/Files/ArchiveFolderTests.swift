import Arc
import ArcTestSupport
import ArcTesting
import XCTest

/// A check of a folder with files of released versions: all files can be read, or one error lists the
/// unreadable files with reasons.
final class ArchiveFolderTests: FolderTestCase {
  private let unarchiver = Unarchiver(classes: ClassTable(scope: .declared))

  private func write(_ root: some ArchivableValue, _ name: String) throws {
    let url = url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Archiver().write(root, to: url)
  }

  private func failure(reading: Bool = false, line: UInt = #line) throws -> ArchiveFolderError {
    var thrown: (any Error)?
    XCTAssertThrowsError(
      try unarchiver.check(archivesIn: directory, for: Sheet.self, reading: reading), line: line
    ) { thrown = $0 }
    return try XCTUnwrap(thrown as? ArchiveFolderError, "\(thrown as Any)", line: line)
  }

  func testReadableFilesCauseNoError() throws {
    try write(Sheet(), "new.arc")
    try write(OldSheet(), "v1/deeper/old.arc")
    try Data("no archive".utf8).write(to: url("notes.txt"))
    try FileManager.default.createDirectory(at: url("bundle.arc"), withIntermediateDirectories: true)
    XCTAssertNoThrow(try unarchiver.check(archivesIn: directory, for: Sheet.self))
    XCTAssertNoThrow(try unarchiver.check(archivesIn: directory, for: Sheet.self, reading: true))
  }

  func testAllUnreadableFilesAreReportedTogether() throws {
    try write(Sheet(), "b/good.arc")
    try write(OtherSheet(), "a/other.arc")
    try Data("no archive".utf8).write(to: url("z.arc"))
    try write(5, "c.arc")
    let failure = try failure()
    XCTAssertEqual(failure.failures.map(\.name), ["a/other.arc", "c.arc", "z.arc"])
    XCTAssertEqual(failure.failures.map { $0.differences.map(\.key) }, [["width"], ["root"], []])
    XCTAssertEqual(
      "\(failure)",
      """
      3 of 4 archives in '\(directory.path)' cannot be read
      a/other.arc
        refused: class 'Sheet', key 'width': the file has type 'Set<String>' (encoding '$<@"NSString">'), the program \
      has type 'Int8' (encoding 'c'); keep the type, or give the property another key with @Key
      c.arc
        refused: root 'root': the file has type 'Int' (encoding 'q'), the program has type 'Sheet' (encoding '@"Sheet"'); \
      read the root as the type that was archived
      z.arc
        \(failure.failures[2].error.map { "\($0)" } ?? "")
      """)
    XCTAssertEqual((failure.failures[2].error as? ArchiveError)?.code, .notAnArchive)
  }

  func testValueOverflowIsFoundOnlyByReading() throws {
    try write(OldSheet(width: 300), "large.arc")
    XCTAssertNoThrow(try unarchiver.check(archivesIn: directory, for: Sheet.self))
    let failure = try failure(reading: true)
    XCTAssertEqual(failure.failures.map(\.name), ["large.arc"])
    XCTAssertEqual((failure.failures.first?.error as? ArchiveError)?.code, .valueOutOfRange)
  }

  func testFolderWithoutArchivesIsAnError() throws {
    assertThrows(.fileSystem, "no .arc file in '\(directory.path)'") {
      try unarchiver.check(archivesIn: directory, for: Sheet.self)
    }
    assertThrows(.fileSystem, url("missing").path) {
      try unarchiver.check(archivesIn: url("missing"), for: Sheet.self)
    }
    try write(Sheet(), "file.arc")
    assertThrows(.fileSystem) { try unarchiver.check(archivesIn: url("file.arc"), for: Sheet.self) }
  }
}

@Archivable("Sheet") private final class Sheet { var width: Int8 = 1 }
@Archivable("Sheet") private final class OldSheet {
  var width: Int
  init(width: Int = 1) { self.width = width }
}
@Archivable("Sheet") private final class OtherSheet { var width: Set<String> = [] }
