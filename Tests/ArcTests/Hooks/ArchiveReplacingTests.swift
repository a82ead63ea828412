import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The hook `replacementForArchiving(in:)`.
final class ArchiveReplacingTests: XCTestCase {
  func testEveryReferenceRefersToTheReplacement() throws {
    let recorder = Recorder()
    let proxy = Proxy(of: Image("a"))
    let page = Page(proxy)
    page.images = [proxy, Image("b"), proxy]
    page.last = proxy
    page.owned = proxy
    page.byName = ["x": proxy]
    page.all = [proxy]
    for isCanonical in [false, true] {
      recorder.calls = []
      let bytes = try Archiver(recorder, isCanonical: isCanonical).archive(page)
      try ArchiveFile(bytes: bytes).verify()
      let copy = try Unarchiver().unarchive(Page.self, from: bytes)
      XCTAssertEqual(recorder.calls, ["proxy"], "asked once")
      XCTAssertTrue(type(of: copy.cover) == Image.self)
      XCTAssertEqual(copy.images.map(\.name), ["a", "b", "a"])
      let others: [Image?] = [
        copy.images[0], copy.images[2], copy.last, copy.owned, copy.byName["x"], copy.all.first,
      ]
      XCTAssertTrue(others.allSatisfy { $0 === copy.cover })
    }
  }

