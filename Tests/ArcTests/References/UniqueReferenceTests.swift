import ArcArchive
import ArcFormat
import ArcMemory
import ArcTestSupport
import XCTest

@testable import Arc

/// An object with a single reference gets its number without a lookup in the table of addresses. The archive
/// is the same.
final class UniqueReferenceTests: XCTestCase {
  private func objectCount(_ root: some ArchivableValue) throws -> Int {
    try ArchiveFile(bytes: Archiver().archive(root)).rowCount - 1
  }

  func testAddressesAreRecordedOnlyForSharedObjects() throws {
    let shared = Bead("shared")
    let root = Bead("root")
    root.next = Bead("next")
    root.knots = [Bead("element"), shared]
    root.next?.next = shared
    let encoder = GraphEncoder(options: .init())
    let bytes = try encoder.archive(roots: [("root", root)])
    XCTAssertEqual(try ArchiveFile(bytes: bytes).rowCount, 5)
    func isListed(_ object: AnyObject?) throws -> Bool {
      let address = UInt(bitPattern: ObjectIdentifier(try XCTUnwrap(object)))
      return encoder.references.value.identities.row(of: address) != 0
    }
    XCTAssertTrue(try isListed(root))
    XCTAssertTrue(try isListed(shared))
    #if canImport(ObjectiveC)
      let isTold = false
    #else
      let isTold = RuntimeLayout.isTrusted
    #endif
    XCTAssertEqual(UniqueReference.word != 0, isTold)
    XCTAssertEqual(UniqueReference.storageWord != 0, isTold)
    XCTAssertEqual(try isListed(root.next), !isTold)
    XCTAssertEqual(try isListed(root.knots[0]), !isTold)
    let copy = try Unarchiver().unarchive(Bead.self, from: bytes)
    XCTAssertEqual(copy.next?.name, "next")
    XCTAssertEqual(copy.knots.map(\.name), ["element", "shared"])
    XCTAssertTrue(copy.next?.next === copy.knots[1])
  }

  func testElementsOfArraysSharingStorageAreArchivedOnce() throws {
    let root = Bead("root")
    root.next = Bead("next")
    root.knots = [Bead("a"), Bead("b")]
    root.next?.knots = root.knots
    XCTAssertEqual(try objectCount(root), 4)
    let copy = try roundTrip(root)
    XCTAssertEqual(copy.knots.map(\.name), ["a", "b"])
    XCTAssertTrue(copy.knots.elementsEqual(copy.next?.knots ?? []) { $0 === $1 })
  }

  func testObjectRepeatedInAnArrayIsArchivedOnce() throws {
    let root = Bead("root")
    root.knots = [Bead("a")]
    root.knots += root.knots
    XCTAssertEqual(try objectCount(root), 2)
    let copy = try roundTrip(root)
    XCTAssertTrue(copy.knots[0] === copy.knots[1])
  }

  func testWeakAndUnownedReferencesReachSinglyReferencedObjects() throws {
    // The weak reference comes before or after the strong reference.
    for isFirst in [false, true] {
      let root = Bead("root")
      let link = RingLink()
      root.knots = [Bead("weak"), Bead("unowned")]
      link.weak = root.knots[0]
      link.unowned = root.knots[1]
      root.links = [link]
      if isFirst { root.early = link }
      XCTAssertEqual(try objectCount(root), 4)
      let copy = try roundTrip(root)
      XCTAssertTrue(copy.links[0].weak === copy.knots[0])
      XCTAssertTrue(copy.links[0].unowned === copy.knots[1])
      XCTAssertEqual(copy.knots.map(\.name), ["weak", "unowned"])
    }
  }

  func testObjectsAreWrittenAfterTheirConstructionTargets() throws {
    let root = Bead("root")
    let base = Bead("base")
    root.bound = [Bound(base), Bound(base), Bound(Bead("own"))]
    XCTAssertEqual(try objectCount(root), 6)
    let copy = try roundTrip(root)
    XCTAssertEqual(copy.bound.map(\.base.name), ["base", "base", "own"])
    XCTAssertTrue(copy.bound[0].base === copy.bound[1].base)
  }

  func testObjectReturnedByOverriddenGetterIsArchivedOnce() throws {
    let root = Detour("root")
    root.place = Bead("place")
    XCTAssertTrue(root.next === root.place)
    XCTAssertEqual(try objectCount(root as Bead), 2)
  }

