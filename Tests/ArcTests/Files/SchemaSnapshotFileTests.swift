import Arc
import ArcTestSupport
import ArcTesting
import XCTest

/// A schema snapshot in a file. After it is written, each change of the schema is an error until it is
/// accepted.
final class SchemaSnapshotFileTests: FolderTestCase {
  private var file: URL { url("Note.schema") }

  private func check<Note: ArchivableValue>(
    _ type: Note.Type, accepting: SchemaSnapshot.Acceptance = .nothing
  ) throws {
    try SchemaSnapshot.check(type, against: file, classes: ClassTable(scope: .declared), accepting: accepting)
  }

  private func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  private func error(_ body: () throws -> Void, line: UInt = #line) throws -> SchemaSnapshotError {
    try XCTUnwrap(assertThrows(SchemaSnapshotError.self, line: line, body), line: line)
  }

  func testFirstCheckWritesAndReportsTheSchemaSnapshot() throws {
    let first = try error { try check(FirstNote.self) }
    XCTAssertEqual(first.code, .recorded)
    XCTAssertEqual(
      "\(first)",
      "recorded: found no snapshot of the schema, so the snapshot was written now, expected a snapshot under version control (file '\(file.path)'); "
        + "review the file and commit it")
    XCTAssertEqual(
      try text(),
      """
      Arc schema 1

      root root: Note | @"Note"

      class Note
        title: String | default | @"NSString"
        size: Int32 | default | i

      """)
    XCTAssertNoThrow(try check(FirstNote.self))
  }

  func testAcceptedFirstSnapshotIsNotAnError() throws {
    XCTAssertNoThrow(try check(FirstNote.self, accepting: .compatibleChanges))
    XCTAssertNoThrow(try check(FirstNote.self))
  }

  func testCompatibleChangeIsReportedUntilItIsAccepted() throws {
    try check(FirstNote.self, accepting: .allChanges)
    let before = try text()
    let change = try error { try check(WiderNote.self) }
    XCTAssertEqual(change.code, .compatibleChange)
    XCTAssertEqual(
      "\(change)",
      """
      compatibleChange: found a changed schema that can read all files of the old schema, expected the schema in the snapshot \
      (file '\(file.path)'); if the change is intended, run `ARC_REWRITE_SNAPSHOTS=1 swift test`
        class Note
      -   size: Int32 | default | i
      +   size: Int | default | q
      +   colour: String? | optional | $?@"NSString"
      converted: class 'Note', key 'size': the file has type 'Int32' (encoding 'i'), the program has type 'Int' (encoding 'q')
      compatible: class 'Note', key 'colour': the file has no property 'colour', the program has type 'String?' \
      (encoding '$?@"NSString"'), which becomes nil
      """)
    XCTAssertEqual(try text(), before, "nothing is written")
    try check(WiderNote.self, accepting: .compatibleChanges)
    XCTAssertNoThrow(try check(WiderNote.self))
  }

  func testBreakingChangeIsReportedWithARemedy() throws {
    try check(FirstNote.self, accepting: .allChanges)
    let change = try error { try check(BrokenNote.self) }
    XCTAssertEqual(change.code, .breakingChange)
    XCTAssertEqual(
      "\(change)",
      """
      breakingChange: found a changed schema that cannot read all files of the old schema, expected the schema in the snapshot \
      (file '\(file.path)'); fix the refused changes, or run `ARC_REWRITE_SNAPSHOTS=breaking swift test` to stop supporting those files
        class Note
      -   title: String | default | @"NSString"
      -   size: Int32 | default | i
      +   title: Date | default | @"NSDate"
      +   size: [Int: Int] | default | $<q:q>
      +   author: String | let, required | @"NSString"
      refused: class 'Note', key 'size': the file has type 'Int32' (encoding 'i'), the program has type '[Int: Int]' \
      (encoding '$<q:q>'); keep the type, or give the property another key with @Key
      refused: class 'Note', key 'author': the file has no property 'author', the program has type 'String' (encoding \
      '@"NSString"'); give the property an initial value, or add its old name with @Key("new", "old")
      checked: class 'Note', key 'title': the file has type 'String' (encoding '@"NSString"'), the program has type 'Date' \
      (encoding '@"NSDate"')
      """)
  }

