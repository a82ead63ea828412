import Arc
import ArcArchive
import ArcFormat
import XCTest

/// Unknown content of migrated objects is preserved, unless the migration changes it.
final class MigratedContentTests: XCTestCase {
  private let content = PreservedContent()

  /// Returns the archive of the newer release's document, after a release that lacks some of its properties
  /// migrated and saved it.
  private func passed(_ folder: OldRelease.Folder) throws -> [UInt8] {
    try saved(Archiver().archive(folder))
  }

  private func saved(
    _ bytes: [UInt8], _ change: (PlainRelease.Folder) -> Void = { _ in }
  ) throws -> [UInt8] {
    try content.saved(
      bytes, as: PlainRelease.Folder.self, with: Unarchiver(classes: ClassTable(scope: .declared))
    ) { change($0) }
  }

  private func folder(_ change: (OldRelease.Line) -> Void) -> OldRelease.Folder {
    let folder = OldRelease.Folder()
    folder.lines = [OldRelease.Line(), OldRelease.Line()]
    change(folder.lines[0])
    return folder
  }

  private func readAgain(_ bytes: [UInt8]) throws -> FullRelease.Folder {
    try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(FullRelease.Folder.self, from: bytes)
  }

  func testMigrationPreservesPropertiesItDoesNotRead() throws {
    let bytes = try passed(
      folder { line in
        (line.tenths, line.note) = (25, "kept")
        line.tag = OldRelease.Tag("tag")
      })
    let lines = try readAgain(bytes).lines
    XCTAssertEqual(lines.map(\.points), [2.5, 1])
    XCTAssertEqual(lines.map(\.note), ["kept", ""])
    XCTAssertEqual(lines.map { $0.tag?.text }, ["tag", nil])
  }

  func testPropertyRemovedByAMigrationStaysRemoved() throws {
    let bytes = try passed(folder { $0.secret = "gone" })
    let file = try ArchiveFile(bytes: bytes)
    let lines = try file.value(atPath: "root.lines").value.elements?.compactMap(\.objectID) ?? []
    XCTAssertEqual(lines.count, 2)
    XCTAssertNil(try file.object(lines[0])["secret"])
    XCTAssertNil(try file.object(lines[0])["tenths"])
    // The second object preserves its value, because the migration removes the value only if it is set.
    XCTAssertEqual(try file.object(lines[1])["secret"]?.string, "")
  }

  func testUnknownCaseInAMigratedObjectIsPreserved() throws {
    let bytes = try passed(
      folder { line in
        (line.ends, line.shape) = ([.flat, .pointed(3), .flat], .pointed(5))
      })
    let line = try readAgain(bytes).lines[0]
    XCTAssertEqual(line.ends, [.flat, .pointed(3), .flat])
    XCTAssertEqual(line.shape, .pointed(5))
  }

  func testPreservedOutdatedObjectIsMigratedWhenRead() throws {
    let folder = folder { _ in }
    let line = OldRelease.Line()
    line.tenths = 70
    folder.spare = line
    let bytes = try passed(folder)
    let found = try readAgain(bytes)
    XCTAssertEqual(found.spare?.points, 7)
    XCTAssertEqual(found.lines.map(\.points), [1, 1])
    // The object is migrated again, because it still has the old version.
    XCTAssertEqual(try readAgain(saved(bytes)).spare?.points, 7)
  }

  func testChangedPropertyOfAMigratedObjectIsSaved() throws {
    let bytes = try saved(Archiver().archive(folder { $0.ends = [.flat, .pointed(1)] })) { read in
      (read.lines[0].points, read.lines[0].shape) = (9, .flat)
      read.lines[0].ends.append(.flat)
    }
    let line = try readAgain(bytes).lines[0]
    XCTAssertEqual(line.points, 9)
    XCTAssertEqual(line.ends, [.flat, .pointed(1), .flat])
    XCTAssertEqual(line.shape, .flat)
  }
}

/// The release whose files are migrated.
private enum OldRelease {
  @Archivable("Migrated.Tag") final class Tag {
    var text: String
    init(_ text: String) { self.text = text }
  }
  @Archivable("Migrated.End") enum End: Hashable {
    case flat
    case pointed(Int)
  }
  @Archivable("Migrated.Line") final class Line {
    var tenths = 10
    var secret = ""
    var note = ""
    var tag: Tag?
    var ends: [End] = []
    var shape = End.flat
    init() {}
  }
  @Archivable("Migrated.Folder") final class Folder {
    var lines: [Line] = []
    var spare: Line?
    init() {}
  }
}

/// A newer release without some plug-in.
private enum PlainRelease {
  @Archivable("Migrated.End") enum End: Hashable { case flat }
  @Archivable("Migrated.Line") final class Line {
    static let archiveVersion = 1
    var points = 0.0
    var ends: [End] = []
    var shape = End.flat
    init() {}
    static func migrate(_ line: inout MigratedObject, from version: Int) {
      if let tenths = line["tenths"]?.int { line["points"] = .double(Double(tenths) / 10) }
      line["tenths"] = nil
      if line["secret"]?.string != "" { line["secret"] = nil }
    }
  }
  @Archivable("Migrated.Folder") final class Folder {
    var lines: [Line] = []
    init() {}
  }
}

/// The newer release with the plug-in.
private enum FullRelease {
  @Archivable("Migrated.Tag") final class Tag {
    var text: String
    init(_ text: String) { self.text = text }
  }
  @Archivable("Migrated.End") enum End: Hashable {
    case flat
    case pointed(Int)
  }
  @Archivable("Migrated.Line") final class Line {
    static let archiveVersion = 1
    var points = 0.0
    var note = "none"
    var tag: Tag?
    var ends: [End] = []
    var shape = End.flat
    init() {}
    static func migrate(_ line: inout MigratedObject, from version: Int) {
      if let tenths = line["tenths"]?.int { line["points"] = .double(Double(tenths) / 10) }
      line["tenths"] = nil
    }
  }
  @Archivable("Migrated.Folder") final class Folder {
    var lines: [Line] = []
    var spare: Line?
    init() {}
  }
}