  func testHandWrittenReferencesReferToTheReplacement() throws {
    let recorder = Recorder()
    let bytes = try Archiver(recorder).archive([PageByHand(Proxy(of: Image("a")))])
    try ArchiveFile(bytes: bytes).verify()
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [Image.self]))
    let copy = try unarchiver.unarchive([PageByHand].self, from: bytes)[0]
    XCTAssertEqual(recorder.calls, ["proxy"])
    XCTAssertEqual(copy.cover.name, "a")
    XCTAssertTrue(copy.last === copy.cover && copy.owned === copy.cover && copy.images[0] === copy.cover)
  }

  func testReplacementAlreadyInTheGraphIsArchivedOnce() throws {
    for isProxyFirst in [false, true] {
      let proxy = Proxy(of: Image("a"))
      let images = isProxyFirst ? [proxy, proxy.image] : [proxy.image, proxy]
      let copy = try roundTrip(images)
      XCTAssertTrue(copy[0] === copy[1])
    }
  }

  func testRootIsReplacedWhenArchiving() throws {
    let proxy = Proxy(of: Image("a"))
    for _ in 0..<2 {
      XCTAssertEqual(try reread(proxy as Image, as: Image.self).name, "a")
    }
    let bytes = try Archiver().archive(roots: ["one": proxy, "other": proxy.image])
    let (one, other) = try Unarchiver().unarchive(
      roots: .init("one", Image.self), .init("other", Image.self), from: bytes)
    XCTAssertTrue(one === other)
  }

  func testFileOmitsClassesThatAreAlwaysReplaced() throws {
    let bytes = try Archiver().archive([Proxy(of: Image("a"))] as [Image])
    XCTAssertEqual(try ArchiveFile(bytes: bytes).classes.map(\.name), ["$roots", "Image"])
  }

  func testSharedObjectIsReplacedByOneCopy() throws {
    let recorder = Recorder()
    let draft = Draft("text")
    let copy = try Unarchiver().unarchive([Draft].self, from: Archiver(recorder).archive([draft, draft]))
    XCTAssertEqual(recorder.calls, ["replace text", "replace text, reduced", "will text, reduced"])
    XCTAssertEqual(copy.map(\.text), ["text, reduced", "text, reduced"])
    XCTAssertTrue(copy[0] === copy[1])
    XCTAssertEqual(draft.text, "text")
  }

  func testChainsOfReplacementsAreFollowedToTheEnd() throws {
    let last = Relay("z", to: nil)
    let middle = Relay("y", to: last)
    let first = Relay("x", to: middle)
    for order in [[first, middle, last], [last, middle, first], [middle, first], [first], [middle, last]] {
      for isCanonical in [false, true] {
        let recorder = Recorder()
        let bytes = try Archiver(recorder, isCanonical: isCanonical).archive(order)
        let copy = try Unarchiver().unarchive([Relay].self, from: bytes)
        XCTAssertEqual(copy.map(\.name), order.map { _ in "z" })
        XCTAssertTrue(copy.allSatisfy { $0 === copy[0] })
        XCTAssertEqual(recorder.calls.count, Set(recorder.calls).count)
      }
    }
    // A weak reference also refers to the last replacement.
    let holder = RelayHolder()
    (holder.weakly, holder.strong) = (first, last)
    let copy = try reread(holder, as: RelayHolder.self)
    XCTAssertTrue(copy.weakly === copy.strong)
  }

  func testEndlessReplacementsAreRefused() throws {
    let first = Relay("x", to: nil)
    first.target = Relay("y", to: first)
    let expected =
      "invalidUse: found an endless chain of replacements: Relay → Relay → Relay, expected a replacement that is not "
      + "replaced again (class 'Relay') at root[0]; return 'self' from replacementForArchiving(in:) for the last "
      + "object of the chain"
    assertThrows(.invalidUse, expected) { try Archiver().archive([first]) }
    first.target = nil
    assertThrows(.invalidUse) { try Archiver().archive([Unending()]) }
  }

  func testReplacementsAreRetainedOnlyUntilArchivingEnds() throws {
    let before = Pulse.living
    let drafts = (0..<2000).map { Draft("\($0)") }
    let copy = try roundTrip(drafts + drafts)
    XCTAssertEqual(Set(copy.map(\.text)).count, 2000)
    XCTAssertTrue(zip(copy, copy.dropFirst(2000)).allSatisfy { $0 === $1 })
    XCTAssertEqual(Pulse.living, before + 4000)
  }

  func testReplacementIsRequestedAgainForEachArchive() throws {
    let recorder = Recorder()
    let page = Page(Proxy(of: Image("a")))
    page.images = [page.cover, Image("b")]
    let first = try Archiver(recorder).archive(page)
    for _ in 0..<3 { XCTAssertEqual(try Archiver(recorder).archive(page), first) }
    XCTAssertEqual(recorder.calls.count, 4)
  }

  func testReplacedClassDoesNotAffectTheNextArchive() throws {
    let page = Page(Image("a"))
    page.images = [Draft("not replaced")]
    let plain = try Archiver(userInfo: [.keepsDrafts: true]).archive(page)
    let replaced = try Archiver().archive(page)
    for _ in 0..<2 {
      XCTAssertEqual(try Archiver(userInfo: [.keepsDrafts: true]).archive(page), plain)
      XCTAssertEqual(try Archiver().archive(page), replaced)
    }
  }

  func testReplacementByAnUnsuitableClassIsRefused() throws {
    let stranger = Stranger("a")
    let expected =
      "wrongClass: found an object of class 'Image' that replaces an object of class 'Stranger', expected an object of class 'Stranger' "
      + "or a subclass"
    assertThrows(.wrongClass, expected) { try Archiver().archive([stranger]) }
    // If a reference can refer to objects of any class, a replacement can have any class.
    let album = Scrapbook()
    album.anything = stranger
    let bytes = try Archiver().archive(album)
    let classes = try ClassTable(registering: [Image.self])
    XCTAssertTrue(try Unarchiver(classes: classes).unarchive(Scrapbook.self, from: bytes).anything is Image)
    // A weak reference is checked after all objects are written.
    album.weakStranger = stranger
    assertThrows(.wrongClass, "that replaces an object of class 'Stranger'") { try Archiver().archive(album) }
  }

  func testKeysWithEqualReplacementsAreRefused() throws {
    let (one, other, common) = (Tag("one"), Tag("other"), Tag("common"))
    let drawer = Drawer()
    drawer.tags = [one, other]
    drawer.counts = [one: 1, other: 2]
    XCTAssertEqual(try roundTrip(drawer).tags.count, 2)
    for isCanonical in [false, true] {
      // An element is replaced by one object for both, by an object that equals another element, or by two
      // equal objects.
      for (first, second) in [(common, common), (nil, Tag("one")), (Tag("copy"), Tag("copy"))] {
        (one.replacement, other.replacement) = (first, second)
        for isSet in [true, false] {
          let drawer = Drawer()
          if isSet { drawer.tags = [one, other] } else { drawer.counts = [one: 1, other: 2] }
          XCTAssertEqual(
            assertThrows(.duplicateKey) { try Archiver(isCanonical: isCanonical).archive(drawer) }?.key,
            isSet ? "tags" : "counts")
        }
      }
    }
  }

  func testWeakReferenceRefersToARetainedReplacement() throws {
    let proxy = Proxy(of: Image("a"))
    let page = Page(proxy.image)
    page.last = proxy
    let copy = try roundTrip(page)
    XCTAssertTrue(copy.last === copy.cover)
    // If no strong reference refers to the replacement, it is not archived.
    let other = Proxy(of: Image("b"))
    page.last = other
    XCTAssertNil(try roundTrip(page).last)
  }

  func testUnownedReferenceToUnretainedReplacementIsRefused() throws {
    let proxy = Proxy(of: Image("a"))
    let page = Page(Image("b"))
    page.owned = proxy
    assertThrows(.unownedTarget, "key 'owned'") { try Archiver().archive(page) }
    page.images = [proxy.image]
    let copy = try roundTrip(page)
    XCTAssertTrue(copy.owned === copy.images[0])
  }

  func testConstructionCycleThroughAReplacementIsRefused() throws {
    let first = Closed(nil)
    let second = Closed(first)
    first.stand = second
    assertThrows(.constructionCycle) { try Archiver().archive(second) }
  }

  func testReplacementErrorStopsArchivingAndNamesTheObject() throws {
    let recorder = Recorder()
    recorder.failing = ("proxy", ArchiveError(.valueOutOfRange, found: "no image"))
    let page = Page(Image("a"))
    page.images = [Proxy(of: Image("b"))]
    assertThrows(.valueOutOfRange, "found no image (class 'Image') at root.images[0]") {
      try Archiver(recorder).archive(page)
    }
    recorder.failing = ("proxy", HookFailure())
    assertThrows(HookFailure.self) { try Archiver(recorder).archive(page) }
  }

  func testReleasingAGraphRequestsNoReplacements() throws {
    let page = Page(Draft("a"))
    page.images = [page.cover]
    try ObjectGraph.release(page)
    XCTAssertEqual(page.images.count, 0)
  }
}

