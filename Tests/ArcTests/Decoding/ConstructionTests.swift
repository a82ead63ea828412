import Arc
import ArcTestSupport
import XCTest

final class ConstructionTests: XCTestCase {
  func testTargetsOfLetPropertiesAreBuiltFirst() throws {
    let shared = LetNode(3, nil)
    let copy = try roundTrip([LetNode(1, shared), LetNode(2, shared), shared])
    XCTAssertEqual(copy.map(\.value), [1, 2, 3])
    XCTAssertTrue(copy[0].next === copy[2])
    XCTAssertTrue(copy[1].next === copy[2])
  }

  func testCycleThroughAVarPropertyIsRestored() throws {
    let holder = Holder()
    let spouse = Spouse(holder)
    holder.spouse = spouse
    spouse.partner = spouse
    let copy = try roundTrip(spouse)
    XCTAssertTrue(copy.other.spouse === copy)
    XCTAssertTrue(copy.partner === copy)
    try ObjectGraph.release(copy)
    try ObjectGraph.release(spouse)
  }

  func testCycleOfLetPropertiesIsRefusedWithPath() throws {
    let first = Knot(nil)
    let second = Knot(first)
    first.other = [second]
    assertThrows(.constructionCycle, "Knot.boxed → Knot.boxed → Knot") { try Archiver().archive(first) }
    first.other = []
  }

  func testLongChainRoundTripsOnSmallStack() throws {
    let length = RandomTrials.size(usually: 20_000, exhaustively: 1_000_000)
    try onSmallStack {
      let (head, _) = chain(of: length, ChainNode.init) { $0.next = $1 }
      let copy = try reread(head, as: ChainNode.self)
      var node: ChainNode? = copy
      var count = 0
      while let current = node {
        guard current.value == count else { return XCTFail("\(current.value) at \(count)") }
        count += 1
        node = current.next
      }
      XCTAssertEqual(count, length)
      try ObjectGraph.release(copy)
      try ObjectGraph.release(head)
    }
  }

  func testConstructionChainRoundTripsOnSmallStack() throws {
    let length = RandomTrials.size(usually: 25_000, exhaustively: 100_000)
    try onSmallStack {
      var head = LetNode(0, nil)
      for value in 1..<length { head = LetNode(value, head) }
      let copy = try reread(head, as: LetNode.self)
      var node: LetNode? = copy
      var expected = length - 1
      while let current = node {
        guard current.value == expected else { return XCTFail("\(current.value) at \(expected)") }
        expected -= 1
        node = current.next
      }
      XCTAssertEqual(expected, -1)
      // A chain of `let` references cannot be divided. Both heads are leaked, because releasing a chain is
      // recursive and would overflow this stack.
      _ = Unmanaged.passRetained(copy)
      _ = Unmanaged.passRetained(head)
    }
  }

  func testUnownedTargetWithoutOwnerIsAnError() throws {
    let owner = Person("Owner")
    let object = Declarations(constant: 1, bare: 2, owner: owner)
    assertThrows(.unownedTarget, "owner") { try Archiver().archive(object) }
    withExtendedLifetime(owner) {}
  }

  func testSubclassWithoutArchivableMacroIsRefused() throws {
    assertThrows(.notArchivable, "Impostor") { try Archiver().archive(Impostor("X") as Person) }
  }

  func testUnregisteredSubclassIsAnErrorWithARemedy() throws {
    let ada = Person("Ada")
    ada.friends = [Employee("Eve")]
    let bytes = try Archiver().archive(ada)
    let remedies =
      #"register the class with try classes.register(Employee.self); if it was renamed, with "#
      + #"try classes.register(NewName.self, formerly: "Employee"); if it was removed, or a newer release "#
      + "added it, read the file without its objects: Unarchiver(unknownContent: .leaveOut), or "
      + ".preserve(in: content) to save them again"
    assertThrows(.unknownClass, remedies) {
      try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(Person.self, from: bytes)
    }
  }

  func testErrorSuggestsRegisteringInTheSharedTable() throws {
    let bytes = try Archiver().archive([OldChain(1)])
    assertThrows(.unknownClass, "try ClassTable.shared.register(NewName.self, formerly") {
      try Unarchiver().unarchive([ChainNode].self, from: bytes)
    }
  }

  func testRegisteredAliasReadsARenamedClass() throws {
    let classes = ClassTable()
    try classes.register(ChainNode.self, as: "OldChain")
    let bytes = try Archiver().archive(OldChain(4))
    XCTAssertEqual(try Unarchiver(classes: classes).unarchive(ChainNode.self, from: bytes).value, 4)
  }

  func testPropertyObserversDoNotRunDuringReading() throws {
    let filled = try roundTrip(Filled())
    XCTAssertEqual(filled.calls, ["init"])
    XCTAssertEqual(try roundTrip(FilledBelow()).calls, [])
    XCTAssertEqual(try roundTrip(Initialized()).calls, [])
  }

  func testWrongRootTypeIsReportedWithBothTypes() throws {
    let bytes = try Archiver().archive(Person("Ada"))
    assertThrows(.typeMismatch, "found the root 'root' of type 'Person', expected a root of type 'Int' (") {
      try Unarchiver().unarchive(Int.self, from: bytes)
    }
    assertThrows(
      .typeMismatch, "found the root 'root' of type 'Person', expected a root of type '[Int: Person]' ("
    ) {
      try Unarchiver().unarchive([Int: Person].self, from: bytes)
    }
    assertThrows(
      .wrongClass, "found the root 'root', object #1 of class 'Person', expected an object of class 'Club'"
    ) {
      try Unarchiver(classes: ClassTable(registering: [Person.self])).unarchive(Club.self, from: bytes)
    }
    // No declared type of a chain reaches persons.
    assertThrows(.unknownClass, "the root 'root' is of type 'Person', not of type 'ChainNode' as asked for") {
      try Unarchiver(classes: ClassTable()).unarchive(ChainNode.self, from: bytes)
    }
  }
}

/// References in an array of a structure that `init` must set: the property is neither optional nor has an
/// initial value.
@Archivable struct Strand { var knots: [Knot] }

@Archivable final class Knot {
  let strand: Strand?
  @Transient var unused = 0
  private var boxed: KnotBox
  var other: [Knot] {
    get { boxed.knots.knots }
    set { boxed = KnotBox(knots: Strand(knots: newValue)) }
  }
  init(_ other: Knot?) {
    strand = nil
    boxed = KnotBox(knots: Strand(knots: other.map { [$0] } ?? []))
  }
}

@Archivable struct KnotBox { var knots: Strand }

@Archivable("OldChain") final class OldChain {
  var value: Int
  var next: OldChain?
  init(_ value: Int) { self.value = value }
}

/// A final class without an initializer of its own. Its properties are set after `init()`.
@Archivable private final class Filled {
  @Transient var calls: [String] = ["init"]
  var value = 1 { didSet { calls.append("didSet value") } }
}

@Archivable private class Initialized {
  @Transient var calls: [String] = []
  var value = 1 { didSet { calls.append("didSet value") } }
  init() {}
}

/// A class that inherits its initializers.
@Archivable private final class FilledBelow: Initialized {
  var own = 1 { didSet { calls.append("didSet value") } }
}
