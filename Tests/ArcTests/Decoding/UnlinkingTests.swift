import ArcArchive
import ArcFormat
import ArcTestSupport
import Observation
import XCTest

@testable import Arc

/// When reading fails, no object of the graph survives, for each form of links, and no code of the program
/// runs.
final class UnlinkingTests: XCTestCase {
  /// Asserts this for two objects that refer to each other by a link of some form.
  private func assertNothingIsLeft<Object: Linked>(
    of type: Object.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try ClassTable(registering: [type, Ending.self, Stocked.self]))
    do {
      let (first, second) = (Object(), Object())
      (first.target, second.target) = (second, first)
      second.fails = true
      let bytes = try Archiver().archive(first)
      for _ in 0..<3 {
        assertThrows(Linked.Failure.self, file: file, line: line) {
          try unarchiver.unarchive(type, from: bytes)
        }
      }
      second.fails = false
      let valid = try Archiver().archive(first)
      let copy = try unarchiver.unarchive(type, from: valid)
      XCTAssertTrue(copy.target?.target === copy, "linked as before", file: file, line: line)
      // The caller reads only one of two roots.
      let both = try Archiver().archive(roots: ["cycle": first, "count": 7])
      XCTAssertEqual(try unarchiver.unarchive(Int.self, from: both, root: "count"), 7)
      try ObjectGraph.release(first)
      try ObjectGraph.release(copy)
      XCTAssertNil(first.target, file: file, line: line)
    }
    XCTAssertEqual(Pulse.living, before, file: file, line: line)
  }

  func testFailedReadFreesCycleThroughStructure() throws { try assertNothingIsLeft(of: StructureLinked.self) }
  func testFailedReadFreesCycleThroughAssociatedValue() throws {
    try assertNothingIsLeft(of: PayloadLinked.self)
  }
  func testFailedReadFreesCycleThroughInitiallySetProperty() throws {
    try assertNothingIsLeft(of: InitiallyLinked.self)
  }
  func testFailedReadFreesCycleThroughExistential() throws { try assertNothingIsLeft(of: AnyTypeLinked.self) }
  func testFailedReadFreesCycleThroughSet() throws { try assertNothingIsLeft(of: SetLinked.self) }
  func testFailedReadFreesCycleThroughPropertyWrapper() throws {
    try assertNothingIsLeft(of: WrappedLinked.self)
  }
  func testFailedReadFreesCycleThroughHiddenWrapperValue() throws {
    try assertNothingIsLeft(of: BoxedLinked.self)
  }
  func testFailedReadFreesCycleOfObservableObjects() throws {
    try assertNothingIsLeft(of: ObservableLinked.self)
  }
  func testFailedReadFreesCycleThroughSelfInitializingWrapper() throws {
    try assertNothingIsLeft(of: DefaultedLinked.self)
  }
  func testFailedReadFreesCycleThroughAttributeInitializedWrapper() throws {
    try assertNothingIsLeft(of: AttributedLinked.self)
  }
  func testFailedReadFreesCycleDespiteUnderscoredProperty() throws {
    try assertNothingIsLeft(of: UnderscoredLinked.self)
  }
  func testFailedReadFreesCycleThroughWrapperWithFallback() throws {
    try assertNothingIsLeft(of: FallbackLinked.self)
  }

  func testReleaseDoesNotChangeUnderscoredProperties() throws {
    let object = UnderscoredLinked()
    object._next = object
    try ObjectGraph.release(object)
    XCTAssertTrue(object._next === object)
    object._next = nil
  }

  func testReleaseResetsOptionalLinkWithoutCreatingObjects() throws {
    let first = NumberedBox()
    first.next = NumberedBox()
    first.next?.next = first
    let before = NumberedBox.madeCount
    try ObjectGraph.release(first)
    XCTAssertNil(first.next)
    XCTAssertEqual(NumberedBox.madeCount, before)
  }

  func testReleasedObjectsHaveSeparateInitialObjects() throws {
    let pair = [InitiallyLinked(), InitiallyLinked()]
    try ObjectGraph.release(pair)
    XCTAssertFalse(pair[0].next === pair[1].next)
  }

  func testFailedReadFreesCycleThroughInheritedProperty() throws {
    try assertNothingIsLeft(of: InheritedLinked.self)
  }

  func testObserversDoNotRunDuringLinkingAndReleasing() throws {
    let first = ObservedLinked()
    first.target = ObservedLinked()
    first.target?.target = first
    let bytes = try Archiver().archive(first)
    first.target?.fails = true
    let failing = try Archiver().archive(first)
    ObservedLinked.changes = []
    XCTAssertThrowsError(try Unarchiver().unarchive(ObservedLinked.self, from: failing))
    XCTAssertEqual(ObservedLinked.changes, [])
    let copy = try Unarchiver().unarchive(ObservedLinked.self, from: bytes)
    XCTAssertEqual(ObservedLinked.changes, [])
    try ObjectGraph.release(copy)
    try ObjectGraph.release(first)
    XCTAssertEqual(ObservedLinked.changes, [])
    XCTAssertNil(copy.target)
  }

  func testSubclassObserversDoNotRunDuringLinking() throws {
    let first = OverridingLinked()
    first.target = OverridingLinked()
    first.target?.target = first
    first.fails = true
    let failing = try Archiver().archive(first)
    OverridingLinked.changes = []
    XCTAssertThrowsError(try Unarchiver().unarchive(OverridingLinked.self, from: failing))
    XCTAssertEqual(OverridingLinked.changes, [])
    try ObjectGraph.release(first)
    XCTAssertEqual(OverridingLinked.changes, [])
  }

  func testFailedReadFreesCycleOfHandWrittenClass() throws {
    let before = Pulse.living
    do {
      let (first, second) = (HandLinked(), HandLinked())
      for (one, other) in [(first, second), (second, first)] {
        one.edge.target = other
        one.payload = .next(other)
        one.other = other
        one.many = ["a": .next(other)]
      }
      second.fails = true
      let bytes = try Archiver().archive(first)
      for _ in 0..<3 {
        assertThrows(Linked.Failure.self) { try Unarchiver().unarchive(HandLinked.self, from: bytes) }
      }
      for object in [first, second] {
        (object.edge.target, object.payload, object.other, object.many) = (nil, .end, nil, [:])
      }
    }
    XCTAssertEqual(Pulse.living, before)
  }

  /// Returns a valid crafted file within the limits. The last object has nil for a required object.
  private func hostileChain(
    _ name: String, superclass: String? = nil, edge: String, _ value: (ObjectID?) -> ArchiveValue
  ) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("root", type: "@\"\(name)\"")])
    if let superclass { try builder.addClass(superclass, properties: []) }
    try builder.addClass(
      name, superclass: superclass,
      properties: [.init("edge", type: edge), .init("items", type: "$[@\"\(name)\"]")])
    let count = RandomTrials.size(usually: 8_000, exhaustively: 150_000)
    let ids = try builder.reserveObjects(ofClass: name, count: count)
    let next = ids.dropFirst().map { Optional($0) } + [nil]
    let items: [ArchiveValue] = next.map { .array($0 == nil ? [.reference(nil)] : []) }
    try builder.setValues([.init("edge", next.map(value)), .init("items", items)], of: ids)
    try builder.setRoots(["root": .reference(ids[0])])
    return try builder.finish()
  }

  func testFailedReadReleasesDeepChainsOnSmallStack() throws {
    let structure = try hostileChain("Plain", edge: "{Plain.Edge=\"target\"@\"Plain\"}") {
      .structure(name: "Plain.Edge", fields: [.init(name: "target", value: .reference($0))])
    }
    let payload = try hostileChain("Spun", edge: "$(Spun.Thread=\"end\"\"next\"{?=\"\"@\"Spun\"})") { next in
      guard let next else { return .enumeration(name: "Spun.Thread", case: "end", payload: nil) }
      let field = ArchiveValue.Field(name: "", value: .reference(next))
      return .enumeration(name: "Spun.Thread", case: "next", payload: .structure(name: "?", fields: [field]))
    }
    // The link of the last object is nil.
    let initial = try hostileChain("Stocked", superclass: "Ending", edge: "@\"Ending\"") { .reference($0) }
    try onSmallStack {
      func code(_ body: () throws -> Void) -> ArchiveError.Code? {
        do { try body() } catch { return (error as? ArchiveError)?.code }
        return nil
      }
      let unarchiver = Unarchiver(limits: .untrusted)
      XCTAssertEqual(code { _ = try unarchiver.unarchive(Plain.self, from: structure) }, .nilReference)
      XCTAssertEqual(code { _ = try unarchiver.unarchive(Spun.self, from: payload) }, .nilReference)
      XCTAssertEqual(code { _ = try unarchiver.unarchive(Stocked.self, from: initial) }, .nilReference)
    }
  }

  func testDeepChainsAreDismantledOnASmallStack() throws {
    let count = RandomTrials.size(usually: 8_000, exhaustively: 200_000)
    try onSmallStack {
      func dismantled<Object: Linked>(_ type: Object.Type) throws {
        let before = Pulse.living
        do {
          let first = Object()
          var last = first
          for _ in 0..<count {
            let next = Object()
            last.target = next
            last = next
          }
          last.target = first
          try ObjectGraph.release(first)
        }
        XCTAssertEqual(Pulse.living, before, "\(type)")
      }
      try dismantled(StructureLinked.self)
      try dismantled(PayloadLinked.self)
      try dismantled(InitiallyLinked.self)
      try dismantled(WrappedLinked.self)
      try dismantled(ObservableLinked.self)
    }
  }
}
