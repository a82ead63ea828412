import Arc
import ArcTestSupport
import ArcTesting
import XCTest

final class HashingTests: XCTestCase {
  func testSetFindsElementsWhoseHashNeedsTheirOwner() throws {
    let club = Club("Chess")
    for id in 0..<100 { club.members.insert(Member(id, in: club)) }
    let copy = try roundTrip(club)
    XCTAssertEqual(copy.members.count, 100)
    for member in copy.members {
      XCTAssertTrue(copy.members.contains(member))
      XCTAssertTrue(member.club === copy)
    }
    XCTAssertTrue(copy.members.contains(Member(42, in: copy)))
  }

  func testNestedSetsFindTheirElements() throws {
    var outer = Nest(0)
    for id in 1..<40 {
      let next = Nest(id)
      next.inner = [outer, Nest(1000 + id)]
      outer = next
    }
    var level: Nest? = try roundTrip(outer)
    var depth = 0
    while let nest = level {
      XCTAssertTrue(nest.inner.allSatisfy { nest.inner.contains($0) })
      level = nest.inner.first { $0.id < 1000 }
      depth += 1
    }
    XCTAssertEqual(depth, 40)
  }

  func testDictionaryKeyedByObjectsFindsItsKeys() throws {
    let object = Collections()
    let club = Club("Go")
    for id in 0..<10 {
      let member = Member(id, in: club)
      club.members.insert(member)
      object.byPerson[member] = id
    }
    let copy = try roundTrip(Pair(first: object, second: club))
    XCTAssertEqual(copy.second.members.count, 10)
    for member in copy.second.members { XCTAssertEqual(copy.first.byPerson[member], member.id) }
  }

  func testHashThatDependsOnSetSizeStabilizes() throws {
    let ring = Ring()
    ring.members = [ring, Ring()]
    let copy = try roundTrip(ring)
    XCTAssertEqual(copy.members.count, 2)
    XCTAssertTrue(copy.members.contains(copy))
    try ObjectGraph.release(copy)
    try ObjectGraph.release(ring)
  }

  func testKeysThatCanReachTheirOwnerAreListed() throws {
    XCTAssertEqual(try Unarchiver().cyclicKeys(in: Nest.self), ["Nest.inner"])
    XCTAssertEqual(try Unarchiver().cyclicKeys(in: [Club].self), ["Club.members"], "by the unowned way back")
    XCTAssertEqual(try Unarchiver().cyclicKeys(in: Ring?.self), ["Ring.members"])
    XCTAssertEqual(try Unarchiver().cyclicKeys(in: Int.self), [])
    let classes = ClassTable(scope: .declared)
    XCTAssertEqual(try Unarchiver(classes: classes).cyclicKeys(in: Shelf.self), [], "their keys lead nowhere")
    // An undeclared subclass can contain a back reference.
    XCTAssertEqual(try Unarchiver(classes: classes).cyclicKeys(in: Drawer.self), [])
    try classes.register(SecretLabel.self)
    XCTAssertEqual(try Unarchiver(classes: classes).cyclicKeys(in: Drawer.self), ["Drawer.labels"])
    XCTAssertEqual(try Unarchiver().cyclicKeys(in: Drawer.self), ["Drawer.labels"])
  }

  func testHashThatNeverStabilizesIsAnError() throws {
    let whirl = Whirl()
    whirl.members = [Whirl()]
    assertThrows(.hashCycle, "class 'Whirl', key 'members'") { try roundTrip(whirl) }
  }

  func testSetWithElementsThatBecomeEqualIsRefused() throws {
    let (club, other) = (LooseClub("X"), LooseClub("X"))
    club.members = [LooseMember(1, in: club), LooseMember(1, in: other)]
    let bytes = try Archiver().archive([club, other])
    XCTAssertEqual(try Unarchiver().unarchive([LooseClub].self, from: bytes)[0].members.count, 2)
    assertThrows(.hashCycle, "class 'Club', key 'members'") {
      try Unarchiver().unarchive([Club].self, from: bytes)
    }
  }
}

@Archivable private final class Shelf {
  var byLabel: [Label: Int] = [:]
  var names: Set<String> = []
  init() {}
}

@Archivable private final class Drawer {
  var labels: Set<Label> = []
  init() {}
}

@Archivable private class Label: Hashable {
  var text = ""
  init() {}
  static func == (left: Label, right: Label) -> Bool { left.text == right.text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

@Archivable private final class SecretLabel: Label {
  var drawer: Drawer?
  override init() { super.init() }
}

/// Like the class of other tests, but each member is equal only to itself.
@Archivable("Member") final class LooseMember: HashedByIdentity {
  let id: Int
  unowned var club: LooseClub
  init(_ id: Int, in club: LooseClub) {
    self.id = id
    self.club = club
  }
}

@Archivable("Club") final class LooseClub {
  var name: String
  var members: Set<LooseMember> = []
  init(_ name: String) { self.name = name }
}

/// Hashes by the size of the set that it is in.
@Archivable final class Ring: Hashable {
  var members: Set<Ring> = []
  static func == (left: Ring, right: Ring) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(members.count) }
}

/// Breaks the rule of `Hashable`: each call returns another hash.
@Archivable final class Whirl: Hashable {
  var members: Set<Whirl> = []
  nonisolated(unsafe) static var calls = 0
  static func == (left: Whirl, right: Whirl) -> Bool { left === right }
  func hash(into hasher: inout Hasher) {
    Self.calls += 1
    hasher.combine(Self.calls)
  }
}
