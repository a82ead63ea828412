import Arc
import Foundation
import XCTest

/// Encoders and decoders are used again; nobody can tell.
final class PooledCodingTests: XCTestCase {
  /// Bytes of an encoder that no other archive used: the root's name is new, and is then put in place of the other.
  private func fresh(_ root: some ArchivableValue, _ options: Archiver.Options = .init()) throws -> [UInt8] {
    // A pool is told by roots and options; eight other roots push everything else out of it.
    for index in 0..<9 { _ = try Archiver(options).archive(roots: ["other\(index)": [Leaf("x")]]) }
    return try Archiver(options).archive(root)
  }

  func testAPooledEncoderGivesTheBytesOfAFreshOne() throws {
    let graphs: [[Leaf]] = [
      [Leaf("a")], [Twig("b", 1), Leaf("c")], [Leaf("c"), Twig("b", 1)], [],
      [Bough("d", [Leaf("e"), Twig("f", 2)])],
      [Twig("g", 3)], [Bough("h", []), Twig("i", 300_000), Bough("j", [Bough("k", [])])], [Leaf("a")],
      [Bud("l"), Leaf("m")], [Leaf("m"), Bud("l")], (0..<40).map { Twig("t\($0 % 7)", $0) },
    ]
    for compression in [Compression.none, .zlib] {
      for isCanonical in [false, true] {
        let options = Archiver.Options(compression: compression, isCanonical: isCanonical)
        let expected = try graphs.map { try fresh($0, options) }
        var order = Array(graphs.indices)
        for step in [1, 3, 7, 5] {
          for position in order.indices {
            let index = order[position * step % order.count]
            XCTAssertEqual(try Archiver(options).archive(graphs[index]), expected[index], "graph \(index)")
          }
          order.reverse()
        }
      }
    }
  }

  func testClassesComeInTheOrderInWhichTheyAreMet() throws {
    let orders: [[Leaf]] = [
      [Twig("b", 1), Leaf("c"), Bough("d", [])], [Bough("d", []), Leaf("c")], [Bough("d", []), Twig("b", 1)],
      [Bud("x"), Twig("b", 1), Bough("d", [Bud("x")])], [Leaf("c"), Bough("d", []), Twig("b", 1)],
    ]
    let expected = try orders.map { try fresh($0) }
    for first in orders.indices {
      for second in orders.indices {
        XCTAssertEqual(try Archiver().archive(orders[first]), expected[first])
        XCTAssertEqual(try Archiver().archive(orders[second]), expected[second], "\(second) after \(first)")
      }
    }
  }

  func testAnErrorLeavesNothingBehind() throws {
    let good = [Bough("d", [Leaf("e")]), Twig("f", 2)]
    let expected = try fresh(good)
    for _ in 0..<3 {
      let failing = Bough("d", [Leaf("e"), Failing("never")])
      XCTAssertThrowsError(try Archiver().archive([failing, Twig("g", 1)] as [Leaf]))
      XCTAssertEqual(try Archiver().archive(good as [Leaf]), expected)
    }
  }

  func testKeyedClassesAreDescribedByWhatTheyEncodeNow() throws {
    let short = try fresh([Jotting(["a"])])
    let long = try fresh([Jotting(["b", "c"])])
    for _ in 0..<3 {
      XCTAssertEqual(try Archiver().archive([Jotting(["a"])]), short)
      XCTAssertEqual(try Archiver().archive([Jotting(["b", "c"])]), long)
    }
  }

  func testObjectsAndStringsAreFreedAfterEachCall() throws {
    weak var archived: Bough?
    weak var leaf: Leaf?
    weak var rebuilt: Bough?
    for _ in 0..<3 {
      let bytes = try autoreleased {
        let root = Bough("a long name with storage of its own", [Leaf("another long name, on the heap")])
        (archived, leaf) = (root, root.leaves[0])
        return try Archiver().archive(root)
      }
      XCTAssertNil(archived)
      XCTAssertNil(leaf)
      try autoreleased {
        let root = try Unarchiver().unarchive(Bough.self, from: bytes)
        XCTAssertEqual(root.leaves.map(\.name), ["another long name, on the heap"])
        (rebuilt, leaf) = (root, root.leaves[0])
      }
      XCTAssertNil(rebuilt)
      XCTAssertNil(leaf)
    }
  }

