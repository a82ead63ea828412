import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import Synchronization
import XCTest

/// A reading that fails at any point leaves no objects.
final class FailedReadingTests: XCTestCase {
  func testFailedReadingReleasesTheGraphAtAnyPoint() throws {
    let nodes = (0..<12).map { Fragile($0) }
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % nodes.count]
      node.all = nodes
      node.keyed = [nodes[index / 2]: index]
    }
    let bytes = try Archiver().archive(nodes)
    try ObjectGraph.release(nodes)
    let before = LiveObjects.count
    defer { Fragile.plan.withLock { $0 = nil } }
    let roundCount = RandomTrials.count(usually: 2, exhaustively: 30)
    for step in Fragile.Step.allCases {
      for call in 1...nodes.count {
        for _ in 0..<roundCount {
          Fragile.plan.withLock { $0 = (step, call) }
          assertThrows(Fragile.Failure.self) { try Unarchiver().unarchive([Fragile].self, from: bytes) }
          XCTAssertEqual(LiveObjects.count, before, "\(step), call \(call)")
        }
      }
    }
    Fragile.plan.withLock { $0 = nil }
    let copy = try Unarchiver().unarchive([Fragile].self, from: bytes)
    XCTAssertTrue(copy[11].next === copy[0])
    XCTAssertEqual(LiveObjects.count, before + 12)
    try ObjectGraph.release(copy)
  }

  func testUnknownClassOrNilReferenceReleasesTheGraph() throws {
    let strict = Strict(Fragile(1))
    let root = Fragile(0)
    root.next = root
    root.other = strict
    let bytes = try Archiver().archive(root)
    try ObjectGraph.release(root)
    let before = LiveObjects.count
    for _ in 0..<RandomTrials.count(usually: 50, exhaustively: 1000) {
      assertThrows(.unknownClass, "'Strict'") {
        try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(Fragile.self, from: bytes)
      }
    }
    let registered = Unarchiver(classes: try ClassTable(registering: [Strict.self]))
    // The required reference is the only row number in a column with one value.
    let file = try ArchiveFile(bytes: bytes)
    let row = try XCTUnwrap(
      (1..<file.rowCount).first { try file.object(ObjectID(rawValue: UInt32($0)))["needed"] != nil })
    guard case .reference(let target?) = try file.object(ObjectID(rawValue: UInt32(row)))["needed"] else {
      return XCTFail("no reference")
    }
    var refused = 0
    for place in bytes.indices where bytes[place] == UInt8(target.rawValue) {
      var changed = bytes
      changed[place] = 0
      do {
        try ObjectGraph.release(registered.unarchive(Fragile.self, from: HandMadeArchive.sealed(changed)))
      } catch let error as ArchiveError {
        if error.code == .nilReference { refused += 1 }
      }
      XCTAssertEqual(LiveObjects.count, before, "byte \(place)")
    }
    XCTAssertGreaterThan(refused, 0)
  }

  func testUnownedTargetWithoutOwnerReleasesTheGraph() throws {
    let root = Fragile(0)
    root.next = root
    let lodger = Lodger(root)
    let bytes = try bytesWithoutOwner(Archiver().archive(roots: ["main": root, "lodger": lodger]))
    root.next = nil
    let before = LiveObjects.count
    for _ in 0..<100 {
      assertThrows(.unownedTarget, "class 'Lodger'") {
        try Unarchiver(classes: try ClassTable(registering: [Fragile.self]))
          .unarchive(Lodger.self, from: bytes, root: "lodger")
      }
    }
    XCTAssertEqual(LiveObjects.count, before)
  }

  /// Returns the archive after both strong references to the owner were set to nil: the root's reference and
  /// the owner's own.
  private func bytesWithoutOwner(_ bytes: [UInt8]) throws -> [UInt8] {
    for first in bytes.indices where bytes[first] == 1 {
      for second in bytes.indices[(first + 1)...] where bytes[second] == 1 {
        var changed = bytes
        (changed[first], changed[second]) = (0, 0)
        changed = HandMadeArchive.sealed(changed)
        guard let file = try? ArchiveFile(bytes: changed), (try? file.verify()) != nil,
          try file.roots()["main"] == .reference(nil), try file.roots()["lodger"] != .reference(nil),
          try file.object(ObjectID(rawValue: 1))["next"] == .reference(nil)
        else { continue }
        return changed
      }
    }
    throw XCTSkip("the archive is laid out in another way")
  }
}

/// A counter of living objects.
final class LiveObjects {
  private static let alive = Mutex(0)
  static var count: Int { alive.withLock { $0 } }
  init() { Self.alive.withLock { $0 += 1 } }
  deinit { Self.alive.withLock { $0 -= 1 } }
}

/// A class that fails in a step of reading, at the nth call.
final class Fragile: Archivable, UnarchiveFinishing, Hashable {
  enum Step: CaseIterable { case initialize, link, awake }
  struct Failure: Error {}
  /// The step that fails, and the number of calls before the failure.
  static let plan = Mutex<(step: Step, calls: Int)?>(nil)

  let id: Int
  var next: Fragile?
  var all: [Fragile] = []
  var keyed: [Fragile: Int] = [:]
  var other: Strict?
  private let live = LiveObjects()

  init(_ id: Int) { self.id = id }

  private static func fail(in step: Step) throws {
    let isDue = plan.withLock { plan in
      guard let (planned, calls) = plan, planned == step else { return false }
      plan = (step, calls - 1)
      return calls == 1
    }
    if isDue { throw Failure() }
  }

  init(from decoder: borrowing ObjectDecoder) throws {
    id = try decoder.decode(Int.self, forKey: "id")
    try Self.fail(in: .initialize)
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(id, forKey: "id")
    try encoder.encode(next, forKey: "next")
    try encoder.encode(all, forKey: "all")
    try encoder.encode(keyed, forKey: "keyed")
    try encoder.encode(other, forKey: "other")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    next = try decoder.decode(Fragile?.self, forKey: "next")
    all = try decoder.decode([Fragile].self, forKey: "all")
    try Self.fail(in: .link)
    keyed = try decoder.decode([Fragile: Int].self, forKey: "keyed")
    other = try decoder.decode(Strict?.self, forKey: "other")
  }
  func didUnarchive(in context: ArchiveContext) throws { try Self.fail(in: .awake) }

  static func == (left: Fragile, right: Fragile) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A class with a required reference.
@Archivable final class Strict {
  let needed: Fragile
  init(_ needed: Fragile) { self.needed = needed }
}

/// A class with a weak reference to its owner.
@Archivable final class Lodger {
  unowned var owner: Fragile
  init(_ owner: Fragile) { self.owner = owner }
}
