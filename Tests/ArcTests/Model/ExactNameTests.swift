import Arc
import ArcArchive
import ArcFormat
import ArcRuntime
import ArcTestSupport
import XCTest

/// Two names that look equal, and that Swift finds equal, are different names in a file if their bytes
/// differ.
final class ExactNameTests: XCTestCase {
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  func testRootNamesAreDistinguishedByBytes() throws {
    let bytes = try Archiver().archive(roots: ["\u{E9}": 1, "e\u{301}": 2])
    try ArchiveFile(bytes: bytes).verify()
    let roots = try Unarchiver().unarchive(
      roots: .init(composed, Int.self), .init(decomposed, Int.self), from: bytes)
    XCTAssertEqual(roots.0, 1)
    XCTAssertEqual(roots.1, 2)
    let one = try Archiver().archive(roots: ["\u{E9}": 1])
    assertThrows(.missingRoot) { try Unarchiver().unarchive(Int.self, from: one, root: self.decomposed) }
  }

  func testReusedEncoderWritesRootNamesOfEachCall() throws {
    func key(_ roots: KeyValuePairs<String, any ArchivableValue>) throws -> [UInt8] {
      try Array(ArchiveFile(bytes: Archiver().archive(roots: roots)).classes[0].columns[0].key.utf8)
    }
    for _ in 0..<2 {
      XCTAssertEqual(try key(["\u{E9}": 1]), Array(composed.utf8))
      XCTAssertEqual(try key(["e\u{301}": 1]), Array(decomposed.utf8))
    }
  }

  func testHandWrittenAndGeneratedKeysDistinguishUnicodeForms() throws {
    let scribe = Scribe {
      try $0.encode(1, forKey: "\u{E9}")
      try $0.encode(2, forKey: "e\u{301}")
    }
    let bytes = try Archiver().archive(scribe)
    try ArchiveFile(bytes: bytes).verify()
    nonisolated(unsafe) var read: [Int] = []
    Scribe.read = {
      read = [try $0.decode(Int.self, forKey: "\u{E9}"), try $0.decode(Int.self, forKey: "e\u{301}")]
    }
    _ = try Unarchiver().unarchive(Scribe.self, from: bytes)
    Scribe.read = { _ in }
    XCTAssertEqual(read, [1, 2])
    let accents = Accents()
    accents.first = 3
    accents.second = 4
    let copy = try roundTrip(accents)
    XCTAssertEqual([copy.first, copy.second, copy.fields.first, copy.fields.second], [3, 4, 5, 6])
  }

  func testClassNamesAreDistinguishedByBytes() throws {
    let copy = try roundTrip([AccentA(), AccentB()] as [AccentBase], classes: [AccentA.self, AccentB.self])
    XCTAssertTrue(copy[0] is AccentA)
    XCTAssertTrue(copy[1] is AccentB)
    let table = try ClassTable(registering: [AccentA.self, AccentB.self])
    XCTAssertTrue(table.classType(named: composed) == AccentA.self)
    XCTAssertTrue(table.classType(named: decomposed) == AccentB.self)
  }

  func testQualifiedKeysDistinguishClassesByBytes() throws {
    let gate = AccentGate()
    XCTAssertEqual(try gate.value(forKey: "\u{E9}.width", as: Int.self), 3)
    XCTAssertEqual(try gate.value(forKeyPath: "\u{E9}.width", as: Int.self), 3)
    for read in [gate.value(forKey:), gate.value(forKeyPath:)] {
      XCTAssertEqual(assertThrows(KeyAccessError.self) { try read("e\u{301}.width") }?.code, .unknownKey)
    }
  }

  func testBuilderDistinguishesNamesByBytes() throws {
    let builder = try ArchiveBuilder(roots: [.init(composed, type: "q"), .init(decomposed, type: "q")])
    try builder.addClass(composed, properties: [.init(composed, type: "q"), .init(decomposed, type: "q")])
    try builder.addClass(decomposed, properties: [])
    let id = try builder.addObject(ofClass: composed, ["\u{E9}": .integer(1), "e\u{301}": .integer(2)])
    try builder.setRoots(["\u{E9}": .integer(3), "e\u{301}": .integer(4)])
    let file = try ArchiveFile(verifying: builder.finish())
    XCTAssertEqual(try file.object(id)[decomposed], .integer(2))
    XCTAssertEqual(try file.object(id)[composed], .integer(1))
    XCTAssertEqual(try file.roots()[decomposed], .integer(4))
    XCTAssertEqual(try file.rows(ofClass: composed).column(decomposed, as: Int.self), [2])
    XCTAssertEqual(try file.rowCount(ofClass: decomposed), 0)
  }
}

@Archivable private final class Accents {
  @Key("\u{E9}") var first = 1
  @Key("e\u{301}") var second = 2
  var fields = AccentFields()
  init() {}
}

@Archivable private struct AccentFields {
  @Key("\u{E9}") var first = 5
  @Key("e\u{301}") var second = 6
}

@Archivable private class AccentBase { init() {} }

@Archivable("\u{E9}") private final class AccentA: AccentBase {
  override init() { super.init() }
}

@Archivable("e\u{301}") private final class AccentB: AccentBase {
  override init() { super.init() }
}

@Archivable("\u{E9}") private final class AccentGate {
  var width = 3
}
