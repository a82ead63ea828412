import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The reader releases objects that the caller's roots do not reach.
final class UnreachableObjectTests: XCTestCase {
  func testCyclesOutsideTheRequestedRootsAreFreed() throws {
    let first = CountedByHand()
    first.other = CountedByHand()
    first.other?.other = first
    let bytes = try Archiver().archive(roots: ["cycle": first, "count": 1])
    try ObjectGraph.release(first)
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [CountedByHand.self]))
    for _ in 0..<10 {
      XCTAssertEqual(try unarchiver.unarchive(Int.self, from: bytes, root: "count"), 1)
    }
    XCTAssertEqual(Pulse.living, before)
    let copy = try unarchiver.unarchive(CountedByHand.self, from: bytes, root: "cycle")
    XCTAssertTrue(copy.other?.other === copy)
    try ObjectGraph.release(copy)
  }

  func testCycleInARemovedPropertyIsFreed() throws {
    let holder = OldHolder()
    let counted = CountedByHand()
    counted.other = counted
    holder.counted = counted
    let bytes = try Archiver().archive(holder)
    counted.other = nil
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [CountedByHand.self]))
    XCTAssertEqual(try unarchiver.unarchive(NewHolder.self, from: bytes).kept, 1)
    XCTAssertEqual(Pulse.living, before)
  }

  func testGraphWithPossiblyUnreachedObjectIsBuiltOnce() throws {
    let old = old(gone: nil)
    old.twin = OldNoted()
    let bytes = try Archiver().archive(old)
    old.link = nil
    Noted.calls = []
    let copy = try Unarchiver().unarchive(QuietNoted.self, from: bytes)
    XCTAssertEqual(Noted.calls, ["init", "init"])
    XCTAssertTrue(copy.link === copy)
    copy.link = nil
  }

  func testPossiblyUnreachedCycleIsFreed() throws {
    let old = OldNoted()
    let (one, other) = (OldNoted(), OldNoted())
    (one.link, other.link, old.twin, old.link) = (other, one, one, OldNoted())
    let bytes = try Archiver().archive(old)
    one.link = nil
    let before = Pulse.living
    for _ in 0..<3 {
      let copy = try Unarchiver().unarchive(QuietNoted.self, from: bytes)
      XCTAssertEqual(Pulse.living, before + 2)
      XCTAssertNotNil(copy.link)
    }
    XCTAssertEqual(Pulse.living, before)
  }

  func testCycleInAConvertedRootStructureStaysLinked() throws {
    let ends = #"{Renamed ends="first"@"Noted""last"@"Noted"}"#
    let builder = try ArchiveBuilder(roots: [.init("root", type: ends)])
    try builder.addClass("Noted", properties: [.init("link", attributes: #"T@"Noted",&,N,V_link"#)])
    let one = try builder.reserveObject(ofClass: "Noted")
    let other = try builder.reserveObject(ofClass: "Noted")
    try builder.setValues(["link": .reference(other)], of: one)
    try builder.setValues(["link": .reference(one)], of: other)
    // Only a later row refers to the first row, so the reader follows all references from the roots.
    try builder.setRoots([
      "root": .structure(
        name: "Renamed ends",
        fields: [
          .init(name: "first", value: .reference(nil)), .init(name: "last", value: .reference(other)),
        ])
    ])
    let end = try Unarchiver().unarchive(RenamedEnds.self, from: builder.finish()).end
    XCTAssertNotNil(end?.link)
    XCTAssertTrue(end?.link?.link === end)
    end?.link?.link = nil
  }

  func testObjectsUnreadByHandWrittenCoderAreFreed() throws {
    for isAskedFor in [true, false] {
      let holder = KeyedHolder(isAskedFor)
      let (one, other) = (CountedByHand(), CountedByHand())
      (one.other, other.other, holder.counted) = (other, one, one)
      // A later row refers to an earlier row, so the order of rows does not show which objects are reached.
      holder.others = [CountedByHand()]
      let bytes = try Archiver().archive(holder)
      let copied = try ObjectGraph.copy(holder)
      XCTAssertEqual(copied.counted != nil, isAskedFor)
      try ObjectGraph.release(copied)
      try ObjectGraph.release(holder)
      let before = Pulse.living
      KeyedHolder.initCount = 0
      let copy = try Unarchiver().unarchive(KeyedHolder.self, from: bytes)
      XCTAssertEqual(KeyedHolder.initCount, 1)
      XCTAssertEqual(Pulse.living, before + (isAskedFor ? 3 : 1))
      XCTAssertEqual(copy.counted?.other?.other === copy.counted, true)
      try ObjectGraph.release(copy)
      XCTAssertEqual(Pulse.living, before)
    }
  }

  func testUnownedTargetOfARemovedPropertyIsRefused() throws {
    let old = OldUnownedHolder()
    old.gone = CountedByHand()
    old.user = OldCountedUser(try XCTUnwrap(old.gone))
    let bytes = try Archiver().archive(old)
    assertThrows(.unownedTarget) { try Unarchiver().unarchive(NewUnownedHolder.self, from: bytes) }
  }

  func testObjectsOfUnreachedClassesAreNotBuilt() throws {
    let old = old(gone: CountedByHand())
    let bytes = try Archiver().archive(old)
    old.link = nil
    Noted.calls = []
    let copy = try Unarchiver().unarchive(QuietNoted.self, from: bytes)
    XCTAssertEqual(Noted.calls, ["init"])
    XCTAssertTrue(copy.link === copy)
    copy.link = nil
  }

  private func old(gone: CountedByHand?) -> OldNoted {
    let old = OldNoted()
    old.link = old
    old.gone = gone
    return old
  }

  func testGraphWithHooksIsBuiltAndAwakenedOnce() throws {
    for gone in [nil, CountedByHand()] {
      let old = old(gone: gone)
      let bytes = try Archiver().archive(old)
      old.link = nil
      Noted.calls = []
      let unarchiver = Unarchiver(classes: try ClassTable(registering: [CountedByHand.self]))
      let copy = try unarchiver.unarchive(Noted.self, from: bytes)
      XCTAssertTrue(copy.link === copy)
      XCTAssertEqual(Noted.calls, ["init", "awake"])
      copy.link = nil
    }
  }
}

@Archivable final class CountedByHand {
  var other: CountedByHand?
  @Transient private var pulse = Pulse()
  init() {}
}

/// A class with a hand-written key that it decodes only on request.
final class KeyedHolder: Archivable {
  nonisolated(unsafe) static var initCount = 0
  let isAskedFor: Bool
  var counted: CountedByHand?
  var others: [CountedByHand] = []

  init(_ isAskedFor: Bool) { self.isAskedFor = isAskedFor }

  init(from decoder: borrowing ObjectDecoder) throws {
    Self.initCount += 1
    isAskedFor = try decoder.decode(Bool.self, forKey: "isAskedFor")
  }

  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(isAskedFor, forKey: "isAskedFor")
    try encoder.encode(counted, forKey: "counted")
    try encoder.encode(others, forKey: "others")
  }

  func link(from decoder: borrowing ObjectDecoder) throws {
    if isAskedFor { counted = try decoder.decode(CountedByHand?.self, forKey: "counted") }
    others = try decoder.decode([CountedByHand].self, forKey: "others")
  }
}

@Archivable("Unowned holder") final class OldUnownedHolder {
  var gone: CountedByHand?
  var user: OldCountedUser?
  init() {}
}

@Archivable("Unowned holder") final class NewUnownedHolder {
  var user: OldCountedUser?
  init() {}
}

@Archivable final class OldCountedUser {
  unowned var counted: CountedByHand
  init(_ counted: CountedByHand) { self.counted = counted }
}

@Archivable("Pair of counted") final class OldHolder {
  var kept = 1
  var counted: CountedByHand?
  init() {}
}

@Archivable("Pair of counted") final class NewHolder {
  var kept = 0
  init() {}
}

@Archivable("Noted") final class OldNoted {
  var link: OldNoted?
  var gone: CountedByHand?
  var twin: OldNoted?
  init() {}
}

@Archivable("Renamed ends") struct RenamedEnds {
  @Key("last", "first") var end: QuietNoted?
}

@Archivable("Noted") final class QuietNoted {
  var link: QuietNoted?
  @Transient private var pulse = Noted.makePulse()
  init() {}
}

@Archivable("Noted") final class Noted: UnarchiveFinishing {
  nonisolated(unsafe) static var calls: [String] = []
  var link: Noted? { didSet { if link != nil { Self.calls.append("didSet") } } }
  @Transient private var pulse = Noted.makePulse()
  init() {}

  static func makePulse() -> Pulse {
    calls.append("init")
    return Pulse()
  }

  func didUnarchive(in context: ArchiveContext) { Self.calls.append("awake") }
}
