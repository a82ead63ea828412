import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

final class KeyedCodingTests: XCTestCase {
  func testObjectsOfOneClassMayHaveDifferentKeys() throws {
    let first = Contact("First")
    let second = Contact("Second")
    let third = Contact("Third")
    first.extras = ["phone": "1"]
    second.extras = ["mail": "2", "fax": "3"]
    first.next = second
    second.next = third
    third.next = first
    second.previous = first
    let copy = try roundTrip(first)
    XCTAssertEqual(copy.name, "First")
    XCTAssertEqual(copy.extras, ["phone": "1"])
    XCTAssertEqual(copy.next?.extras, ["mail": "2", "fax": "3"])
    XCTAssertEqual(copy.next?.next?.extras, [:])
    XCTAssertTrue(copy.next?.next?.next === copy)
    XCTAssertTrue(copy.next?.previous === copy)
    XCTAssertNil(copy.previous)
    try ObjectGraph.release(copy)
    try ObjectGraph.release(first)
  }

  func testEncodingAKeyTwiceIsAnError() throws {
    assertThrows(.duplicateKey, "twice") {
      try Archiver().archive(
        Scribe {
          try $0.encode(1, forKey: "twice")
          try $0.encode("x", forKey: "twice")
        })
    }
  }

  func testMissingKeyAndWrongTypeAreReported() throws {
    let bytes = try Archiver().archive(Scribe { try $0.encode(1, forKey: "number") })
    Scribe.read = { _ = try $0.decode(Int.self, forKey: "other") }
    assertThrows(.missingKey, "class 'Scribe', key 'other', object #1") {
      try Unarchiver().unarchive(Scribe.self, from: bytes)
    }
    Scribe.read = { _ = try $0.decode(String.self, forKey: "number") }
    assertThrows(.typeMismatch, "key 'number'") { try Unarchiver().unarchive(Scribe.self, from: bytes) }
    Scribe.read = {
      XCTAssertEqual(try $0.decode(Int128.self, forKey: "number"), 1)
      XCTAssertNil(try $0.decodeIfPresent(Int.self, forKey: "other"))
      XCTAssertNil(try $0.decode(Int?.self, forKey: "other"))
      XCTAssertEqual(try $0.decode(Int?.self, forKey: "number"), 1)
    }
    _ = try Unarchiver().unarchive(Scribe.self, from: bytes)
    Scribe.read = { _ in }
  }

  func testNilIsDistinguishedFromAMissingKey() throws {
    let bytes = try Archiver().archive(Scribe { try $0.encode(Int?.none, forKey: "nil") })
    Scribe.read = {
      XCTAssertTrue(try $0.contains("nil"))
      XCTAssertFalse(try $0.contains("absent"))
    }
    _ = try Unarchiver().unarchive(Scribe.self, from: bytes)
    Scribe.read = { _ in }
  }

  func testObjectDecodedInAnInitializerIsBuiltFirst() throws {
    let bytes = try Archiver().archive(Scribe { try $0.encode(ChainNode(1), forKey: "node") })
    Scribe.read = {
      let node = try $0.decode(ChainNode.self, forKey: "node")
      XCTAssertEqual(node.value, 1)
    }
    _ = try Unarchiver(classes: ClassTable(registering: [ChainNode.self])).unarchive(Scribe.self, from: bytes)
    let node = ChainNode(7)
    let early = try Archiver().archive(Scribe { try $0.encode(node, forKey: "node", during: .construction) })
    Scribe.read = { XCTAssertEqual(try $0.decode(ChainNode.self, forKey: "node").value, 7) }
    _ = try Unarchiver(classes: ClassTable(registering: [ChainNode.self])).unarchive(Scribe.self, from: early)
    Scribe.read = { _ in }
  }

