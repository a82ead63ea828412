import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The change from hand-written to generated coding and back: nil, values, and keys without a value.
final class KeyedNilTests: XCTestCase {
  private func write(_ body: @escaping Scribe.Write) throws -> [UInt8] {
    try Archiver().archive([NilByHand(body), NilByHand { _ in }])
  }

  private func read(_ bytes: [UInt8]) throws -> [NilByMacro] {
    try Unarchiver().unarchive([NilByMacro].self, from: bytes)
  }

  func testArchivedNilReplacesTheInitialValue() throws {
    let bytes = try write {
      try $0.encode(Int?.none, forKey: "count")
      try $0.encode(Int?.none, forKey: "level")
      try $0.encode(String?.none, forKey: "note")
      try $0.encode(NilMood?.none, forKey: "mood")
      try $0.encode([Int]?.none, forKey: "marks")
      try $0.encode(NilPlace?.none, forKey: "place")
      try $0.encode(NilByHand?.none, forKey: "next")
      try $0.encode([NilByHand]?.none, forKey: "friends")
    }
    let copies = try read(bytes)
    XCTAssertNil(copies[0].count)
    XCTAssertNil(copies[0].level, "nil was archived")
    XCTAssertNil(copies[0].note)
    XCTAssertNil(copies[0].mood)
    XCTAssertNil(copies[0].marks)
    XCTAssertNil(copies[0].place)
    XCTAssertNil(copies[0].next)
    XCTAssertNil(copies[0].friends)
    XCTAssertNil(copies[1].count)
    XCTAssertEqual(copies[1].level, 5, "nothing was archived")
    XCTAssertEqual(copies[1].note, "none")
    XCTAssertEqual(copies[1].marks, [1])
    XCTAssertNil(copies[1].friends)
  }

  func testHandWrittenValuesAreReadAsOptionals() throws {
    let bytes = try write {
      try $0.encode(Int?.some(3), forKey: "count")
      try $0.encode(Int8(4), forKey: "level")
      try $0.encode("n", forKey: "note")
      try $0.encode(NilMood?.some(.high), forKey: "mood")
      try $0.encode(Set([7]), forKey: "marks")
      try $0.encode(NilPlace?.some(NilPlace(name: nil, size: 2)), forKey: "place")
      try $0.encode([NilByHand]?.some([NilByHand { _ in }]), forKey: "friends")
    }
    let copy = try read(bytes)[0]
    XCTAssertEqual(copy.count, 3)
    XCTAssertEqual(copy.level, 4)
    XCTAssertEqual(copy.note, "n")
    XCTAssertEqual(copy.mood, .high)
    XCTAssertEqual(copy.marks, [7])
    XCTAssertEqual(copy.place?.size, 2)
    XCTAssertEqual(copy.friends?.map(\.level), [5])
  }

  func testErrorReportsNonOptionalPropertyReadAsNil() throws {
    let bytes = try write { try $0.encode(Int?.none, forKey: "size") }
    assertThrows(.valueOutOfRange, "key 'size'") { try read(bytes) }
    let present = try write { try $0.encode(Int?.some(8), forKey: "size") }
    XCTAssertEqual(try read(present).map(\.size), [8, 2])
  }

  func testHandWrittenCodeReadsNilOfGeneratedCode() throws {
    let written = NilByMacro()
    (written.level, written.marks) = (nil, nil)
    let byMacro = try Archiver().archive([written])
    let byHand = try write {
      try $0.encode(Int?.none, forKey: "level")
      try $0.encode([Int]?.none, forKey: "marks")
      try $0.encode(NilByHand?.none, forKey: "next")
    }
    for bytes in [byMacro, byHand] {
      NilByHand.read = { decoder in
        guard try decoder.contains("level") else { return }
        XCTAssertNil(try decoder.decodeIfPresent(Int.self, forKey: "level"))
        XCTAssertNil(try decoder.decode(Int?.self, forKey: "level"))
        XCTAssertNil(try decoder.decodeIfPresent(Int.self, forKey: "absent"))
        XCTAssertNil(try decoder.decodeIfPresent([Int].self, forKey: "marks"))
        assertThrows(.valueOutOfRange) { try decoder.decode(Int.self, forKey: "level") }
      }
      _ = try Unarchiver().unarchive([NilByHand].self, from: bytes)
      NilByHand.read = { _ in }
    }
  }

  func testCheckReportsNoConversionForOptionals() throws {
    let bytes = try write {
      try $0.encode(Int?.none, forKey: "count")
      try $0.encode(Int8(4), forKey: "level")
    }
    let differences = try Unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: [NilByMacro].self)
    XCTAssertEqual(differences.filter { $0.effect > .converted }.map(\.description), [])
  }

  func testNilAndMissingStayDistinctAcrossSegments() throws {
    let objects = (0..<900).map { index in
      NilByHand { encoder in
        try encoder.encode(String(repeating: "\(index) ", count: 900), forKey: "text")
        if index % 3 == 0 { try encoder.encode(index % 2 == 0 ? Int?.none : index, forKey: "level") }
      }
    }
    let bytes = try Archiver().archive(objects)
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.count { $0.kind == .rows }, 1)
    let copies = try read(bytes)
    XCTAssertEqual(copies.map(\.level), (0..<900).map { $0 % 3 == 0 ? ($0 % 2 == 0 ? nil : $0) : 5 })
  }
}

private enum NilMood: String, ArchivableValue { case low, high }

@Archivable("NilPlace") private struct NilPlace {
  var name: String?
  var size = 0
}

/// A class whose coding is closures of a test.
private final class NilByHand: HandWrittenClass {
  class var archiveSchema: ClassSchema { ClassSchema(NilByHand.self, name: "NilRecord") }
  nonisolated(unsafe) static var read: (borrowing ObjectDecoder) throws -> Void = { _ in }
  let write: Scribe.Write
  init(_ write: @escaping Scribe.Write) { self.write = write }
  init(from decoder: borrowing ObjectDecoder) throws {
    write = { _ in }
    try Self.read(decoder)
  }
  func encode(to encoder: borrowing ObjectEncoder) throws { try write(encoder) }
}

@Archivable("NilRecord") private final class NilByMacro {
  var count: Int?
  var level: Int? = 5
  var note: String? = "none"
  var mood: NilMood?
  var marks: [Int]? = [1]
  var place: NilPlace?
  var next: NilByMacro?
  var friends: [NilByMacro]?
  var size = 2
  init() {}
}
