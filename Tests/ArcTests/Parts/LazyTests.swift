import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// References whose objects are read on demand.
final class LazyTests: XCTestCase {
  private func session(_ gallery: LazyGallery = .sample()) throws -> LazyArchive {
    try LazyArchive(bytes: Archiver().archive(gallery))
  }

  func testLazyReferencesAreWrittenAsPlainReferences() throws {
    let lazy = LazyGallery("same")
    let eager = EagerGallery("same")
    let albums = [GalleryAlbum("a"), GalleryAlbum("b")]
    (lazy.albums, eager.albums) = (albums.map { Lazy($0) }, albums)
    (lazy.best, eager.best) = (Lazy(albums[1]), albums[1])
    (lazy.byName, eager.byName) = (["a": Lazy(albums[0])], ["a": albums[0]])
    XCTAssertEqual(try Archiver().archive(lazy), try Archiver().archive(eager))
  }

  func testPlainReferencesAreReadAsLazyReferences() throws {
    let eager = EagerGallery("eager")
    eager.albums = [GalleryAlbum("a"), GalleryAlbum("b")]
    eager.best = eager.albums[1]
    let bytes = try Archiver().archive(eager)
    let whole = try Unarchiver().unarchive(LazyGallery.self, from: bytes)
    XCTAssertEqual(whole.albums.map { $0.loadedObject?.title }, ["a", "b"])
    XCTAssertTrue(whole.best?.loadedObject === whole.albums[1].loadedObject)
    let part = try LazyArchive(bytes: bytes).object(LazyGallery.self)
    XCTAssertNil(part.best?.loadedObject)
    XCTAssertEqual(try part.albums.map { try $0.load().title }, ["a", "b"])
    XCTAssertTrue(try part.best?.load() === part.albums[1].load())
  }

  func testLazyReferencesAreReadAsPlainReferences() throws {
    let bytes = try Archiver().archive(LazyGallery.sample())
    let eager = try LazyArchive(bytes: bytes).object(EagerGallery.self)
    XCTAssertEqual(eager.albums.map(\.title), (0..<10).map { "album \($0)" })
    XCTAssertTrue(eager.byName["first"] === eager.albums[0])
  }

  func testLazyObjectsAreBuiltOnlyWhenLoaded() throws {
    let gallery = try session().object(LazyGallery.self)
    XCTAssertTrue(gallery.albums.allSatisfy { $0.loadedObject == nil })
    XCTAssertNil(gallery.best?.loadedObject)
    let album = try gallery.albums[3].load()
    XCTAssertEqual(album.title, "album 3")
    XCTAssertEqual(album.photos.map(\.name), ["photo 3.0", "photo 3.1", "photo 3.2"])
    XCTAssertTrue(album.photos[0].album === album)
    XCTAssertTrue(album.cover === album.photos[2])
    XCTAssertNil(album.next?.loadedObject)
    XCTAssertNil(gallery.albums[4].loadedObject)
  }

  func testEveryPathToARowReturnsOneObject() throws {
    let session = try session()
    let gallery = try session.object(LazyGallery.self)
    let best = try XCTUnwrap(gallery.best?.load())
    XCTAssertTrue(try gallery.albums[2].load() === best)
    XCTAssertTrue(try gallery.albums[1].load().next?.load() === best)
    XCTAssertTrue(try gallery.albums[3].load().previous === best)
    XCTAssertTrue(try session.object(GalleryAlbum.self, at: "root.albums[2]") === best)
    XCTAssertTrue(try session.object(GalleryAlbum.self, at: "best") === best)
    // An object that two albums share is read once.
    XCTAssertTrue(try gallery.albums[1].load().photos[0].place === best.photos[1].place)
  }

  func testLazyReferenceCopiesShareTheLoadedObject() throws {
    let gallery = try session().object(LazyGallery.self)
    let copy = gallery.albums
    _ = try gallery.albums[0].load()
    XCTAssertNotNil(copy[0].loadedObject)
  }

  func testLazyReferenceToALoadedObjectIsLoaded() throws {
    let session = try session()
    let album = try session.object(GalleryAlbum.self, at: "albums[4]")
    let gallery = try session.object(LazyGallery.self)
    XCTAssertTrue(gallery.albums[4].loadedObject === album)
    XCTAssertNil(gallery.albums[5].loadedObject)
  }

  func testLazyReferenceCycleIsReadStepByStep() throws {
    let session = try session(.sample(albums: 4))
    let first = try session.object(GalleryAlbum.self, at: "albums[0]")
    var album = first
    for step in 1...3 {
      album = try XCTUnwrap(album.next?.load())
      XCTAssertEqual(album.title, "album \(step)")
      XCTAssertFalse(album === first)
    }
    XCTAssertTrue(try album.next?.load() === first)
  }

  func testUnloadedLazyReferenceRetainsTheLazyArchive() throws {
    weak var released: LazyArchive?
    var gallery: LazyGallery?
    do {
      let session = try session()
      released = session
      gallery = try session.object(LazyGallery.self)
    }
    XCTAssertNotNil(released)
    XCTAssertEqual(try gallery?.albums[9].load().title, "album 9")
    gallery = nil
    XCTAssertNil(released)
  }

  func testArchivingLoadsUnreadParts() throws {
    let sample = LazyGallery.sample()
    let bytes = try Archiver().archive(sample)
    let part = try LazyArchive(bytes: bytes).object(LazyGallery.self)
    _ = try part.albums[7].load()
    XCTAssertTrue(try Archiver().archive(part) == Archiver().archive(sample))
    XCTAssertNotNil(part.albums[8].loadedObject)
  }

