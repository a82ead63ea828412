import Arc
import ArcFormat
import Observation
import XCTest

/// When reading fails, nothing of a graph is left, whatever holds its links, and no code of the program is told.
final class LinkCuttingTests: XCTestCase {
  /// Two objects that hold each other by a link of some shape.
  private func assertNothingIsLeft<Object: Linked>(
    of type: Object.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let before = Pulse.living
    let unarchiver = Unarchiver(classes: try table([type, Ending.self, Stocked.self]))
    do {
      let (first, second) = (Object(), Object())
      (first.target, second.target) = (second, first)
      second.fails = true
      let bytes = try Archiver().archive(first)
      for _ in 0..<3 {
        XCTAssertThrowsError(try unarchiver.unarchive(type, from: bytes), file: file, line: line) {
          XCTAssertTrue($0 is Linked.Failure, "\($0)", file: file, line: line)
        }
      }
      second.fails = false
      let valid = try Archiver().archive(first)
      let copy = try unarchiver.unarchive(type, from: valid)
      XCTAssertTrue(copy.target?.target === copy, "linked as before", file: file, line: line)
      // Of two roots, one is not asked for.
      let both = try Archiver().archive(roots: ["cycle": first, "count": 7])
      XCTAssertEqual(
        try unarchiver.unarchive(roots: Unarchiver.Root("count", Int.self), from: both), 7)
      try Archiver.dismantle(first)
      try Archiver.dismantle(copy)
      XCTAssertNil(first.target, file: file, line: line)
    }
    XCTAssertEqual(Pulse.living, before, file: file, line: line)
  }

  func testLinkInAStructureIsCut() throws { try assertNothingIsLeft(of: StructureLinked.self) }
  func testLinkInAPayloadIsCut() throws { try assertNothingIsLeft(of: PayloadLinked.self) }
  func testLinkWithAnInitialObjectIsCut() throws { try assertNothingIsLeft(of: InitiallyLinked.self) }
  func testLinkInASetIsCut() throws { try assertNothingIsLeft(of: SetLinked.self) }
  func testLinkInAWrapperIsCut() throws { try assertNothingIsLeft(of: WrappedLinked.self) }
  func testLinkInAWrapperThatHidesItIsCut() throws { try assertNothingIsLeft(of: BoxedLinked.self) }
  func testLinkOfAnObservableClassIsCut() throws { try assertNothingIsLeft(of: ObservableLinked.self) }
  func testLinkInAWrapperWithAnInitialValueOfItsOwnIsCut() throws {
    try assertNothingIsLeft(of: DefaultedLinked.self)
  }
  func testLinkInAWrapperThatGotItsValueFromTheAttributeIsCut() throws {
    try assertNothingIsLeft(of: AttributedLinked.self)
  }
  func testLinkBesideAPropertyWithAnUnderscoreIsCut() throws {
    try assertNothingIsLeft(of: UnderscoredLinked.self)
  }
  func testLinkInAWrapperThatKeepsAnotherValueOfItsTypeIsCut() throws {
    try assertNothingIsLeft(of: FallbackLinked.self)
  }

  func testPropertyWithAnUnderscoreIsLeftAlone() throws {
    let object = UnderscoredLinked()
    object._next = object
    try Archiver.dismantle(object)
    XCTAssertTrue(object._next === object)
    object._next = nil
  }

  func testNoObjectIsMadeToLetGoOfOthersWhereALinkHasAnEmptyValue() throws {
    let first = Numbered()
    first.next = Numbered()
    first.next?.next = first
    let before = Numbered.madeCount
    try Archiver.dismantle(first)
    XCTAssertNil(first.next)
    XCTAssertEqual(Numbered.madeCount, before)
  }

  func testObjectsThatAreDismantledShareNoInitialObject() throws {
    let pair = [InitiallyLinked(), InitiallyLinked()]
    try Archiver.dismantle(pair)
    XCTAssertFalse(pair[0].next === pair[1].next)
  }

  func testInheritedLinkIsCut() throws { try assertNothingIsLeft(of: InheritedLinked.self) }

