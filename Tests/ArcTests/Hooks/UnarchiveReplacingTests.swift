import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// The hook `replacementAfterUnarchiving(in:)`.
final class UnarchiveReplacingTests: XCTestCase {
  func testReplacementDuringReadingAffectsEveryReference() throws {
    let recorder = Recorder()
    let known = Symbol("x")
    recorder.known = ["x": known]
    let term = Term(Symbol("x"))
    term.symbols = [term.symbol, Symbol("y"), term.symbol]
    term.symbols[1].link = term.symbol
    term.last = term.symbol
    term.owned = term.symbol
    term.values = [term.symbol: 1]
    term.all = [term.symbol, term.symbols[1]]
    let bytes = try Archiver().archive(term)
    for _ in 0..<2 {
      let copy = try Unarchiver(recorder).unarchive(Term.self, from: bytes)
      XCTAssertTrue(copy.symbol === known)
      XCTAssertEqual(copy.symbols.map { $0 === known }, [true, false, true])
      XCTAssertTrue(copy.last === known && copy.owned === known)
      XCTAssertEqual(copy.values[known], 1)
      XCTAssertTrue(copy.all.contains(known) && copy.all.contains(copy.symbols[1]))
      XCTAssertEqual(copy.symbols[1].note, "linked")
    }
    XCTAssertEqual(known.note, "", "neither linked nor awoken")
    XCTAssertEqual(
      recorder.calls, ["replace x", "replace y", "awake y", "replace x", "replace y", "awake y"])
  }

  func testRootIsReplacedWhenReading() throws {
    let recorder = Recorder()
    recorder.known = ["x": Symbol("x")]
    let bytes = try Archiver().archive(Symbol("x"))
    XCTAssertTrue(try Unarchiver(recorder).unarchive(Symbol.self, from: bytes) === recorder.known["x"])
  }

  func testEqualObjectsCanBeReplacedByOneObject() throws {
    let recorder = Recorder()
    recorder.unites = true
    let terms = (0..<3).map { _ in Term(Symbol("x")) }
    for term in terms { term.symbols = [Symbol("x")] }
    let copy = try Unarchiver(recorder).unarchive([Term].self, from: Archiver().archive(terms))
    XCTAssertEqual(Set(copy.flatMap { [$0.symbol] + $0.symbols }.map(ObjectIdentifier.init)).count, 1)
    XCTAssertEqual(recorder.calls.filter { $0 == "awake x" }.count, 1)
  }

  func testKeysReplacedByOneObjectAreRefused() throws {
    let recorder = Recorder()
    recorder.unites = true
    let term = Term(Symbol("z"))
    term.all = [Symbol("x"), Symbol("x")]
    let bytes = try Archiver().archive(term)
    assertThrows(.hashCycle) { try Unarchiver(recorder).unarchive(Term.self, from: bytes) }
  }