  private func autoreleased<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  func testWhatIsRegisteredBetweenCallsCounts() throws {
    let bytes = try Archiver().archive([Twig("a", 1)] as [Leaf])
    let table = ClassTable()
    for _ in 0..<3 {
      XCTAssertThrowsError(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes))
    }
    try table.register(Twig.self)
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes).first?.name, "a")
      XCTAssertThrowsError(try Unarchiver(classes: ClassTable()).unarchive([Leaf].self, from: bytes))
    }
    let other = ClassTable()
    try other.register(Bud.self, as: "Twig")
    XCTAssertTrue(try Unarchiver(classes: other).unarchive([Leaf].self, from: bytes).first is Bud)
    XCTAssertTrue(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes).first is Twig)
  }

  func testLimitsCountInEveryCall() throws {
    let bytes = try Archiver().archive([Leaf("a"), Leaf("b")])
    var limits = Limits.default
    limits.rows = 2
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver().unarchive([Leaf].self, from: bytes).count, 2)
      XCTAssertThrowsError(try Unarchiver(limits: limits).unarchive([Leaf].self, from: bytes))
    }
    limits = .default
    limits.elements = 3
    // What one call spent is not charged to the next.
    for _ in 0..<9 {
      XCTAssertEqual(try Unarchiver(limits: limits).unarchive([Leaf].self, from: bytes).count, 2)
    }
  }

  func testBadInputAfterGoodInputIsRefused() throws {
    let bytes = try Archiver().archive(Bough("root", [Leaf("a"), Leaf("b")]))
    for index in bytes.indices {
      XCTAssertEqual(try Unarchiver().unarchive(Bough.self, from: bytes).leaves.map(\.name), ["a", "b"])
      var bad = bytes
      bad[index] ^= 0x10
      // The reserved bits of the header and optional features aside, every bit is under a checksum.
      XCTAssertThrowsError(try Unarchiver().unarchive(Bough.self, from: bad), "byte \(index)")
      XCTAssertThrowsError(
        try Unarchiver().unarchive(Bough.self, from: Array(bytes[..<index])), "\(index) bytes")
    }
  }

  // MARK: Decoders

  /// The graph as text, or the error.
  private func outcome(_ body: () throws -> [Leaf]) -> String {
    do { return try describe(body()) } catch { return "\(error)" }
  }

  private func describe(_ leaves: [Leaf]) -> String {
    let texts = leaves.map { leaf in
      let kind = "\(type(of: leaf)) '\(leaf.name)'"
      return switch leaf {
      case let twig as Twig: "\(kind) \(twig.length)"
      case let bough as Bough: "\(kind) \(describe(bough.leaves)) of \(bough.tree?.name ?? "none")"
      default: kind
      }
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private func leaves(_ count: Int, _ salt: Int) -> [Leaf] {
    (0..<count).map { index in
      let name = String(repeating: "é\(index) \(salt) ", count: (index + salt) % 5)
      return switch (index + salt) % 3 {
      case 0: Leaf(name)
      case 1: Twig(name, index << (salt % 40))
      default: Bough(name, [Leaf("inner\(salt)")])
      }
    }
  }

  /// One that no decoder in the pool was made for: its class table is new.
  private func unarchiver() throws -> Unarchiver {
    let table = ClassTable()
    try table.register(Leaf.self)
    try table.register(Twig.self)
    try table.register(Bough.self)
    try table.register(Bud.self)
    return Unarchiver(classes: table)
  }

  func testAPooledDecoderReadsWhatAFreshOneReads() throws {
    let tree = Bough("tree", [])
    let child = Bough("child", [Leaf("a"), tree])
    child.tree = tree
    let graphs: [[Leaf]] = [
      [], [Leaf("")], leaves(3, 0), leaves(3, 1), leaves(40, 2), leaves(3, 5), [child, tree], leaves(300, 3),
      [Leaf("a name with storage of its own, which is long")], [Bough("k", [Bough("l", [])]), Leaf("m")],
      (0..<70).map { Twig("t", $0 / 30) }, [Leaf("x"), Twig("y", 1), Leaf("z"), Twig("w", 2)],
    ]
    let options: [Archiver.Options] = [
      .init(), .init(compression: .zlib), .init(metadata: ["key": "value"]),
      .init(compression: .zlib, metadata: ["key": "a longer value", "other": ""]),
    ]
    let reader = try unarchiver()
    for option in options {
      let archives = try graphs.map { try Archiver(option).archive($0) }
      let expected = try archives.map { bytes in
        let fresh = try unarchiver()
        return outcome { try fresh.unarchive([Leaf].self, from: bytes) }
      }
      XCTAssertEqual(expected, graphs.map(describe))
      for step in [1, 5, 7, 11] {
        for position in archives.indices {
          let index = (position * step + 3) % archives.count
          XCTAssertEqual(
            outcome { try reader.unarchive([Leaf].self, from: archives[index]) }, expected[index],
            "graph \(index), step \(step)")
        }
      }
    }
  }

  func testAPooledDecoderGivesTheErrorsOfAFreshOne() throws {
    let options: [Archiver.Options] = [.init(), .init(compression: .zlib), .init(metadata: ["key": "value"])]
    for option in options {
      let good = try Archiver(option).archive(leaves(5, 1))
      let wanted = describe(leaves(5, 1))
      let reader = try unarchiver()
      for index in stride(from: 0, to: good.count, by: 3) {
        var bad = good
        bad[index] ^= 0x21
        let fresh = try unarchiver()
        let expected = outcome { try fresh.unarchive([Leaf].self, from: bad) }
        XCTAssertEqual(outcome { try reader.unarchive([Leaf].self, from: good) }, wanted)
        XCTAssertEqual(outcome { try reader.unarchive([Leaf].self, from: bad) }, expected, "byte \(index)")
        let cut = Array(good[..<index])
        XCTAssertEqual(
          outcome { try reader.unarchive([Leaf].self, from: cut) },
          outcome { try fresh.unarchive([Leaf].self, from: cut) }, "\(index) bytes")
      }
      XCTAssertEqual(outcome { try reader.unarchive([Leaf].self, from: good) }, wanted)
    }
  }

  func testUserCodeThatThrowsWhileReadingLeavesNothingBehind() throws {
    let good = try Archiver().archive([Brittle("a"), Brittle("b")])
    let bad = try Archiver().archive([Brittle("a"), Brittle("")])
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver().unarchive([Brittle].self, from: good).map(\.name), ["a", "b"])
      XCTAssertThrowsError(try Unarchiver().unarchive([Brittle].self, from: bad)) {
        XCTAssert($0 is Brittle.Failure)
      }
    }
  }

  func testAnArchiveOfEarlierClassesAfterOneOfPresentOnes() throws {
    let bytes = try Archiver().archive([Leaf("a")])
    // The same class under its older name, with other columns.
    let old = try Archiver().archive(OldBough("b", weight: 7))
    let table = ClassTable()
    try table.register(Bough.self, as: "OldBough")
    let reader = Unarchiver(classes: table)
    for _ in 0..<3 {
      XCTAssertEqual(try reader.unarchive(Bough.self, from: old).name, "b")
      XCTAssertEqual(try reader.unarchive([Leaf].self, from: bytes).map(\.name), ["a"])
      XCTAssertEqual(
        try reader.unarchive(Bough.self, from: Archiver().archive(Bough("c", [Leaf("d")]))).leaves.count, 1)
    }
  }

  func testCallsWithinCallsAndAtTheSameTimeDoNotMeet() throws {
    let expected = try (0..<16).map { try fresh(Nested("n\($0)", depth: $0 % 4)) }
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let number = index % 16
      do {
        let bytes = try Archiver().archive(Nested("n\(number)", depth: number % 4))
        XCTAssertEqual(bytes, expected[number])
        let read = try Unarchiver().unarchive(Nested.self, from: bytes)
        XCTAssertEqual(read.description, Nested("n\(number)", depth: number % 4).description)
      } catch {
        XCTFail("\(error)")
      }
    }
  }
}