  func testObserversDoNotSeeThatAGraphIsLetGoOf() throws {
    let first = ObservedLinked()
    first.target = ObservedLinked()
    first.target?.target = first
    let bytes = try Archiver().archive(first)
    first.target?.fails = true
    let failing = try Archiver().archive(first)
    ObservedLinked.changes = []
    XCTAssertThrowsError(try Unarchiver().unarchive(ObservedLinked.self, from: failing))
    XCTAssertEqual(ObservedLinked.changes, ["link", "link"], "as when reading succeeds")
    ObservedLinked.changes = []
    let copy = try Unarchiver().unarchive(ObservedLinked.self, from: bytes)
    XCTAssertEqual(ObservedLinked.changes, ["link", "link"])
    try Archiver.dismantle(copy)
    try Archiver.dismantle(first)
    XCTAssertEqual(ObservedLinked.changes, ["link", "link"])
    XCTAssertNil(copy.target)
  }

  func testObserversOfASubclassDoNotSeeThatAGraphIsLetGoOf() throws {
    let first = OverridingLinked()
    first.target = OverridingLinked()
    first.target?.target = first
    first.fails = true
    let failing = try Archiver().archive(first)
    OverridingLinked.changes = []
    XCTAssertThrowsError(try Unarchiver().unarchive(OverridingLinked.self, from: failing))
    XCTAssertEqual(OverridingLinked.changes, ["link", "link"])
    try Archiver.dismantle(first)
    XCTAssertEqual(OverridingLinked.changes, ["link", "link"])
  }

