import Arc
import ArcTestSupport
import Foundation
import XCTest

/// Reusing encoders does not change archives.
final class PooledEncodingTests: XCTestCase {
  func testReusedEncoderWritesLikeAFreshEncoder() throws {
    let graphs: [[Leaf]] = [
      [Leaf("a")], [Twig("b", 1), Leaf("c")], [Leaf("c"), Twig("b", 1)], [],
      [Bough("d", [Leaf("e"), Twig("f", 2)])],
      [Twig("g", 3)], [Bough("h", []), Twig("i", 300_000), Bough("j", [Bough("k", [])])], [Leaf("a")],
      [Bud("l"), Leaf("m")], [Leaf("m"), Bud("l")], (0..<40).map { Twig("t\($0 % 7)", $0) },
    ]
    for compression in [Compression.none, .zlib] {
      for isCanonical in [false, true] {
        let archiver = Archiver(compression: compression, isCanonical: isCanonical)
        let expected = try graphs.map { try fresh($0, archiver) }
        var order = Array(graphs.indices)
        for step in [1, 3, 7, 5] {
          for position in order.indices {
            let index = order[position * step % order.count]
            XCTAssertEqual(try archiver.archive(graphs[index]), expected[index], "graph \(index)")
          }
          order.reverse()
        }
      }
    }
  }

  func testEarlierArchiveDoesNotChangeTheClassOrder() throws {
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

  func testErrorDoesNotAffectLaterArchiving() throws {
    let good = [Bough("d", [Leaf("e")]), Twig("f", 2)]
    let expected = try fresh(good)
    for _ in 0..<3 {
      let failing = Bough("d", [Leaf("e"), Failing("never")])
      XCTAssertThrowsError(try Archiver().archive([failing, Twig("g", 1)] as [Leaf]))
      XCTAssertEqual(try Archiver().archive(good as [Leaf]), expected)
    }
  }

  func testHandWrittenKeysDoNotAffectLaterCalls() throws {
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

  func testRegistrationBetweenCallsTakesEffect() throws {
    let bytes = try Archiver().archive([Twig("a", 1)] as [Leaf])
    let table = ClassTable(scope: .declared)
    for _ in 0..<3 {
      XCTAssertThrowsError(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes))
    }
    try table.register(Twig.self)
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes).first?.name, "a")
      XCTAssertThrowsError(
        try Unarchiver(classes: ClassTable(scope: .declared)).unarchive([Leaf].self, from: bytes))
    }
    let other = ClassTable(scope: .declared)
    try other.register(Bud.self, as: "Twig")
    XCTAssertTrue(try Unarchiver(classes: other).unarchive([Leaf].self, from: bytes).first is Bud)
    XCTAssertTrue(try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes).first is Twig)
  }

  func testLimitsApplyToEachCall() throws {
    let bytes = try Archiver().archive([Leaf("a"), Leaf("b")])
    var limits = ArchiveLimits.default
    limits.rows = 2
    for _ in 0..<3 {
      XCTAssertEqual(try Unarchiver().unarchive([Leaf].self, from: bytes).count, 2)
      XCTAssertThrowsError(try Unarchiver(limits: limits).unarchive([Leaf].self, from: bytes))
    }
    limits = .default
    limits.elements = 3
    // The costs of one call do not count against the limits of the next call.
    for _ in 0..<9 {
      XCTAssertEqual(try Unarchiver(limits: limits).unarchive([Leaf].self, from: bytes).count, 2)
    }
  }

  func testBadInputAfterGoodInputIsRefused() throws {
    let bytes = try Archiver().archive(Bough("root", [Leaf("a"), Leaf("b")]))
    for index in RandomTrials.sample(of: bytes.indices, oneIn: 4) {
      XCTAssertEqual(try Unarchiver().unarchive(Bough.self, from: bytes).leaves.map(\.name), ["a", "b"])
      var bad = bytes
      bad[index] ^= 0x10
      // A checksum covers each bit, except the reserved bits of the header and the bits of optional features.
      XCTAssertThrowsError(try Unarchiver().unarchive(Bough.self, from: bad), "byte \(index)")
      XCTAssertThrowsError(
        try Unarchiver().unarchive(Bough.self, from: Array(bytes[..<index])), "\(index) bytes")
    }
  }
}

/// A class that encodes the keys that a test sets.
private final class Jotting: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(Jotting.self, name: "Jotting") }
  let keys: [String]
  init(_ keys: [String]) { self.keys = keys }
  init(from decoder: borrowing ObjectDecoder) throws { keys = [] }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    for key in keys { try encoder.encode(key.count, forKey: key) }
  }
}
