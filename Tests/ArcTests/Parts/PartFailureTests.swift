import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Parts that cannot be read, and the session after a failure.
final class PartFailureTests: XCTestCase {
  private func session(_ root: some ArchivableValue, _ options: Unarchiver = Unarchiver()) throws
    -> LazyArchive
  {
    try LazyArchive(bytes: Archiver().archive(root), unarchiver: options)
  }

  func testUnresolvedPathErrorReportsTheResolvedPrefix() throws {
    let session = try session(LazyGallery.sample())
    for (path, text) in [
      ("root.pages", "without the next property of the path at 'root'"),
      ("albums[10]", "10 elements at 'albums'"),
      ("albums[3].title.size", "at 'albums[3].title'"),
      ("byName[\"last\"]", "without the next key of the path at 'byName'"),
      ("albums[-1]", "10 elements"), ("root.albums[3].size.depth", "field"),
      ("albums[x]", "'x' at character 8 in the path 'albums[x]'"),
      ("albums[3", "the end of the path 'albums[3', expected ']'"),
      ("albums[3]x", "'x' at character 10 in the path 'albums[3]x'"), ("", "the end of the path ''"),
    ] {
      assertThrows(.missingKey, text, for: path) { try session.object(GalleryAlbum.self, at: path) }
    }
  }

  func testPathToNilOrValueIsRefused() throws {
    let session = try session([GalleryAlbum("a")])
    assertThrows(.nilReference) { try session.object(GalleryPhoto.self, at: "root[0].cover") }
    assertThrows(.nilReference, "nil at 'root[0].cover'") {
      try session.object(GalleryPlace.self, at: "root[0].cover.place")
    }
    XCTAssertNil(try session.value(GalleryPhoto?.self, at: "root[0].cover"))
    assertThrows(
      .typeMismatch,
      "found the value at 'root[0].title' of type 'String', expected a value of type 'GalleryPhoto'"
    ) { try session.object(GalleryPhoto.self, at: "root[0].title") }
    assertThrows(.typeMismatch, "; read the value as the type that was archived") {
      try session.value(Int.self, at: "root[0].title")
    }
    assertThrows(
      .typeMismatch, "found the root 'root' of type '[GalleryAlbum]', expected a root of type 'Int' ("
    ) {
      try session.value(Int.self, at: "root")
    }
  }

  func testErrorsStateTheRootOrPath() throws {
    let session = try session([["first": "text"]])
    func text(_ path: String, line: UInt = #line, _ read: (String) throws -> Void) throws -> String {
      try XCTUnwrap(assertThrows(.valueOutOfRange, line: line) { try read(path) }).description
    }
    let value = try text("root[0]") { _ = try session.value([String: UUID].self, at: $0) }
    XCTAssertTrue(value.contains(" at root[0][\"first\"]"), value)
    XCTAssertFalse(value.contains("class 'root'") || value.contains("key '"), value)
    let root = try text("root") { _ = try session.value([[String: UUID]].self, at: $0) }
    XCTAssertTrue(root.contains("key 'root') at root[0][\"first\"]"), root)
  }

  func testIdentifierWithoutAnObjectIsRefused() throws {
    let session = try session(LazyGallery.sample())
    for row in [0, UInt32(session.file.rowCount), .max] {
      assertThrows(.danglingReference, for: "\(row)") {
        try session.object(GalleryAlbum.self, id: ObjectID(rawValue: row))
      }
    }
  }

  func testReadingAnObjectAsAnotherClassIsRefused() throws {
    let session = try session(LazyGallery.sample())
    let album = try XCTUnwrap(session.file.object(ObjectID(rawValue: 1))["albums"]?.elements?[3].objectID)
    assertThrows(.wrongClass, "found object \(album) of class 'GalleryAlbum'") {
      try session.object(GalleryPhoto.self, id: album)
    }
    assertThrows(.wrongClass, "found the value at 'albums[3]', object \(album) of class 'GalleryAlbum'") {
      try session.object(GalleryPhoto.self, at: "albums[3]")
    }
    XCTAssertEqual(try session.object(GalleryAlbum.self, id: album).title, "album 3")
  }

