import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The objects that a session reads by path or row, and the objects that it retains.
final class LazyArchiveTests: XCTestCase {
  private func session(_ root: some ArchivableValue) throws -> LazyArchive {
    try LazyArchive(bytes: Archiver().archive(root))
  }

  func testPathReadsAnObject() throws {
    let session = try session(LazyGallery.sample())
    XCTAssertEqual(try session.object(GalleryAlbum.self, at: "root.albums[3]").title, "album 3")
    XCTAssertEqual(try session.object(GalleryPhoto.self, at: "albums[3].photos[1]").name, "photo 3.1")
    XCTAssertEqual(
      try session.object(GalleryPhoto.self, at: "root.byName[\"first\"].cover").name, "photo 0.2")
    XCTAssertEqual(try session.object(GalleryAlbum.self, at: "albums[3].previous").title, "album 2")
  }

  func testPathReadsAValue() throws {
    let session = try session(LazyGallery.sample())
    XCTAssertEqual(try session.value(String.self, at: "root.albums[3].title"), "album 3")
    XCTAssertEqual(
      try session.value(GallerySize.self, at: "albums[3].size"), GallerySize(width: 3, height: 2))
    XCTAssertEqual(try session.value(Double.self, at: "albums[3].size.width"), 3)
    XCTAssertEqual(
      try session.value([GalleryPhoto].self, at: "albums[1].photos").map(\.name),
      ["photo 1.0", "photo 1.1", "photo 1.2"])
    XCTAssertEqual(try session.value(GalleryPhoto?.self, at: "albums[1].cover")?.name, "photo 1.2")
  }

  func testPathsReadValuesOfEveryKind() throws {
    let session = try session(Vertex.everything())
    XCTAssertEqual(try session.object(Vertex.self, at: "root.children[1]").name, "two")
    XCTAssertEqual(try session.object(Vertex.self, at: "root.byName[\"other\"]").name, "other")
    XCTAssertEqual(try session.object(Vertex.self, at: "root.children[0].shape.named").name, "three")
    XCTAssertEqual(try session.object(Vertex.self, at: "root.pair.vertex").name, "one")
    XCTAssertEqual(try session.object(Vertex.self, at: "root.content.vertex").name, "two")
    XCTAssertEqual(try session.value(Double.self, at: "root.contents[1].number"), 2)
    XCTAssertEqual(try session.object(Vertex.self, at: "root.owners.values[0]").name.count > 2, true)
  }

  func testPathReadsPartOfARecursiveValue() throws {
    let tree = PartTree(name: "a", children: [PartTree(name: "b", children: [PartTree(name: "c")])])
    let session = try session(tree)
    XCTAssertEqual(try session.value(PartTree.self, at: "root.children[0]").children[0].name, "c")
    XCTAssertEqual(try session.value([PartTree].self, at: "root.children[0].children").map(\.name), ["c"])
  }

  func testSeveralRootsAreReadSeparately() throws {
    let shared = GalleryAlbum("shared", [GalleryPhoto("p")])
    let bytes = try Archiver().archive(
      roots: ["album": shared, "albums": [shared, GalleryAlbum("other")], "answer": 42])
    let session = try LazyArchive(bytes: bytes)
    let album = try session.object(GalleryAlbum.self, at: "album")
    let albums = try session.value([GalleryAlbum].self, at: "albums")
    XCTAssertTrue(albums[0] === album)
    XCTAssertEqual(try session.value(Int.self, at: "answer"), 42)
    XCTAssertTrue(try session.object(GalleryAlbum.self, at: "albums[1]") === albums[1])
    assertThrows(.missingRoot) { try session.object(GalleryAlbum.self, at: "title") }
  }

  func testObjectIsReadByItsIdentifier() throws {
    let session = try session(LazyGallery.sample())
    let album = try session.object(GalleryAlbum.self, at: "albums[3]")
    let roots = try session.file.roots()
    let gallery = try XCTUnwrap(roots["root"]?.objectID)
    let id = try XCTUnwrap(session.file.object(gallery)["albums"]?.elements?[3].objectID)
    XCTAssertTrue(try session.object(GalleryAlbum.self, id: id) === album)
  }

  func testChangedObjectIsReusedWhileItIsRetained() throws {
    let session = try session(LazyGallery.sample())
    var album: GalleryAlbum? = try session.object(GalleryAlbum.self, at: "albums[3]")
    album?.title = "changed"
    album?.photos = []
    XCTAssertEqual(try session.object(GalleryAlbum.self, at: "albums[3]").title, "changed")
    var pair: [GalleryAlbum] = [try session.object(GalleryAlbum.self, at: "albums[2].next")]
    XCTAssertTrue(pair[0] === album)
    album = nil
    XCTAssertEqual(try session.object(GalleryAlbum.self, at: "albums[3]").title, "changed")
    pair = []
    XCTAssertEqual(try session.object(GalleryAlbum.self, at: "albums[3]").title, "album 3")
  }

  func testWeakPropertyIsSetWhenTargetIsRead() throws {
    let session = try session(LazyGallery.sample())
    let photo = try session.object(GalleryPhoto.self, at: "albums[3].photos[0]")
    XCTAssertNil(photo.album)
    let album = try session.object(GalleryAlbum.self, at: "albums[3]")
    XCTAssertTrue(photo.album === album)
    XCTAssertTrue(album.photos[0] === photo)
    XCTAssertTrue(try session.object(GalleryPhoto.self, at: "albums[3].photos[0]").album === album)
    XCTAssertNil(album.previous)
    XCTAssertTrue(try session.object(GalleryAlbum.self, at: "albums[4]").previous === album)
  }