  func testReplacedObjectsDoNotShiftOtherValues() throws {
    // Links, links with observers and hashed properties, in runs of rows with some replaced objects.
    let nodes = (0..<50).map { Junction($0) }
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % 50]
      node.observed = nodes[(index + 2) % 50]
      node.keys = [nodes[(index + 3) % 50]: index]
      node.byHand = ByHand(index)
      node.byHand.next = nodes[(index + 4) % 50]
    }
    let bytes = try Archiver().archive(nodes)
    let recorder = Recorder()
    for index in stride(from: 0, to: 50, by: 3) { recorder.known["\(index)"] = Junction(-index) }
    for index in stride(from: 0, to: 50, by: 4) { recorder.known["by hand \(index)"] = ByHand(-index) }
    let copy = try Unarchiver(recorder).unarchive([Junction].self, from: bytes)
    for (index, node) in copy.enumerated() {
      guard index % 3 != 0 else {
        XCTAssertTrue(node === recorder.known["\(index)"])
        XCTAssertTrue(node.next == nil && node.observed == nil && node.keys.isEmpty)
        continue
      }
      XCTAssertEqual(node.number, index)
      XCTAssertTrue(node.next === copy[(index + 1) % 50])
      XCTAssertTrue(node.observed === copy[(index + 2) % 50])
      XCTAssertEqual(node.keys[copy[(index + 3) % 50]], index)
      XCTAssertEqual(node.byHand.number, index % 4 == 0 ? -index : index)
      if index % 4 != 0 { XCTAssertTrue(node.byHand.next === copy[(index + 4) % 50]) }
    }
    try ObjectGraph.release(nodes)
    try ObjectGraph.release(copy)
  }

  func testReplacementOutsideTheDeclaredClassIsRefused() throws {
    let recorder = Recorder()
    recorder.known = ["x": Junction(1)]
    let bytes = try Archiver().archive(Term(Symbol("x")))
    assertThrows(
      .wrongClass,
      "object #1 of class 'Junction', which replaces an object of class 'Symbol', expected an object of class 'Symbol'"
    ) { try Unarchiver(recorder).unarchive(Term.self, from: bytes) }
    recorder.known = ["x": BoldSymbol("x")]
    XCTAssertTrue(try Unarchiver(recorder).unarchive(Term.self, from: bytes).symbol is BoldSymbol)
  }

  func testFailedReadingDoesNotChangeExistingObjects() throws {
    let recorder = Recorder()
    let known = Junction(0)
    (known.next, known.observed, known.byHand.next) = (known, known, known)
    known.keys = [known: 1]
    recorder.known = ["7": known]
    let nodes = [Junction(7), Junction(8), Junction(9)]
    nodes[1].next = nodes[0]
    nodes[2].byHand.next = nodes[0]
    nodes[0].next = nodes[1]
    let bytes = try Archiver().archive(nodes)
    let before = Pulse.living
    for failure in ["awake 9", "replace 9"] {
      recorder.failing = (failure, ArchiveError(.valueOutOfRange, found: "no node"))
      assertThrows(.valueOutOfRange, "found no node (class 'Junction', object #3)") {
        try Unarchiver(recorder).unarchive([Junction].self, from: bytes)
      }
      recorder.built = [:]
      XCTAssertTrue(known.next === known && known.observed === known && known.byHand.next === known)
      XCTAssertEqual(known.keys, [known: 1])
      XCTAssertEqual(Pulse.living, before, "nothing of the graph is left")
      recorder.failing = (failure, HookFailure())
      assertThrows(HookFailure.self) { try Unarchiver(recorder).unarchive([Junction].self, from: bytes) }
    }
    recorder.failing = nil
    XCTAssertTrue(try Unarchiver(recorder).unarchive([Junction].self, from: bytes)[1].next === known)
    try ObjectGraph.release([known] + nodes)
  }

  func testObjectsReferencedOnlyByReplacedObjectsAreFreed() throws {
    let recorder = Recorder()
    recorder.known = ["1": Junction(-1)]
    let replaced = Junction(1)
    let (first, second) = (Junction(2), Junction(3))
    (replaced.next, first.next, second.next) = (first, second, first)
    let bytes = try Archiver().archive([replaced])
    let before = Pulse.living
    for _ in 0..<3 {
      let copy = try Unarchiver(recorder).unarchive([Junction].self, from: bytes)
      XCTAssertTrue(copy[0] === recorder.known["1"])
      recorder.built = [:]
      XCTAssertEqual(Pulse.living, before)
    }
    XCTAssertEqual(recorder.calls.filter { $0 == "replace 1" }.count, 3, "asked once for each reading")
    XCTAssertFalse(recorder.calls.contains("awake 2"), "no root holds it")
    try ObjectGraph.release(first)
  }

  func testObjectUsedOnlyAsReplacementKeepsItsReferences() throws {
    // A link of #2 refers to #1. #2 is replaced by another object, and #1 replaces #3.
    let recorder = Recorder()
    recorder.known = ["2": Junction(-2)]
    let (one, two, three) = (Junction(1), Junction(2), Junction(3))
    one.next = Junction(4)
    two.next = one
    recorder.substitutes = ["3": "1"]
    let bytes = try Archiver().archive(roots: ["one": one, "others": [two, three]])
    let copy = try Unarchiver(recorder).unarchive([Junction].self, from: bytes, root: "others")
    XCTAssertEqual(copy[1].number, 1)
    XCTAssertEqual(copy[1].next?.number, 4)
  }

  func testUnownedReferenceToReplacementNeedsAnOwner() throws {
    let recorder = Recorder()
    let replaced = Junction(1)
    replaced.next = Junction(2)
    let owner = UnownedHolder(replaced, replaced.next)
    let bytes = try Archiver().archive(owner)
    // The object that retained #2 was replaced by an object that does not retain it.
    recorder.known = ["1": Junction(-1)]
    assertThrows(.unownedTarget) { try Unarchiver(recorder).unarchive(UnownedHolder.self, from: bytes) }
    // Reading succeeds if the program retains the replacement.
    let kept = Junction(-2)
    recorder.known["2"] = kept
    let copy = try Unarchiver(recorder).unarchive(UnownedHolder.self, from: bytes)
    XCTAssertTrue(copy.target === kept)
  }

  func testReplacedObjectIsReleasedAfterEachReading() throws {
    let recorder = Recorder()
    recorder.known = ["1": Junction(-1)]
    let bytes = try Archiver().archive([Junction(1)])
    let before = Pulse.living
    for _ in 0..<5 { _ = try Unarchiver(recorder).unarchive([Junction].self, from: bytes) }
    XCTAssertEqual(Pulse.living, before)
    XCTAssertEqual(recorder.calls.count, 5)
  }

  func testHookOfASubclassOverridesItsSuperclass() throws {
    let recorder = Recorder()
    let copy = try Unarchiver(recorder, classes: ClassTable(registering: [BoldSymbol.self])).unarchive(
      [Symbol].self, from: Archiver().archive([BoldSymbol("b"), Symbol("s")]))
    XCTAssertEqual(copy.map(\.name), ["b", "s"])
    XCTAssertEqual(
      recorder.calls.filter { $0.hasPrefix("replace") }.sorted(), ["replace bold b", "replace s"])
  }

  func testClassClusterReplacedInBothDirectionsRoundTrips() throws {
    let shapes: [Shape] = [Circle(radius: 2), Square(side: 3)]
    let copy = try roundTrip(shapes + shapes)
    XCTAssertEqual(copy.map(\.area), [12, 9, 12, 9])
    XCTAssertTrue(copy[0] is Circle && copy[1] is Square && copy[0] === copy[2])
  }
}

