import Arc
import ArcTestSupport
import XCTest

/// What the caller's roots do not reach is let go of.
final class UnreachableObjectTests: XCTestCase {
  func testCyclesThatTheCallersRootsDoNotReachAreFreed() throws {
    let first = Counted()
    first.other = Counted()
    first.other?.other = first
    let bytes = try Archiver().archive(roots: ["cycle": first, "count": 1])
    try releaseGraph(first)
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [Counted.self]))
    for _ in 0..<10 {
      XCTAssertEqual(try unarchiver.unarchive(Int.self, from: bytes, root: "count"), 1)
    }
    XCTAssertEqual(Pulse.living, before)
    let copy = try unarchiver.unarchive(Counted.self, from: bytes, root: "cycle")
    XCTAssertTrue(copy.other?.other === copy)
    try releaseGraph(copy)
  }

  func testCycleBehindAPropertyThatTheProgramNoLongerHasIsFreed() throws {
    let holder = OldHolder()
    let counted = Counted()
    counted.other = counted
    holder.counted = counted
    let bytes = try Archiver().archive(holder)
    counted.other = nil
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [Counted.self]))
    XCTAssertEqual(try unarchiver.unarchive(NewHolder.self, from: bytes).kept, 1)
    XCTAssertEqual(Pulse.living, before)
  }

  func testGraphWithAnObjectThatPerhapsNoRootHoldsIsBuiltTwice() throws {
    let old = old(gone: nil)
    old.twin = OldNoted()
    let bytes = try Archiver().archive(old)
    old.link = nil
    Noted.calls = []
    let copy = try Unarchiver().unarchive(QuietNoted.self, from: bytes)
    XCTAssertEqual(Noted.calls, ["init", "init", "init", "init"])
    XCTAssertTrue(copy.link === copy)
    copy.link = nil
  }

  func testObjectsOfClassesThatNothingLeadsToAreNotBuilt() throws {
    let old = old(gone: Counted())
    let bytes = try Archiver().archive(old)
    old.link = nil
    Noted.calls = []
    let copy = try Unarchiver().unarchive(QuietNoted.self, from: bytes)
    XCTAssertEqual(Noted.calls, ["init"])
    XCTAssertTrue(copy.link === copy)
    copy.link = nil
  }

  private func old(gone: Counted?) -> OldNoted {
    let old = OldNoted()
    old.link = old
    old.gone = gone
    return old
  }

  func testGraphOfObjectsThatAwakeIsBuiltOnceAndAwokenOnce() throws {
    for gone in [nil, Counted()] {
      let old = old(gone: gone)
      let bytes = try Archiver().archive(old)
      old.link = nil
      Noted.calls = []
      let unarchiver = Unarchiver(classes: try ClassTable(registering: [Counted.self]))
      let copy = try unarchiver.unarchive(Noted.self, from: bytes)
      XCTAssertTrue(copy.link === copy)
      XCTAssertEqual(Noted.calls, ["init", "awake"])
      copy.link = nil
    }
  }
}

@Archivable
final class Counted {
  var other: Counted?
  @Transient private var pulse = Pulse()
  init() {}
}

@Archivable("Pair of counted")
final class OldHolder {
  var kept = 1
  var counted: Counted?
  init() {}
}

@Archivable("Pair of counted")
final class NewHolder {
  var kept = 0
  init() {}
}

@Archivable("Noted")
final class OldNoted {
  var link: OldNoted?
  var gone: Counted?
  var twin: OldNoted?
  init() {}
}

@Archivable("Noted")
final class QuietNoted {
  var link: QuietNoted?
  @Transient private var pulse = Noted.makePulse()
  init() {}
}

@Archivable("Noted")
final class Noted: UnarchiveFinishing {
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