  func testFailedPartIsReleasedAndReadingCanContinue() throws {
    let session = try session([PartFailing("good"), PartFailing("bad"), PartFailing("good")])
    let before = PartFailing.liveCount
    XCTAssertThrowsError(try session.value([PartFailing].self, at: "root"))
    XCTAssertEqual(PartFailing.liveCount, before)
    assertThrows(.valueOutOfRange) { try session.object(PartFailing.self, at: "root[1]") }
    XCTAssertEqual(PartFailing.liveCount, before)
    XCTAssertEqual(try session.object(PartFailing.self, at: "root[2]").name, "good")
  }

  func testReadingFindsDamageOnlyInTheRequestedPart() throws {
    let count = RandomTrials.size(usually: 3_000, exhaustively: 120_000)
    let segmentByteCount = RandomTrials.size(usually: 1 << 15, exhaustively: 1 << 20)
    let photos = (0..<count).map { GalleryPhoto("a long name of a photo, number \($0)") }
    var bytes = try Archiver(layout: .compact(segmentBytes: segmentByteCount)).archive(photos)
    let file = try ArchiveFile(bytes: bytes)
    let rows = file.segments.filter { $0.kind == .rows }
    XCTAssertGreaterThan(rows.count, 2)
    let last = try XCTUnwrap(rows.last)
    bytes[last.byteOffset + 24 + last.storedByteCount / 2] ^= 1
    let session = try LazyArchive(bytes: bytes)
    XCTAssertEqual(try session.object(GalleryPhoto.self, id: ObjectID(rawValue: 7)).name, photos[6].name)
    assertThrows(.damagedSegment) {
      try session.object(GalleryPhoto.self, id: ObjectID(rawValue: UInt32(file.rowCount - 1)))
    }
    XCTAssertThrowsError(try session.file.verify())
    XCTAssertEqual(try session.object(GalleryPhoto.self, id: ObjectID(rawValue: 8)).name, photos[7].name)
  }

  func testUnknownClassIsRefusedOnlyWhenReached() throws {
    let group = PartGroup(name: "g", content: PartUnknown(name: "u"))
    group.other = PartGroup(name: "other", content: nil)
    let bytes = try Archiver().archive(group).replacingName("PartUnknown", by: "PartWithout")
    let session = try LazyArchive(bytes: bytes)
    XCTAssertEqual(try session.object(PartGroup.self, at: "root.other").name, "other")
    assertThrows(.unknownClass, "PartWithout") { try session.object(PartGroup.self) }
    let lenient = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(unknownContent: .leaveOut))
    let read = try lenient.object(PartGroup.self)
    XCTAssertNil(read.content)
    XCTAssertTrue(read.contents.isEmpty)
    XCTAssertEqual(read.other?.name, "other")
  }

  func testPartExceedingTheLimitsIsRefused() throws {
    var limits = ArchiveLimits.default
    limits.elements = 5
    let bytes = try Archiver().archive(GalleryAlbum("a", (0..<9).map { GalleryPhoto("\($0)") }))
    let session = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(limits: limits))
    assertThrows(.limitExceeded) { try session.object(GalleryAlbum.self) }
  }
}

extension [UInt8] {
  /// Returns the archive with another name of a class. Both names must have the same length.
  fileprivate func replacingName(_ name: String, by other: String) throws -> [UInt8] {
    var bytes = self
    for start in 0...count - name.utf8.count
    where bytes[start..<start + name.utf8.count].elementsEqual(name.utf8) {
      bytes.replaceSubrange(start..<start + name.utf8.count, with: other.utf8)
    }
    return HandMadeArchive.sealed(bytes)
  }
}

@Archivable class PartContent { init() {} }

@Archivable final class PartUnknown: PartContent {
  var name: String
  init(name: String) {
    self.name = name
    super.init()
  }
}

@Archivable final class PartGroup {
  var name: String
  var content: PartContent?
  var contents: [PartContent] = []
  var other: PartGroup?
  init(name: String, content: PartContent?) {
    self.name = name
    self.content = content
    contents = content.map { [$0] } ?? []
  }
}

final class PartFailing: HandWrittenClass {
  nonisolated(unsafe) static var liveCount = 0
  let name: String
  init(_ name: String) {
    self.name = name
    Self.liveCount += 1
  }
  init(from decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
    Self.liveCount += 1
    if name == "bad" { throw ArchiveError(.valueOutOfRange, found: "a bad name") }
  }
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(name, forKey: "name") }
  deinit { Self.liveCount -= 1 }
}