extension CodingUserInfoKey {
  fileprivate static let keepsDrafts = CodingUserInfoKey(rawValue: "keeps drafts").unsafelyUnwrapped
}

@Archivable("Image") private class Image: HashedByIdentity {
  var name: String
  @Transient private var pulse = Pulse()
  init(_ name: String) { self.name = name }
}

/// A private subclass of a class cluster, without `@Archivable`. Its objects are never in a file.
private final class Proxy: Image, ArchiveReplacing {
  let image: Image
  init(of image: Image) {
    self.image = image
    super.init("")
  }
  required init(from decoder: borrowing ObjectDecoder) throws {
    image = Image("")
    try super.init(from: decoder)
  }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable {
    try context.note("proxy")
    return image
  }
}

@Archivable("Draft") private final class Draft: Image, ArchiveReplacing, ArchivePreparing {
  var text = ""
  override init(_ text: String) {
    self.text = text
    super.init("draft")
  }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable {
    if context.userInfo[.keepsDrafts] != nil { return self }
    try context.note("replace \(text)")
    if text.hasSuffix(", reduced") { return self }
    return Draft(text + ", reduced")
  }
  func willArchive(in context: ArchiveContext) throws { try context.note("will \(text)") }
}

@Archivable("Page") private final class Page {
  let cover: Image
  var images: [Image] = []
  weak var last: Image?
  unowned var owned: Image?
  var byName: [String: Image] = [:]
  var all: Set<Image> = []
  init(_ cover: Image) { self.cover = cover }
}

private final class PageByHand: Archivable {
  let cover: Image
  var images: [Image] = []
  weak var last: Image?
  unowned var owned: Image?

  init(_ image: Image) {
    cover = image
    (images, last, owned) = ([image], image, image)
  }
  init(from decoder: borrowing ObjectDecoder) throws {
    cover = try decoder.decode(Image.self, forKey: "cover")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encodeWeak(last, forKey: "last")
    try encoder.encodeUnowned(owned, forKey: "owned")
    try encoder.encode(images, forKey: "images")
    try encoder.encode(cover, forKey: "cover", during: .construction)
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    images = try decoder.decode([Image].self, forKey: "images")
    last = try decoder.decode(Image?.self, forKey: "last")
    owned = try decoder.decode(Image?.self, forKey: "owned")
  }
}

@Archivable("Stranger") private final class Stranger: ArchiveReplacing, Titled {
  var name: String
  init(_ name: String) { self.name = name }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable { Image(name) }
}

private protocol Titled: AnyObject { var name: String { get } }
extension Image: Titled {}

@Archivable("Scrapbook") private final class Scrapbook {
  var anything: (any Titled)?
  weak var weakStranger: Stranger?
  init() {}
}

@Archivable("Closed") private final class Closed: ArchiveReplacing {
  let other: Closed?
  @Transient var stand: Closed?
  init(_ other: Closed?) { self.other = other }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable { stand ?? self }
}

@Archivable private final class Drawer {
  var tags: Set<Tag> = []
  var counts: [Tag: Int] = [:]
  init() {}
}

@Archivable private final class Tag: Hashable, ArchiveReplacing {
  var name: String
  @Transient var replacement: Tag?
  init(_ name: String) { self.name = name }
  static func == (left: Tag, right: Tag) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable { replacement ?? self }
}

@Archivable("Relay") private final class Relay: ArchiveReplacing {
  let name: String
  @Transient var target: Relay?
  init(_ name: String, to target: Relay?) { (self.name, self.target) = (name, target) }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable {
    try context.note(name)
    return target ?? self
  }
}

@Archivable private final class RelayHolder {
  weak var weakly: Relay?
  var strong: Relay?
  init() {}
}

@Archivable private final class Unending: ArchiveReplacing {
  init() {}
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable { Unending() }
}