extension Recorder {
  /// Returns the replacement of an object that was just read.
  fileprivate func replacement(of object: any Archivable, _ name: String) -> any Archivable {
    if let known = known[name] { return known }
    if let other = substitutes[name], let known = built[other] { return known }
    if unites { known[name] = object }
    built[name] = object
    return object
  }
}

@Archivable("Symbol") private class Symbol: UnarchiveReplacing, UnarchiveFinishing, Hashable {
  let name: String
  var note = ""
  var link: Symbol? { didSet { note = "linked" } }
  @Transient private var pulse = Pulse()
  init(_ name: String) { self.name = name }

  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable {
    try context.note("replace \(name)")
    return context.userInfo.recorder?.replacement(of: self, name) ?? self
  }
  func didUnarchive(in context: ArchiveContext) throws { try context.note("awake \(name)") }
  static func == (left: Symbol, right: Symbol) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable("BoldSymbol") private final class BoldSymbol: Symbol {
  override init(_ name: String) { super.init(name) }
  override func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable {
    try context.note("replace bold \(name)")
    return self
  }
}

@Archivable("Term") private final class Term {
  let symbol: Symbol
  var symbols: [Symbol] = []
  weak var last: Symbol?
  unowned var owned: Symbol?
  var values: [Symbol: Int] = [:]
  var all: Set<Symbol> = []
  init(_ symbol: Symbol) { self.symbol = symbol }
}

@Archivable("Junction") private final class Junction: UnarchiveReplacing, UnarchiveFinishing, Hashable {
  let number: Int
  var next: Junction?
  var observed: Junction? { didSet {} }
  var keys: [Junction: Int] = [:]
  var byHand = ByHand()
  @Transient private var pulse = Pulse()
  init(_ number: Int) { self.number = number }

  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable {
    try context.note("replace \(number)")
    return context.userInfo.recorder?.replacement(of: self, "\(number)") ?? self
  }
  func didUnarchive(in context: ArchiveContext) throws { try context.note("awake \(number)") }
  static func == (left: Junction, right: Junction) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private final class ByHand: UnarchiveReplacing {
  let number: Int
  var next: Junction?
  init(_ number: Int = 0) { self.number = number }
  init(from decoder: borrowing ObjectDecoder) throws {
    number = try decoder.decode(Int.self, forKey: "number")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(next, forKey: "next")
    if number % 2 == 0 { try encoder.encode([next: number], forKey: "sometimes") }
    try encoder.encode(number, forKey: "number")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    next = try decoder.decode(Junction?.self, forKey: "next")
    let numbers = try decoder.decodeIfPresent([Junction?: Int].self, forKey: "sometimes")
    // The dictionary is empty while the reader removes links.
    if let numbers, !numbers.isEmpty { XCTAssertEqual(numbers, [next: number]) }
  }
  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable {
    context.userInfo.recorder?.known["by hand \(number)"] ?? self
  }
}

@Archivable("UnownedHolder") private final class UnownedHolder {
  var held: Junction?
  unowned var target: Junction?
  init(_ held: Junction, _ target: Junction?) { (self.held, self.target) = (held, target) }
}

@Archivable("Shape") private class Shape: ArchiveReplacing, UnarchiveReplacing {
  let kind: String
  let size: Int
  init(kind: String, size: Int) { (self.kind, self.size) = (kind, size) }
  var area: Int { 0 }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable {
    type(of: self) == Shape.self ? self : Shape(kind: kind, size: size)
  }
  func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
    kind == "circle" ? Circle(radius: size) : Square(side: size)
  }
}

private final class Circle: Shape {
  init(radius: Int) { super.init(kind: "circle", size: radius) }
  required init(from decoder: borrowing ObjectDecoder) throws { try super.init(from: decoder) }
  override var area: Int { 3 * size * size }
}

private final class Square: Shape {
  init(side: Int) { super.init(kind: "square", size: side) }
  required init(from decoder: borrowing ObjectDecoder) throws { try super.init(from: decoder) }
  override var area: Int { size * size }
}
