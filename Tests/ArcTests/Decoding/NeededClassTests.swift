import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Classes of objects that the read roots do not reach can be unknown. None of their code runs.
final class NeededClassTests: XCTestCase {
  func testUnknownClassOfRemovedPropertyIsIgnored() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds"), Whole.Music("song")]
    album.sounds[0].album = album
    album.cover = Whole.Photo("cover")
    let copy = try reread(album, as: Part.Album.self)
    XCTAssertEqual(copy.title, "Trip")
    XCTAssertEqual(copy.cover?.name, "cover")
    album.sounds = []
  }

  func testUnknownClassIsAnErrorWhenReached() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds")]
    album.cover = Whole.Photo("cover")
    album.cover?.sound = album.sounds[0]
    assertThrows(.unknownClass, "1 object of class 'Sound'") { try reread(album, as: Part.NoisyAlbum.self) }
  }

  func testUnreadFieldsOfStructuresNeedNoClasses() throws {
    let page = Whole.Page()
    page.frames = [Whole.Frame(left: 1, sound: Whole.Sound("wind")), Whole.Frame(left: 2, sound: nil)]
    let copy = try reread(page, as: Part.Page.self)
    XCTAssertEqual(copy.frames.map(\.left), [1, 2])
  }

  func testUnrequestedRootMayHaveUnknownClasses() throws {
    let bytes = try Archiver().archive(roots: ["name": "x", "sound": Whole.Sound("wind")])
    XCTAssertEqual(try Unarchiver().unarchive(String.self, from: bytes, root: "name"), "x")
  }

  func testOnlyObjectsOfTheRequestedRootAreBuilt() throws {
    let shared = BuiltPerson("shared")
    let (mine, other) = (BuiltPerson("mine"), BuiltPerson("other"))
    (mine.friends, other.friends) = ([shared, mine], [shared, BuiltPerson("far"), other])
    mine.best = shared
    shared.latest = other
    let bytes = try Archiver().archive(roots: ["mine": mine, "other": [other]])
    BuiltPerson.names = []
    let found = try Unarchiver().unarchive(BuiltPerson.self, from: bytes, root: "mine")
    XCTAssertEqual(BuiltPerson.names.sorted(), ["mine", "shared"])
    XCTAssertEqual(found.friends.map(\.name), ["shared", "mine"])
    XCTAssertTrue(found.best === found.friends[0])
    XCTAssertNil(found.best?.latest)
    for object in [mine, other, found] { object.friends = [] }
  }

  func testUnreadableClassThatIsNotReachedIsIgnored() throws {
    let album = Whole.Album("Trip")
    album.cover = Whole.Photo("cover")
    album.sounds = [Whole.Sound("birds")]
    // 'Sound' is registered, but needs a property that the file does not have.
    let classes = try ClassTable(registering: [Part.Sound.self])
    let bytes = try Archiver().archive(album)
    XCTAssertEqual(try Unarchiver(classes: classes).unarchive(Part.Album.self, from: bytes).title, "Trip")
  }

  func testWeakReferencesToUnreadObjectsAreNil() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds")]
    album.current = album.sounds[0]
    let copy = try reread(album, as: Part.Listener.self)
    XCTAssertNil(copy.current)
  }

  func testHandWrittenCoderRequiresAllReferencedClasses() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds")]
    assertThrows(.unknownClass, "1 object of class 'Sound'") {
      try reread(album, as: Part.HandAlbum.self, classes: ClassTable(scope: .declared))
    }
  }

  func testClassesOfUnconvertedOlderPropertiesAreNotRequired() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds")]
    album.cover = Whole.Photo("cover")
    let bytes = try Archiver().archive(["mine": album])
    let copy = try Unarchiver().unarchive([String: Part.NamedAlbum].self, from: bytes)["mine"]
    XCTAssertEqual(copy?.name, "Trip!")
    XCTAssertEqual(copy?.covers.map(\.name), ["cover"])
    let effects = try Unarchiver().differences(
      in: ArchiveFile(bytes: bytes), readAs: [String: Part.NamedAlbum].self)
    XCTAssertEqual(
      effects.map { "\($0.className ?? "").\($0.key ?? "") \($0.effect)" },
      [
        "Album.name checked", "Album.covers checked", "Album.sounds lossy", "Album.current lossy",
        "Sound. lossy", "Photo.sound lossy",
      ])
    let roots = try Archiver().archive(roots: ["mine": album, "other": [album]])
    XCTAssertEqual(try Unarchiver().unarchive(Part.NamedAlbum.self, from: roots, root: "mine").name, "Trip!")
  }

  func testClassesOfConvertedOlderPropertiesAreRequired() throws {
    let album = Whole.Album("Trip")
    album.sounds = [Whole.Sound("birds")]
    assertThrows(.unknownClass, "1 object of class 'Sound'") { try reread(album, as: Part.CountedAlbum.self) }
  }

  func testRequiredClassesAreDeterminedForEachFile() throws {
    let quiet = Whole.Album("quiet")
    let loud = Whole.Album("loud")
    loud.sounds = [Whole.Sound("birds")]
    loud.cover = Whole.Photo("cover")
    loud.cover?.sound = loud.sounds[0]
    let (first, second) = (try Archiver().archive(quiet), try Archiver().archive(loud))
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver().unarchive(Part.NoisyAlbum.self, from: first).title, "quiet")
      assertThrows(.unknownClass) { try Unarchiver().unarchive(Part.NoisyAlbum.self, from: second) }
      XCTAssertEqual(try Unarchiver().unarchive(Part.Album.self, from: second).title, "loud")
    }
  }
}