  func testCopyingAndComparingLoadUnreadParts() throws {
    let sample = LazyGallery.sample()
    let bytes = try Archiver().archive(sample)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(sample, LazyArchive(bytes: bytes).object(LazyGallery.self)))
    let copy = try ObjectGraph.copy(LazyArchive(bytes: bytes).object(LazyGallery.self))
    XCTAssertNil(try ObjectGraph.difference(between: sample, and: copy))
    XCTAssertNotNil(copy.albums[5].loadedObject)
    try copy.albums[5].load().title = "changed"
    XCTAssertEqual(
      try ObjectGraph.difference(between: LazyArchive(bytes: bytes).object(LazyGallery.self), and: copy)?
        .path,
      "root.albums[5].title")
  }

  func testFirstArchiveIncludesWeakReferencesToUnreadObjects() throws {
    let (first, second) = (GalleryAlbum("first"), GalleryAlbum("second"))
    (first.next, first.previous) = (Lazy(second), second)
    second.previous = first
    let bytes = try Archiver(isCanonical: true).archive(first)
    func part() throws -> GalleryAlbum { try LazyArchive(bytes: bytes).object(GalleryAlbum.self) }
    XCTAssertEqual(try Archiver(isCanonical: true).archive(part()), bytes)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(part(), first))
    XCTAssertNil(try ObjectGraph.difference(between: part(), and: first)?.description)
    let copy = try ObjectGraph.copy(part())
    XCTAssertTrue(try copy.previous === copy.next?.load())
    XCTAssertEqual(try Archiver(isCanonical: true).snapshot(of: part()).archive(), bytes)
  }

  func testReleasingAGraphLoadsNoParts() throws {
    let session = try session()
    let gallery = try session.object(LazyGallery.self)
    let albums = gallery.albums
    let loaded = try albums[0].load()
    try ObjectGraph.release(gallery)
    XCTAssertTrue(gallery.albums.isEmpty)
    XCTAssertTrue(loaded.photos.isEmpty)
    XCTAssertNil(albums[1].loadedObject)
  }

  func testConstantLazyReferencesMayFormACycle() throws {
    let first = LazyPartner("a", nil)
    let second = LazyPartner("b", Lazy(first))
    first.other = Lazy(second)
    let session = try LazyArchive(bytes: Archiver().archive([first, second]))
    let pair = try session.value([LazyPartner].self, at: "root")
    XCTAssertTrue(try pair[1].partner?.load() === pair[0])
    XCTAssertTrue(try pair[0].other?.load() === pair[1])
    let alone = try LazyArchive(bytes: Archiver().archive([first, second]))
      .object(LazyPartner.self, at: "root[1]")
    XCTAssertNil(alone.partner?.loadedObject)
    XCTAssertEqual(try alone.partner?.load().name, "a")
  }

  func testLazyReferenceInStructureIsLoadedOnDemand() throws {
    let bytes = try Archiver().archive(
      LazyFrames(frames: [
        LazyFrame(
          picture: GalleryPhoto("there"), other: Lazy(GalleryPhoto("later")), third: GalleryPhoto("3"))
      ]))
    let frames = try LazyArchive(bytes: bytes).object(LazyFrames.self)
    XCTAssertEqual(frames.frames[0].picture?.name, "there")
    XCTAssertEqual(frames.frames[0].third?.name, "3")
    XCTAssertNil(frames.frames[0].other?.loadedObject)
    XCTAssertEqual(try frames.frames[0].other?.load().name, "later")
  }

  func testHandWrittenCoderReceivesTheLoadedObject() throws {
    let bytes = try Archiver().archive(HandShelf([Lazy(GalleryAlbum("a")), Lazy(GalleryAlbum("b"))]))
    let shelf = try LazyArchive(bytes: bytes).object(HandShelf.self)
    XCTAssertEqual(shelf.albums.map { $0.loadedObject?.title }, ["a", "b"])
  }

  func testHookReadingItsOwnLazyArchiveIsRefused() throws {
    let holder = LazyAwakened()
    holder.photo = Lazy(GalleryPhoto("p"))
    let bytes = try Archiver().archive(holder)
    XCTAssertEqual(try Unarchiver().unarchive(LazyAwakened.self, from: bytes).name, "p")
    let session = try LazyArchive(bytes: bytes)
    assertThrows(.invalidUse) { try session.object(LazyAwakened.self) }
    // The session remains usable.
    XCTAssertEqual(try session.object(GalleryPhoto.self, at: "root.photo").name, "p")
  }
}

@Archivable final class LazyPartner {
  let name: String
  let partner: Lazy<LazyPartner>?
  var other: Lazy<LazyPartner>?
  init(_ name: String, _ partner: Lazy<LazyPartner>?) { (self.name, self.partner) = (name, partner) }
}

@Archivable final class LazyFrames {
  var frames: [LazyFrame] = []
  init(frames: [LazyFrame]) { self.frames = frames }
}

@Archivable struct LazyFrame {
  var picture: GalleryPhoto?
  var other: Lazy<GalleryPhoto>?
  var third: GalleryPhoto?
}

final class HandShelf: Archivable {
  var albums: [Lazy<GalleryAlbum>] = []
  init(_ albums: [Lazy<GalleryAlbum>]) { self.albums = albums }
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(albums, forKey: "albums") }
  func link(from decoder: borrowing ObjectDecoder) throws {
    albums = try decoder.decode([Lazy<GalleryAlbum>].self, forKey: "albums")
  }
}

@Archivable final class LazyAwakened: UnarchiveFinishing {
  var photo: Lazy<GalleryPhoto>?
  @Transient var name = ""
  init() {}
  func didUnarchive(in context: ArchiveContext) throws { name = try photo?.load().name ?? "" }
}