  func testLinksOfAClassByHandThatCannotBeNilAreCut() throws {
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
        XCTAssertThrowsError(try Unarchiver().unarchive(HandLinked.self, from: bytes)) {
          XCTAssertTrue($0 is Linked.Failure, "\($0)")
        }
      }
      for object in [first, second] {
        (object.edge.target, object.payload, object.other, object.many) = (nil, .end, nil, [:])
      }
    }
    XCTAssertEqual(Pulse.living, before)
  }

  /// A stranger's file, within its limits and sound, that names nil for an object at its end.
  private func hostileChain(
    _ name: String, superclass: String? = nil, edge: String, _ value: (ObjectID?) -> ArchiveValue
  ) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("root", type: "@\"\(name)\"")])
    if let superclass { try builder.addClass(superclass, properties: []) }
    try builder.addClass(
      name, superclass: superclass,
      properties: [.init("edge", type: edge), .init("items", type: "$[@\"\(name)\"]")])
    let ids = try (0..<150_000).map { _ in try builder.reserveObject(of: name) }
    for (index, id) in ids.enumerated() {
      let next = index + 1 < ids.count ? ids[index + 1] : nil
      let items: [ArchiveValue] = next == nil ? [.reference(nil)] : []
      try builder.setValues(["edge": value(next), "items": .array(items)], of: id)
    }
    try builder.setRoots(["root": .reference(ids[0])])
    return try builder.finish()
  }

  func testDeepChainsOfEachShapeThatFailAreReleasedOnASmallStack() throws {
    let structure = try hostileChain("Plain", edge: "{Plain.Edge=\"target\"@\"Plain\"}") {
      .structure(name: "Plain.Edge", fields: [.init(name: "target", value: .reference($0))])
    }
    let payload = try hostileChain("Spun", edge: "$(Spun.Thread=\"end\"\"next\"{?=\"\"@\"Spun\"})") { next in
      guard let next else { return .enumeration(name: "Spun.Thread", case: "end", payload: nil) }
      let field = ArchiveValue.Field(name: "", value: .reference(next))
      return .enumeration(
        name: "Spun.Thread", case: "next", payload: .structure(name: "?", fields: [field]))
    }
    // The last one names nil in its link.
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

  func testDeepChainsOfEachShapeAreDismantledOnASmallStack() throws {
    try onSmallStack {
      func dismantled<Object: Linked>(_ type: Object.Type) throws {
        let before = Pulse.living
        do {
          let first = Object()
          var last = first
          for _ in 0..<200_000 {
            let next = Object()
            last.target = next
            last = next
          }
          last.target = first
          try Archiver.dismantle(first)
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

/// Objects that hold another one by a link of some shape, and can be told to fail when they were read.
private protocol Linked: ArchiveAwakening {
  typealias Failure = LinkFailure
  init()
  var target: Self? { get set }
  var fails: Bool { get set }
}

private struct LinkFailure: Error {}

extension Linked {
  func didUnarchive() throws { if fails { throw Failure() } }
}

@Archivable
private final class StructureLinked: Linked {
  @Archivable
  struct Edge { var target: StructureLinked? }
  @Archivable
  struct Outer { var edge: Edge = Edge() }

  var outer = Outer()
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: StructureLinked? {
    get { outer.edge.target }
    set { outer.edge.target = newValue }
  }
}

@Archivable
private final class PayloadLinked: Linked {
  @Archivable
  enum Thread {
    case end
    case next(PayloadLinked)
  }

  var thread: Thread = .end
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: PayloadLinked? {
    get { if case .next(let next) = thread { next } else { nil } }
    set { thread = newValue.map { .next($0) } ?? .end }
  }
}

@Archivable
private class Ending {
  init() {}
}

/// A link that is never nil: at the end stands an object that links to nothing.
@Archivable
private final class InitiallyLinked: Ending, Linked {
  var next = Ending()
  // Initial values of other types than the property's, and of types that only the property tells.
  var spare: Ending = Stocked()
  var second: Ending? = Stocked()
  var third: Ending = .init()
  var fourth: [Ending] = .init()
  var fifth: Ending = {
    // Several statements.
    let ending = Ending()
    return ending
  }()
  var fails = false
  @Transient private var pulse = Pulse()
  override init() { super.init() }

  var target: InitiallyLinked? {
    get { next as? InitiallyLinked }
    set { next = newValue ?? Ending() }
  }
}

@Archivable
private final class SetLinked: Linked, Hashable {
  var targets: Set<SetLinked> = []
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: SetLinked? {
    get { targets.first }
    set { targets = newValue.map { [$0] } ?? [] }
  }
  static func == (left: SetLinked, right: SetLinked) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@propertyWrapper
private struct Logged<Value> {
  private var stored: Value
  private(set) var changeCount = 0
  init(wrappedValue: Value) { stored = wrappedValue }
  var wrappedValue: Value {
    get { stored }
    set {
      stored = newValue
      changeCount += 1
    }
  }
}

@Archivable
private final class WrappedLinked: Linked {
  @Logged var edge = StructuredEdge()
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: WrappedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

/// Counts how many of its kind were made.
@Archivable
private final class Numbered {
  nonisolated(unsafe) static var madeCount = 0
  var next: Numbered?
  @Transient private var number: Int = {
    madeCount += 1
    return madeCount
  }()
}

private protocol Makeable { init() }

@propertyWrapper
private struct Defaulted<Value: Makeable> {
  var wrappedValue = Value()
}

@Archivable
private final class DefaultedLinked: Linked {
  @Archivable
  struct Edge: Makeable {
    var target: DefaultedLinked?
    init() {}
  }
  @Defaulted var edge: Edge
  var fails = false
  @Transient private var pulse = Pulse()

  var target: DefaultedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

@Archivable
private final class AttributedLinked: Linked {
  @Archivable
  struct Edge {
    var target: AttributedLinked?
    init() {}
  }
  @Logged(wrappedValue: Edge()) var edge: Edge
  var fails = false
  @Transient private var pulse = Pulse()

  var target: AttributedLinked? {
    get { edge.target }
    set { edge.target = newValue }
  }
}

@Archivable
private final class UnderscoredLinked: Linked {
  var next: UnderscoredLinked?
  @Transient var _next: UnderscoredLinked?
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: UnderscoredLinked? {
    get { next }
    set { next = newValue }
  }
}

private final class Reference<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@propertyWrapper
private struct Fallback<Value> {
  var fallback: Value
  private let reference: Reference<Value>
  init(wrappedValue: Value) {
    fallback = wrappedValue
    reference = Reference(wrappedValue)
  }
  var wrappedValue: Value {
    get { reference.value }
    set { reference.value = newValue }
  }
}

@Archivable
private final class FallbackLinked: Linked {
  @Fallback var next: FallbackLinked? = nil
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: FallbackLinked? {
    get { next }
    set { next = newValue }
  }
}

@Archivable
private struct StructuredEdge { var target: WrappedLinked? }

/// The runtime does not tell where it keeps its value.
@propertyWrapper
private final class Boxed<Value> {
  private var values: [Value]
  init(wrappedValue: Value) { values = [wrappedValue] }
  var wrappedValue: Value {
    get { values[0] }
    set { values[0] = newValue }
  }
}

@Archivable
private final class BoxedLinked: Linked {
  @Boxed var target: BoxedLinked? = nil
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}
}

@Archivable
@Observable
private final class ObservableLinked: Linked {
  var target: ObservableLinked?
  var fails = false
  @Transient @ObservationIgnored private var pulse = Pulse()
  init() {}
}

@Archivable
private class PlainLinked {
  private var edge: PlainLinked?
  fileprivate var own: PlainLinked? {
    get { edge }
    set { edge = newValue }
  }
  init() {}
}

/// Both levels have a private property of one name.
@Archivable
private final class InheritedLinked: PlainLinked, Linked {
  private var edge = 5
  var fails = false
  @Transient private var pulse = Pulse()
  override init() { super.init() }

  var target: InheritedLinked? {
    get { own as? InheritedLinked }
    set { own = newValue }
  }
}

@Archivable
private final class ObservedLinked: Linked {
  nonisolated(unsafe) static var changes: [String] = []

  var target: ObservedLinked? { didSet { Self.changes.append(target == nil ? "nil" : "link") } }
  var fails = false
  init() {}
}

@Archivable
private class OverriddenLinked: ArchiveAwakening {
  var target: OverriddenLinked?
  var fails = false
  init() {}
  func didUnarchive() throws { if fails { throw LinkFailure() } }
}

@Archivable
private final class OverridingLinked: OverriddenLinked {
  nonisolated(unsafe) static var changes: [String] = []

  override init() { super.init() }
  override var target: OverriddenLinked? {
    didSet { Self.changes.append(target == nil ? "nil" : "link") }
  }
}

private final class HandLinked: ArchiveAwakening {
  @Archivable
  struct Edge { var target: HandLinked? }
  @Archivable
  enum Thread {
    case end
    case next(HandLinked)
  }

  var edge = Edge()
  var payload = Thread.end
  var other: HandLinked?
  var many: [String: Thread] = [:]
  var fails = false
  private var pulse = Pulse()

  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {
    fails = try decoder.decode(Bool.self, forKey: "fails")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(fails, forKey: "fails")
    try encoder.encode(edge, forKey: "edge")
    try encoder.encode(payload, forKey: "payload")
    try encoder.encode(other, forKey: "other")
    try encoder.encode(many, forKey: "many")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    many = try decoder.decode([String: Thread].self, forKey: "many")
    edge = try decoder.decode(Edge.self, forKey: "edge")
    payload = try decoder.decode(Thread.self, forKey: "payload")
    other = try decoder.decode(HandLinked.self, forKey: "other")
  }
  func didUnarchive() throws { if fails { throw LinkFailure() } }
}

/// The classes of strangers' files: a link of some shape, and a list that must not hold nil.
@Archivable
private final class Plain {
  @Archivable
  struct Edge { var target: Plain? }
  var edge = Edge()
  var items: [Plain] = []
  init() {}
}

@Archivable
private final class Spun {
  @Archivable
  enum Thread {
    case end
    case next(Spun)
  }
  var edge = Thread.end
  var items: [Spun] = []
  init() {}
}

@Archivable
private final class Stocked: Ending {
  var edge = Ending()
  var items: [Stocked] = []
  override init() { super.init() }
}