  func testBreakingChangeIsAcceptedOnlyExplicitly() throws {
    try check(FirstNote.self, accepting: .allChanges)
    XCTAssertEqual(
      try error { try check(BrokenNote.self, accepting: .compatibleChanges) }.code, .breakingChange)
    try check(BrokenNote.self, accepting: .allChanges)
    XCTAssertNoThrow(try check(BrokenNote.self))
  }

  func testBreakingChangeWithMigrationIsCompatible() throws {
    try check(FirstNote.self, accepting: .compatibleChanges)
    let change = try error { try check(MigratingNote.self) }
    XCTAssertEqual(change.code, .compatibleChange)
    XCTAssertEqual(
      change.differences.map { "\($0)" },
      [
        "checked: class 'Note': the file has version 0 of the class, the program has version 2 of the class; "
          + "its migrate(_:from:) converts objects of older versions"
      ])
    try check(MigratingNote.self, accepting: .compatibleChanges)
    XCTAssertNoThrow(try check(MigratingNote.self))
    // A version without `migrate` has no effect.
    try check(FirstNote.self, accepting: .allChanges)
    XCTAssertEqual(try error { try check(VersionedNote.self) }.code, .breakingChange)
  }

  func testPropertyReorderingIsReportedAsCompatible() throws {
    try check(FirstNote.self, accepting: .allChanges)
    let change = try error { try check(ReorderedNote.self) }
    XCTAssertEqual(change.code, .compatibleChange)
    XCTAssertEqual(change.differences, [])
    XCTAssertEqual(change.changedLines.count, 3)
  }

  func testMalformedSnapshotIsReportedWithFileAndLine() throws {
    try Data("Arc schema 1\n<<<<<<< HEAD\n".utf8).write(to: file)
    let failure = try error { try check(FirstNote.self) }
    XCTAssertEqual(failure.code, .malformedText)
    XCTAssertEqual(failure.line, 2)
    XCTAssertEqual(failure.filePath, file.path)
    try Data([0xFF]).write(to: file)
    XCTAssertEqual(try error { try check(FirstNote.self) }.code, .malformedText)
    try check(FirstNote.self, accepting: .allChanges)
    XCTAssertNoThrow(try check(FirstNote.self))
  }

  func testErrorNamesTheUnwritableSnapshotFile() throws {
    XCTAssertEqual(
      try error { try SchemaSnapshot.check(FirstNote.self, against: url("new/folder/Note.schema")) }.code,
      .recorded, "the folder is made")
    let missing = url("new/folder/Note.schema/Note.schema")
    XCTAssertThrowsError(try SchemaSnapshot.check(FirstNote.self, against: missing)) {
      XCTAssertEqual(($0 as? ArchiveError)?.code, .fileSystem)
      XCTAssertTrue("\($0)".contains(missing.path), "\($0)")
    }
    XCTAssertThrowsError(
      try SchemaSnapshot.check(FirstNote.self, against: XCTUnwrap(URL(string: "https://a.b/c"))))
  }
}

@Archivable("Note") private final class FirstNote {
  var title = ""
  var size: Int32 = 0
}
@Archivable("Note") private final class WiderNote {
  var title = ""
  var size = 0
  var colour: String?
}
@Archivable("Note") private final class BrokenNote {
  var title = Date()
  var size: [Int: Int] = [:]
  let author: String
  init(author: String) { self.author = author }
}
@Archivable("Note") private final class MigratingNote {
  static let archiveVersion = 2
  var title = ""
  var size: [Int: Int] = [:]
  static func migrate(_ note: inout MigratedObject, from version: Int) throws {
    note["size"] = .dictionary([])
  }
}
@Archivable("Note") private final class VersionedNote {
  static let archiveVersion = 2
  var title = ""
  var size: [Int: Int] = [:]
}
@Archivable("Note") private final class ReorderedNote {
  var size: Int32 = 0
  var title = ""
}
