import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// One error lists everything that a program lacks to read a file.
final class RefusalReasonTests: XCTestCase {
  private func refusal(
    _ body: () throws -> Void, file: StaticString = #filePath, line: UInt = #line
  ) throws -> ArchiveError {
    try XCTUnwrap(assertThrows(ArchiveError.self, file: file, line: line, body), file: file, line: line)
  }

  func testOneErrorListsAllReasonsForRefusal() throws {
    let old = OldCabin()
    old.guests = [Lamp(), Table(), Lamp()]
    let bytes = try Archiver().archive(old)
    let error = try refusal {
      _ = try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(Cabin.self, from: bytes)
    }
    XCTAssertEqual(error.code, .typeMismatch)
    XCTAssertEqual(error.key, "width")
    XCTAssertEqual(
      error.otherReasons.map(\.code), [.typeMismatch, .missingKey, .unknownClass, .unknownClass])
    XCTAssertEqual(error.otherReasons.map(\.key), ["height", "depth", nil, nil])
    XCTAssertEqual(error.otherReasons.map(\.className), ["Cabin", "Cabin", "Lamp", "Table"])
    XCTAssertTrue(error.otherReasons.allSatisfy { $0.otherReasons.isEmpty && $0.omittedReasonCount == 0 })
    XCTAssertEqual(error.omittedReasonCount, 0)
    let lines = "\(error)".split(separator: "\n")
    XCTAssertEqual(lines.count, 5)
    XCTAssertTrue(lines[0].hasPrefix("typeMismatch: found type 'String' (encoding '@\"NSString\"')"))
    XCTAssertTrue(lines[3].hasPrefix("also unknownClass: found 2 objects of class 'Lamp'"), "\(lines[3])")
    // Problems that are fixed are no longer listed.
    let classes = try ClassTable(declaring: Lamp.self)
    let rest = try refusal { _ = try Unarchiver(classes: classes).unarchive(Cabin.self, from: bytes) }
    XCTAssertEqual(rest.otherReasons.map(\.className), ["Cabin", "Cabin", "Table"])
    try classes.register(Table.self)
    XCTAssertEqual(try Unarchiver(classes: classes).unarchive(OldCabin.self, from: bytes).guests.count, 3)
  }

  func testSingleReasonIsReportedWithoutAList() throws {
    let old = OldCabin()
    old.guests = [Table(), Lamp()]
    let error = try refusal {
      let classes = try ClassTable(declaring: Table.self)
      _ = try reread(old, as: OldCabin.self, classes: classes)
    }
    XCTAssertEqual(error.code, .unknownClass)
    XCTAssertEqual(error.otherReasons, [])
    XCTAssertFalse("\(error)".contains("\n"))
    XCTAssertEqual(error.objectPath, "root.guests[1]")
  }

  func testErrorListsAtMostTwentyReasons() throws {
    let bytes = try Archiver().archive([OldWide()])
    let error = try refusal { _ = try Unarchiver().unarchive([Wide].self, from: bytes) }
    XCTAssertEqual(error.otherReasons.count, 19)
    XCTAssertEqual(error.omittedReasonCount, 3)
    XCTAssertEqual([error.key] + error.otherReasons.map(\.key), (0..<20).map { "p\($0)" })
    XCTAssertTrue("\(error)".hasSuffix("\nand 3 more"))
  }

  func testAllUnreadableRootsAreReported() throws {
    let bytes = try Archiver().archive(roots: ["a": "text", "b": 7, "c": [Lamp()]])
    let error = try refusal {
      _ = try Unarchiver().unarchive(
        roots: .init("a", Int.self), .init("b", Int.self), .init("c", [String].self), .init("d", Int.self),
        from: bytes)
    }
    XCTAssertEqual(error.code, .typeMismatch)
    XCTAssertEqual(error.otherReasons.map(\.code), [.typeMismatch, .missingRoot])
    XCTAssertEqual(error.otherReasons.map(\.key), ["c", "d"])
    XCTAssertEqual(error.otherReasons.last?.found, "a file with 3 roots: 'a', 'b', 'c'")
    // Whether 'Lamp' is unknown depends on the type that the program reads instead.
    XCTAssertFalse("\(error)".contains("unknownClass"))
    let roots = try Unarchiver().unarchive(roots: .init("b", Int.self), .init("c", [Lamp].self), from: bytes)
    XCTAssertEqual(roots.0, 7)
    XCTAssertEqual(roots.1.count, 1)
  }
}

@Archivable("Cabin") private final class OldCabin {
  var width = "1"
  var height = "2"
  var guests: [any Archivable] = []
  init() {}
}

@Archivable private final class Cabin {
  var width = 1
  var height: Int?
  var depth: Int
  var guests: [any Archivable] = []
  init() { depth = 3 }
}

@Archivable private final class Lamp {
  init() {}
}

@Archivable private final class Table {
  init() {}
}

@Archivable("Wide") private final class OldWide {
  var p0 = ""
  var p1 = ""
  var p2 = ""
  var p3 = ""
  var p4 = ""
  var p5 = ""
  var p6 = ""
  var p7 = ""
  var p8 = ""
  var p9 = ""
  var p10 = ""
  var p11 = ""
  var p12 = ""
  var p13 = ""
  var p14 = ""
  var p15 = ""
  var p16 = ""
  var p17 = ""
  var p18 = ""
  var p19 = ""
  var p20 = ""
  var p21 = ""
  var p22 = ""
  init() {}
}

@Archivable private final class Wide {
  var p0 = 0
  var p1 = 0
  var p2 = 0
  var p3 = 0
  var p4 = 0
  var p5 = 0
  var p6 = 0
  var p7 = 0
  var p8 = 0
  var p9 = 0
  var p10 = 0
  var p11 = 0
  var p12 = 0
  var p13 = 0
  var p14 = 0
  var p15 = 0
  var p16 = 0
  var p17 = 0
  var p18 = 0
  var p19 = 0
  var p20 = 0
  var p21 = 0
  var p22 = 0
  init() {}
}