@Archivable private class Leaf {
  var name: String
  init(_ name: String) { self.name = name }
}

@Archivable private final class Twig: Leaf {
  var length: Int
  init(_ name: String, _ length: Int) {
    self.length = length
    super.init(name)
  }
}

@Archivable private final class Bough: Leaf {
  var leaves: [Leaf] = []
  weak var tree: Bough?
  init(_ name: String, _ leaves: [Leaf]) {
    self.leaves = leaves
    super.init(name)
  }
}

/// What `Bough` was once.
@Archivable private final class OldBough {
  var name: String
  var weight: Int
  init(_ name: String, weight: Int) {
    self.name = name
    self.weight = weight
  }
}

/// Cannot be read without a name.
@Archivable private final class Brittle: ArchiveAwakening {
  var name: String
  var twin: Brittle?
  init(_ name: String) { self.name = name }
  func didUnarchive() throws { if name.isEmpty { throw Failure() } }
  struct Failure: Error {}
}

@Archivable private final class Bud: Leaf {
  var opens = 0.5
  override init(_ name: String) { super.init(name) }
}

/// Throws in the middle of a graph.
private final class Failing: Leaf {
  override class var archiveSchema: ArchiveSchema { ArchiveSchema(Failing.self, name: "Failing") }
  override init(_ name: String) { super.init(name) }
  required init(from decoder: borrowing ObjectDecoder) throws { throw Failure() }
  override func encode(to encoder: borrowing ObjectEncoder) throws { throw Failure() }
  struct Failure: Error {}
}

/// Encodes the keys that it is told.
private final class Jotting: Archivable {
  static var archiveSchema: ArchiveSchema { ArchiveSchema(Jotting.self, name: "Jotting") }
  let keys: [String]
  init(_ keys: [String]) { self.keys = keys }
  init(from decoder: borrowing ObjectDecoder) throws { keys = [] }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    for key in keys { try encoder.encode(key.count, forKey: key) }
  }
  func link(from decoder: borrowing ObjectDecoder) throws {}
}

/// Holds an archive of another object, which it makes while it is archived.
private final class Nested: Archivable, CustomStringConvertible {
  static var archiveSchema: ArchiveSchema { ArchiveSchema(Nested.self, name: "Nested") }
  let name: String
  let inner: Nested?
  init(_ name: String, depth: Int) {
    self.name = name
    inner = depth > 0 ? Nested(name + "'", depth: depth - 1) : nil
  }
  init(from decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
    let bytes = try decoder.decode([UInt8].self, forKey: "inner")
    inner = bytes.isEmpty ? nil : try Unarchiver().unarchive(Nested.self, from: bytes)
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(name, forKey: "name")
    try encoder.encode(inner.map { try Archiver().archive($0) } ?? [], forKey: "inner")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {}
  var description: String { name + (inner.map { "(\($0))" } ?? "") }
}
