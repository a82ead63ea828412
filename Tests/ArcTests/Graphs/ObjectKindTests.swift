import ArcTestSupport
import Foundation
import XCTest

@testable import Arc

/// Tests of objects with random values of each kind of property. Two objects must be equal if, and only if,
/// their canonical archives have the same bytes. A shallow copy must have the values that it would have after
/// archiving and reading.
final class ObjectKindTests: XCTestCase {
  private var random = SplitMix64(seed: 0)
  private var seed: UInt64 = 0

  override func setUp() {
    seed = RandomTrials.seed()
    random = SplitMix64(seed: seed)
  }

  func testPlainValuesCompareAndCopyAsIfArchived() throws {
    try check { $0.isTrue() }
    try check { Int8(truncatingIfNeeded: $0.number(3)) }
    try check { $0.number(3) as Int? }
    try check { UInt64($0.number(3)) }
    try check { Int128($0.number(3)) << 70 }
    try check { $0.double() }
    try check { Float($0.double()) }
    try check { [$0.double(), 1] }
    try check { $0.text() }
    try check { $0.isTrue() ? $0.text() : nil }
    try check { [$0.text(), $0.text()] }
    try check { $0.text().first ?? "x" }
    try check { [[$0.number(2)], []] }
    try check { [$0.isTrue() ? $0.number(2) : nil] }
    try check { Optional(Optional($0.isTrue() ? $0.number(2) : nil)) }
  }

  func testFoundationValuesCompareAndCopyAsIfArchived() throws {
    try check { $0.date() }
    try check { $0.isTrue() ? $0.date() : nil }
    try check { [$0.date()] }
    try check { $0.uuid() }
    try check { [$0.uuid(), $0.uuid()] }
    try check { Data([UInt8($0.number(2))]) }
    try check { URL(string: "https://example.org/\($0.number(3))") }
    try check { Decimal(string: ["1", "1.0", "1.50", "NaN"][$0.number(4)]) ?? 0 }
    try check { Duration(secondsComponent: Int64($0.number(2)), attosecondsComponent: 1) }
    try check { DateInterval(start: $0.date(isNumber: true), duration: Double($0.number(2))) }
    try check { IndexPath(indexes: [$0.number(2)]) }
  }

  func testStructuresAndEnumsCompareAndCopyAsArchived() throws {
    try check { $0.point() }
    try check { [$0.point(), $0.point()] }
    try check { $0.isTrue() ? $0.point() : nil }
    try check { $0.line() }
    try check { [$0.line()] }
    try check { $0.isTrue() ? [$0.line()] : nil }
    try check { [$0.isTrue() ? $0.line() : nil] }
    try check { KindTree(number: 1, branches: [KindTree(number: $0.number(2))]) }
    try check { KindCached(number: $0.number(2), cache: $0.number(3)) }
    try check { [KindCached(number: $0.number(2), cache: $0.number(3))] }
    try check { kinds in
      var field = KindWrappedField()
      field.number = kinds.number(2)
      field.number = kinds.number(2)
      return field
    }
    try check { KindWord.allCases[$0.number(3)] }
    try check { [KindWord.allCases[$0.number(3)]] }
    try check { KindCode(rawValue: $0.number(2)) }
    try check { KindColor(red: $0.double(), note: $0.text()) }
    try check { 0..<$0.number(3) }
    try check { $0.isTrue() ? KindShape.empty : .circle($0.double()) }
  }

  func testHashedCollectionsCompareAndCopyAsIfArchived() throws {
    try check { Set((0..<$0.number(20)).map { $0 }) }
    try check { kinds in Set((0..<10).map { _ in kinds.text() }) }
    try check { kinds in Dictionary((0..<10).map { _ in (kinds.text(), kinds.number(2)) }) { $1 } }
    try check { [$0.number(2): $0.point()] }
    try check { kinds in
      CodableValue(Dictionary((0..<6).map { _ in (kinds.text(), kinds.number(2)) }) { $1 })
    }
  }

  func testReferencesCompareAndCopyAsIfArchived() throws {
    try check { $0.node() }
    try check { $0.isTrue() ? $0.node() : nil }
    try check { [$0.node(), $0.node(), $0.node()] }
    try check { [$0.node(), nil, $0.node()] }
    try check { $0.isTrue() ? [$0.node()] : nil }
    try check { KindLink(name: $0.text(), node: $0.node()) }
    try check { [KindLink(name: "", node: $0.node()), KindLink(name: $0.text(), node: nil)] }
    try check { KindShape.named($0.text(), $0.node()) }
    try check { ["a": $0.node(), "b": $0.node()] }
    try check { Set([$0.node(), $0.node()]) }
    try check { Lazy($0.node()) }
  }

  func testWeakReferencesCompareAndCopyAsIfArchived() throws {
    try checkObjects { kinds in
      let guest = KindGuest()
      guest.nodes = kinds.nodes
      guest.friend = kinds.isTrue() ? kinds.node() : nil
      guest.host = kinds.isTrue() ? kinds.node() : nil
      return guest
    }
  }