  func testObjectReferencedByRawValueIsArchivedOnce() throws {
    let root = Bead("root")
    root.next = Bead("next")
    root.grip = Gripped(Grip(owner: root))
    XCTAssertEqual(try objectCount(root), 3)
    let copy = try roundTrip(root)
    XCTAssertTrue(copy.grip?.grip?.rawValue === copy.next)
  }

  func testGetterThatCreatesAnObjectIsNotCalled() throws {
    let root = Fountain("root")
    XCTAssertEqual(try objectCount(root as Bead), 1, "nothing is stored")
    XCTAssertEqual(root.count, 0)
  }

  func testGettersOfUnarchivableIntermediateClassesAreNotCalled() throws {
    let root = BelowSpring("root")
    XCTAssertEqual(try objectCount(root as Bead), 1, "nothing is stored")
    XCTAssertEqual(root.count, 0)
  }

  func testHandWrittenCoderMayReachUnmanagedReferences() throws {
    for isLate in [false, true] {
      let root = Bead("root")
      root.next = Bead("next")
      let next = try XCTUnwrap(root.next)
      let watcher = unsafe Watcher(.passUnretained(next))
      let holder = Bead("holder")
      holder.watcher = watcher
      let order = isLate ? [root, holder] : [holder, root]
      XCTAssertEqual(try objectCount(order), 4)
      let copy = try roundTrip(order)
      let (copiedRoot, copiedHolder) = isLate ? (copy[0], copy[1]) : (copy[1], copy[0])
      XCTAssertTrue(copiedHolder.watcher?.seen === copiedRoot.next)
    }
  }

  func testReusedEncoderInspectsEachGraphAgain() throws {
    for _ in 0..<3 {
      let root = Bead("root")
      root.next = Bead("next")
      XCTAssertEqual(try objectCount(root), 2)
      // After many references to one object, the column no longer expects references to unshared objects.
      root.knots = Array(repeating: root, count: 100)
      XCTAssertEqual(try objectCount(root), 2)
      root.knots = []
    }
  }
}

@Archivable class Bead {
  var name: String
  var early: RingLink?
  var next: Bead?
  var knots: [Bead] = []
  var bound: [Bound] = []
  var links: [RingLink] = []
  var watcher: Watcher?
  var grip: Gripped?

  init(_ name: String) { self.name = name }
}

@Archivable final class RingLink {
  weak var weak: Bead?
  unowned var unowned: Bead?

  init() {}
}

@Archivable final class Bound {
  let base: Bead

  init(_ base: Bead) { self.base = base }
}

/// A handle for the next object of its owner, which it does not retain.
struct Grip: RawRepresentable, ArchivableValue {
  weak var owner: Bead?
  private var read: Bead?

  init(owner: Bead) { self.owner = owner }
  init?(rawValue: Bead) { read = rawValue }

  var rawValue: Bead { read ?? owner?.next ?? Bead("none") }
}

@Archivable final class Gripped {
  var grip: Grip?

  init(_ grip: Grip) { self.grip = grip }
}

/// A class whose inherited property returns the value of another property.
@Archivable final class Detour: Bead {
  var place: Bead?

  override var next: Bead? {
    get { place }
    set {}
  }
}

/// A class whose inherited property is computed.
@Archivable final class Fountain: Bead {
  @Transient var count = 0

  override var next: Bead? {
    get {
      count += 1
      return Bead("fresh")
    }
    set {}
  }
}

class Spring: Bead {
  func note() {}

  override var next: Bead? {
    get {
      note()
      return Bead("fresh")
    }
    set {}
  }
}

@Archivable final class BelowSpring: Spring {
  var depth = 0
  @Transient var count = 0

  override func note() { count += 1 }
}

/// A class that encodes an object that it does not retain.
final class Watcher: Archivable {
  private var place: Unmanaged<Bead>?
  private(set) var seen: Bead?

  init(_ place: Unmanaged<Bead>) { self.place = unsafe place }

  init(from decoder: borrowing ObjectDecoder) throws { place = nil }

  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(unsafe place?.takeUnretainedValue(), forKey: "place")
  }

  func link(from decoder: borrowing ObjectDecoder) throws {
    seen = try decoder.decode(Bead?.self, forKey: "place")
  }
}