  func testGeneratedCodeReadsKeysAddedInLaterSegments() throws {
    var scribes = (0..<400).map { index in
      Scribe { try $0.encode(String(repeating: "\(index) ", count: 2000), forKey: "text") }
    }
    scribes.append(Scribe { try $0.encode("x", forKey: "late") })
    let bytes = try Archiver().archive(scribes)
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.count { $0.kind == .rows }, 1)
    let copies = try Unarchiver().unarchive([WrittenScribe].self, from: bytes)
    XCTAssertEqual(copies.map(\.late), [String?](repeating: nil, count: 400) + ["x"])
    XCTAssertEqual(copies.filter { $0.text == nil }.count, 1)
  }

  func testHandWrittenCodeReadsFilesOfGeneratedCode() throws {
    let notes = (0..<100).map { WrittenNote("\($0)", count: $0 % 3 == 0 ? nil : $0) }
    for (index, note) in notes.enumerated() {
      note.next = notes[(index + 1) % notes.count]
      note.first = notes[0]
      note.tags = ["a\(index)", "b"]
    }
    let copies = try reread(notes, as: [NoteByHand].self)
    for (index, copy) in copies.enumerated() {
      XCTAssertEqual(copy.title, "\(index)")
      XCTAssertEqual(copy.count, index % 3 == 0 ? nil : Double(index))
      XCTAssertTrue(copy.next === copies[(index + 1) % copies.count] && copy.first === copies[0])
      XCTAssertEqual(copy.tags, ["a\(index)", "b"])
      XCTAssertFalse(copy.hasColour)
    }
    for object in notes { object.next = nil }
    for object in copies { object.next = nil }
  }

  func testUnreadableValueDoesNotShiftOtherRows() throws {
    let marks = try reread(
      (0..<8).map { WrittenMark($0 == 1 ? .other(9) : .place($0, -$0)) }, as: [MarkByHand].self)
    for (index, mark) in marks.enumerated() {
      if case .place(let x, _)? = mark.kind { XCTAssertEqual(x, index) }
    }
    XCTAssertNil(marks[1].kind)
  }

  func testHandWrittenSuperclassReadsOnlyItsOwnKeys() throws {
    let copy = try reread([WrittenLabel("a", size: 2)], as: [LabelOverHand].self)[0]
    XCTAssertEqual(copy.text, "a")
    XCTAssertEqual(copy.size, 2)
    XCTAssertNil(copy.sizeByHand, "the property reads it")
  }

  func testKeysAddedInLaterSegmentsAreRead() throws {
    let node = ChainNode(3)
    var scribes = (0..<400).map { index in
      Scribe { try $0.encode(String(repeating: "\(index) ", count: 2000), forKey: "text") }
    }
    scribes.append(Scribe { try $0.encodeWeak(node, forKey: "weak") })
    scribes.append(Scribe { try $0.encode(node, forKey: "strong") })
    let bytes = try Archiver().archive(scribes)
    let file = try ArchiveFile(bytes: bytes)
    XCTAssertGreaterThan(file.segments.count { $0.kind == .rows }, 1)
    try file.verify()
    Scribe.read = { decoder in
      let keys = try ["text", "weak", "strong"].filter { try decoder.contains($0) }
      XCTAssertEqual(keys.count, 1)
    }
    let copy = try Unarchiver(classes: ClassTable(registering: [ChainNode.self])).unarchive(
      [Scribe].self, from: bytes)
    XCTAssertEqual(copy.count, 402)
    Scribe.read = { _ in }
  }

  func testFailedHandWrittenReadReleasesTheGraph() throws {
    let first = Chained()
    let second = Chained()
    (first.strict, first.other) = (second, second)
    (second.strict, second.other) = (first, first)
    first.fails = true
    let bytes = try Archiver().archive(first)
    (first.strict, first.other, second.strict, second.other) = (nil, nil, nil, nil)
    let before = Pulse.living
    XCTAssertThrowsError(try Unarchiver().unarchive(Chained.self, from: bytes))
    XCTAssertEqual(Pulse.living, before)
  }

  /// A key that the superclass's code uses is different from an equal key of a subclass's property. Rule C4
  /// of Spec 03 allows both.
  func testArchivableSubclassOfHandWrittenClassRoundTrips() throws {
    let base = Drawn("base")
    base.child = Colored("child", depth: 3)
    try ArchiveFile(bytes: Archiver().archive(base)).verify()
    let copy = try roundTrip(base, classes: [Colored.self])
    let child = try XCTUnwrap(copy.child as? Colored)
    XCTAssertEqual(child.title, "child")
    XCTAssertEqual(child.depth, 3)
    XCTAssertEqual(child.title2, "own")
  }
}

/// A class whose coding is closures of a test.
final class Scribe: HandWrittenClass {
  typealias Write = (borrowing ObjectEncoder) throws -> Void
  nonisolated(unsafe) static var read: (borrowing ObjectDecoder) throws -> Void = { _ in }
  let write: Write
  init(_ write: @escaping Write) { self.write = write }
  init(from decoder: borrowing ObjectDecoder) throws {
    write = { _ in }
    try Self.read(decoder)
  }
  func encode(to encoder: borrowing ObjectEncoder) throws { try write(encoder) }
}