/// The program that wrote the files.
private enum Whole {
  @Archivable("Album") final class Album {
    var title: String
    var sounds: [Sound] = []
    var cover: Photo?
    weak var current: Sound?
    init(_ title: String) { self.title = title }
  }
  @Archivable("Photo") final class Photo {
    var name: String
    var sound: Sound?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Sound") class Sound {
    var name: String
    weak var album: Album?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Music") final class Music: Sound {}

  @Archivable("Frame") struct Frame { var left: Int, sound: Sound? }
  @Archivable("Page") final class Page { var frames: [Frame] = [] }
}

/// A program without some of the sounds.
private enum Part {
  @Archivable("Album") final class Album {
    var title = ""
    var cover: Photo?
  }
  @Archivable("Photo") final class Photo { var name = "" }

  @Archivable("Album") final class NamedAlbum {
    @Key("title", from: String.self, { $0 + "!" }) var name = ""
    @Key("cover", from: Photo?.self, { [$0].compactMap(\.self) }) var covers: [Photo] = []
  }
  @Archivable("Album") final class CountedAlbum {
    @Key("sounds", from: [Unheard].self, { $0.count }) var soundCount = 0
  }

  @Archivable("Album") final class NoisyAlbum {
    var title = ""
    var cover: NoisyPicture?
  }
  @Archivable("Photo") final class NoisyPicture {
    var name = ""
    var sound: Unheard?
  }
  @Archivable("Heard") final class Unheard {}

  @Archivable("Sound") final class Sound {
    var pitch: Int
    init() { pitch = 0 }
  }

  @Archivable("Album") final class Listener {
    weak var current: Sound?
  }

  final class HandAlbum: HandWrittenClass {
    static var archiveSchema: ClassSchema { ClassSchema(HandAlbum.self, name: "Album") }
    init(from decoder: borrowing ObjectDecoder) throws {}
  }

  @Archivable("Frame") struct Frame { var left: Int }
  @Archivable("Page") final class Page { var frames: [Frame] = [] }
}

/// A class that records which objects are built.
@Archivable final class BuiltPerson {
  nonisolated(unsafe) static var names: [String] = []
  let name: String
  var friends: [BuiltPerson] = []
  var best: BuiltPerson?
  weak var latest: BuiltPerson?
  init(_ name: String) { self.name = name }
}

extension BuiltPerson: UnarchiveFinishing {
  func didUnarchive(in context: ArchiveContext) { Self.names.append(name) }
}