  func testPropertyWrappersCompareAndCopyAsIfArchived() throws {
    try checkObjects { kinds in
      let object = KindWrapped()
      object.number = kinds.number(2)
      object.counts = Dictionary((0..<6).map { _ in (kinds.text(), kinds.number(2)) }) { $1 }
      object.point.x = kinds.double()
      return object
    }
  }

  // MARK: Checks

  /// Checks comparison and shallow copying for each class of the models that can have a property of type
  /// `Value`. `value` returns random values.
  private func check<Value: ArchivableValue>(
    file: StaticString = #filePath, line: UInt = #line, _ value: @escaping (inout Kinds) -> Value
  ) throws {
    try checkObjects(file: file, line: line) { KindHolder(value(&$0)) }
    try checkObjects(file: file, line: line) { kinds in
      let holder = KindHolder(value(&kinds))
      holder.inner = kinds.isTrue() ? holder : KindHolder(value(&kinds))
      return holder
    }
    try checkObjects(file: file, line: line) { kinds in
      let object = KindConstant(value(&kinds))
      object.uses = kinds.number(3)
      return object
    }
    try checkObjects(file: file, line: line) { kinds in
      let object = KindObserved(value(&kinds))
      object.value = value(&kinds)
      return object
    }
  }

  private func checkObjects<Object: Archivable>(
    file: StaticString = #filePath, line: UInt = #line, _ make: (inout Kinds) -> Object
  ) throws {
    for _ in 0..<RandomTrials.count(usually: 6, exhaustively: 60) {
      let start = random.next()
      var kinds = [Kinds(seed: start), Kinds(seed: Bool.random(using: &random) ? start : random.next())]
      let (one, other) = (make(&kinds[0]), make(&kinds[1]))
      let (bytes, others) = (try canonical(one), try canonical(other))
      let message = "\(type(of: one)), seed \(seed)"
      XCTAssertEqual(
        try ObjectGraph.isIsomorphic(one, other), bytes == others, message, file: file, line: line)
      if let areEqual = try ObjectComparison.areEqual(one, other) {
        XCTAssertEqual(areEqual, bytes == others, message, file: file, line: line)
      }
      try checkCopy(of: one, message, file, line)
      withExtendedLifetime(kinds) {}
    }
  }

  private func checkCopy<Object: Archivable>(
    of object: Object, _ message: String, _ file: StaticString, _ line: UInt
  ) throws {
    let parts = Object.archiveSchema.lineage.flatMap { level in
      level.properties.map { GraphSelection.property($0.name, of: level.type) }
    }
    let archived = try ObjectGraph.copy(object, sharing: parts)
    let copy = try ObjectGraph.shallowCopy(of: object)
    XCTAssertFalse(copy === object, file: file, line: line)
    // The descriptions include the values that are not archived.
    XCTAssertEqual(described(copy), described(archived), message, file: file, line: line)
    XCTAssertEqual(try canonical(copy), try canonical(object), message, file: file, line: line)
  }

  /// Returns descriptions of the fields of an object. References are described by the identity of their
  /// targets. Elements of sets and dictionaries are sorted, because their order is arbitrary.
  private func described(_ object: AnyObject) -> [String] {
    func text(_ value: Any) -> String {
      // A copied lazy reference may have a storage object of its own, so its target is described instead.
      if let lazy = value as? Lazy<KindNode> { return text(lazy.loadedObject as Any) }
      if value is URL { return "\(value)" }
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .class {
        return value as AnyObject === object ? "itself" : "\(ObjectIdentifier(value as AnyObject))"
      }
      let parts = mirror.children.map { "\($0.label ?? ""):\(text($0.value))" }
      if mirror.displayStyle == .set || mirror.displayStyle == .dictionary { return "\(parts.sorted())" }
      return parts.isEmpty ? "\(value)" : "\(parts)"
    }
    return Mirror(reflecting: object).children.map { "\($0.label ?? ""): \(text($0.value))" }
  }

  private func canonical(_ object: some Archivable) throws -> [UInt8] {
    try Archiver(isCanonical: true).archive(object)
  }
}

/// A source of random values of each kind.
private struct Kinds {
  private var random: SplitMix64
  /// The objects to which random references refer.
  let nodes: [KindNode]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    nodes = [KindNode("a"), KindLeaf("b"), KindNode("a")]
    nodes[2].next = nodes[0]
  }

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  mutating func isTrue() -> Bool { Bool.random(using: &random) }
  mutating func node() -> KindNode { nodes[number(nodes.count)] }
  mutating func double() -> Double {
    [0, -0.0, 1.5, .nan, Double(bitPattern: 0x7FF8_0000_0000_0001), .infinity][number(6)]
  }
  mutating func date(isNumber: Bool = false) -> Date {
    Date(timeIntervalSinceReferenceDate: isNumber ? Double(number(3)) : double())
  }
  mutating func text() -> String {
    ["", "a", "é", "e\u{301}", "a text of more than a word", "a text of more than a line"][number(6)]
  }
  mutating func uuid() -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number(2))))
  }
  mutating func point() -> KindPoint { KindPoint(x: double(), y: Float(number(2)), label: text()) }
  mutating func line() -> KindLine {
    KindLine(start: point(), isOpen: isTrue(), end: isTrue() ? point() : nil, id: uuid())
  }
}