class Drawn: Archivable {
  class var archiveSchema: ClassSchema { ClassSchema(Drawn.self, name: "Drawn") }
  let title: String
  var child: Drawn?
  init(_ title: String) { self.title = title }
  required init(from decoder: borrowing ObjectDecoder) throws {
    title = try decoder.decode(String.self, forKey: "title")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(title, forKey: "title")
    try encoder.encode(child, forKey: "child")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    child = try decoder.decode(Drawn?.self, forKey: "child")
  }
}

@Archivable final class Colored: Drawn {
  var depth: Int
  @Key("title") var title2 = "own"
  init(_ title: String, depth: Int) {
    self.depth = depth
    super.init(title)
  }
}

/// A class that decodes a required link, then an optional link.
final class Chained: Archivable, UnarchiveFinishing {
  struct Failure: Error {}
  weak var strict: Chained?
  var other: Chained?
  var fails = false
  private var pulse = Pulse()
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {
    fails = try decoder.decode(Bool.self, forKey: "fails")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(strict, forKey: "strict")
    try encoder.encode(other, forKey: "other")
    try encoder.encode(fails, forKey: "fails")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    strict = try decoder.decode(Chained.self, forKey: "strict")
    other = try decoder.decode(Chained?.self, forKey: "other")
  }
  func didUnarchive(in context: ArchiveContext) throws { if fails { throw Failure() } }
}

@Archivable("Note") private final class WrittenNote {
  let title: String
  var count: Int?
  var next: WrittenNote?
  weak var first: WrittenNote?
  var tags: Set<String> = []
  init(_ title: String, count: Int?) { (self.title, self.count) = (title, count) }
}

private final class NoteByHand: HandWrittenClass {
  let title: String
  let count: Double?
  let tags: [String]
  let hasColour: Bool
  var next: NoteByHand?
  weak var first: NoteByHand?

  init(from decoder: borrowing ObjectDecoder) throws {
    title = try decoder.decode(String.self, forKey: "title")
    count = try decoder.decode(Double?.self, forKey: "count")
    tags = try decoder.decode([String].self, forKey: "tags").sorted()
    hasColour = try decoder.contains("colour")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    next = try decoder.decode(NoteByHand?.self, forKey: "next")
    first = try decoder.decode(NoteByHand?.self, forKey: "first")
  }
  class var archiveSchema: ClassSchema { ClassSchema(NoteByHand.self, name: "Note") }
}

@Archivable("Sign") private class WrittenSign {
  var text: String
  init(_ text: String) { self.text = text }
}
@Archivable("Label") private final class WrittenLabel: WrittenSign {
  var size: Int
  init(_ text: String, size: Int) {
    self.size = size
    super.init(text)
  }
}

private class SignByHand: Archivable {
  let text: String
  let sizeByHand: Int?

  required init(from decoder: borrowing ObjectDecoder) throws {
    text = try decoder.decode(String.self, forKey: "text")
    sizeByHand = try decoder.decodeIfPresent(Int.self, forKey: "size")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {}
  func link(from decoder: borrowing ObjectDecoder) throws {}
  class var archiveSchema: ClassSchema { ClassSchema(SignByHand.self, name: "Sign") }
}
@Archivable("Label") private final class LabelOverHand: SignByHand { var size = 0 }

@Archivable("MarkKind") private enum WrittenMarkKind {
  case place(Int, Int)
  case other(Int)
}
@Archivable("MarkKind") private enum MarkKind { case place(Int, Int) }
@Archivable("Mark") private final class WrittenMark {
  var kind: WrittenMarkKind
  init(_ kind: WrittenMarkKind) { self.kind = kind }
}
private final class MarkByHand: HandWrittenClass {
  let kind: MarkKind?
  init(from decoder: borrowing ObjectDecoder) throws {
    do { kind = try decoder.decode(MarkKind.self, forKey: "kind") } catch { kind = nil }
  }
  class var archiveSchema: ClassSchema { ClassSchema(MarkByHand.self, name: "Mark") }
}

@Archivable("Scribe") private final class WrittenScribe {
  var text: String?
  var late: String?
}