  func testUnownedReferenceIsRefusedUntilTargetIsRead() throws {
    let noted = NotedPhotos()
    noted.photos = [GalleryPhoto("a"), GalleryPhoto("b")]
    noted.notes = noted.photos.map { GalleryNote(on: $0) }
    let session = try session(noted)
    assertThrows(.unownedTarget) { try session.object(GalleryNote.self, at: "notes[1]") }
    let photo = try session.object(GalleryPhoto.self, at: "photos[1]")
    XCTAssertTrue(try session.object(GalleryNote.self, at: "notes[1]").photo === photo)
    let whole = try session.object(NotedPhotos.self)
    XCTAssertEqual(withExtendedLifetime(whole) { whole.notes.map(\.photo.name) }, ["a", "b"])
    withExtendedLifetime(photo) {}
  }

  func testOmittedObjectsAreNilOnlyInRequestedPart() throws {
    let session = try session(LazyGallery.sample())
    let whole = try session.object(GalleryAlbum.self, at: "albums[3]")
    let bare = try session.object(
      GalleryAlbum.self, at: "albums[3]", leavingOut: [.objects(of: GalleryPhoto.self)])
    XCTAssertFalse(bare === whole)
    XCTAssertEqual(bare.title, "album 3")
    XCTAssertEqual(bare.photos.count, 0)
    XCTAssertNil(bare.cover)
    XCTAssertTrue(try session.object(GalleryAlbum.self, at: "albums[3]") === whole)
    XCTAssertEqual(try bare.next?.load().photos.count, 3)
    XCTAssertEqual(whole.photos.count, 3)
  }

  func testOmittedPropertyContainsOnlyOtherwiseReferencedObjects() throws {
    let session = try session(LazyGallery.sample())
    let album = try session.object(
      GalleryAlbum.self, at: "albums[3]", leavingOut: [.property("photos", of: GalleryAlbum.self)])
    XCTAssertEqual(album.photos.map(\.name), ["photo 3.2"])
    XCTAssertTrue(album.photos[0] === album.cover)
    let places = try session.value(
      [GalleryPhoto].self, at: "albums[1].photos", leavingOut: [.property("place", of: GalleryPhoto.self)])
    XCTAssertTrue(places.allSatisfy { $0.place == nil })
    assertThrows(.missingKey) {
      try session.object(
        GalleryAlbum.self, at: "albums[3]", leavingOut: [.property("pages", of: GalleryAlbum.self)])
    }
  }

  func testLazyReferencesToOmittedObjectsAreOmitted() throws {
    let session = try session(LazyGallery.sample())
    let gallery = try session.object(LazyGallery.self, leavingOut: [.objects(of: GalleryAlbum.self)])
    XCTAssertEqual(gallery.name, "sample")
    XCTAssertTrue(gallery.albums.isEmpty)
    XCTAssertNil(gallery.best)
    XCTAssertTrue(gallery.byName.isEmpty)
  }

  func testPartsOfAMappedFileAreRead() throws {
    let url = try temporaryFolder().appendingPathComponent("gallery.arc")
    try Archiver(compression: .zlib).write(LazyGallery.sample(), to: url)
    for session in [try LazyArchive(mapping: url), try LazyArchive(contentsOf: url)] {
      XCTAssertEqual(try session.object(GalleryAlbum.self, at: "albums[3]").photos[0].place?.name, "Rome")
      XCTAssertThrowsError(try session.object(GalleryAlbum.self, at: "albums[33]")) {
        XCTAssertEqual(($0 as? ArchiveError)?.filePath, url.path)
      }
    }
  }

  func testLazyArchiveReturnsTheReplacementEachTime() throws {
    let pulses = [PartSymbol("x"), PartSymbol("y")]
    let session = try session([pulses[0], pulses[1], pulses[0]])
    let first = try session.object(PartSymbol.self, at: "root[0]")
    XCTAssertEqual(first.name, "x, replaced")
    let all = try session.value([PartSymbol].self, at: "root")
    XCTAssertTrue(all[0] === first && all[2] === first)
    XCTAssertEqual(all[1].name, "y, replaced")
  }

  func testObjectsAwakenOnceInALazyArchive() throws {
    let session = try session([PartAwakened("a"), PartAwakened("b")])
    let first = try session.object(PartAwakened.self, at: "root[0]")
    XCTAssertEqual(first.count, 1)
    let all = try session.value([PartAwakened].self, at: "root")
    XCTAssertEqual(all.map(\.count), [1, 1])
    XCTAssertTrue(all[0] === first)
  }
}

@Archivable struct PartTree {
  var name: String
  var children: [PartTree] = []
}

@Archivable final class PartSymbol: UnarchiveReplacing {
  var name: String
  init(_ name: String) { self.name = name }
  func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
    PartSymbol(name + ", replaced")
  }
}

@Archivable final class PartAwakened: UnarchiveFinishing {
  var name: String
  @Transient private(set) var count = 0
  init(_ name: String) { self.name = name }
  func didUnarchive(in context: ArchiveContext) { count += 1 }
}
