import Arc
import ArcTestSupport
import Foundation
import XCTest

/// Reusing decoders does not change results.
final class PooledDecodingTests: XCTestCase {
  /// Returns the graph as text, or the error.
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

  /// Returns an unarchiver with a new class table, for which the pool has no decoder.
  private func unarchiver() throws -> Unarchiver {
    let table = ClassTable()
    try table.register(Leaf.self)
    try table.register(Twig.self)
    try table.register(Bough.self)
    try table.register(Bud.self)
    try table.register(Employee.self)
    return Unarchiver(classes: table)
  }

  func testReusedDecoderReadsLikeAFreshDecoder() throws {
    let tree = Bough("tree", [])
    let child = Bough("child", [Leaf("a"), tree])
    child.tree = tree
    let graphs: [[Leaf]] = [
      [], [Leaf("")], leaves(3, 0), leaves(3, 1), leaves(40, 2), leaves(3, 5), [child, tree], leaves(300, 3),
      [Leaf("a name with storage of its own, which is long")], [Bough("k", [Bough("l", [])]), Leaf("m")],
      (0..<70).map { Twig("t", $0 / 30) }, [Leaf("x"), Twig("y", 1), Leaf("z"), Twig("w", 2)],
    ]
    let archivers: [Archiver] = [
      .init(), .init(compression: .zlib), .init(metadata: ["key": "value"]),
      .init(compression: .zlib, metadata: ["key": "a longer value", "other": ""]),
    ]
    let reader = try unarchiver()
    for archiver in archivers {
      let archives = try graphs.map { try archiver.archive($0) }
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

  func testReusedDecoderThrowsLikeAFreshDecoder() throws {
    let archivers: [Archiver] = [.init(), .init(compression: .zlib), .init(metadata: ["key": "value"])]
    for archiver in archivers {
      let good = try archiver.archive(leaves(5, 1))
      let wanted = describe(leaves(5, 1))
      let reader = try unarchiver()
      for index in RandomTrials.sample(of: stride(from: 0, to: good.count, by: 3), oneIn: 8) {
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

  func testErrorInInitializerDoesNotAffectLaterReading() throws {
    let good = try Archiver().archive([Brittle("a"), Brittle("b")])
    let bad = try Archiver().archive([Brittle("a"), Brittle("")])
    for _ in 0..<RandomTrials.count(usually: 2, exhaustively: 3) {
      XCTAssertEqual(try Unarchiver().unarchive([Brittle].self, from: good).map(\.name), ["a", "b"])
      assertThrows(Brittle.Failure.self) { try Unarchiver().unarchive([Brittle].self, from: bad) }
    }
  }

  func testEarlierAndPresentArchivesAreReadAlternately() throws {
    let bytes = try Archiver().archive([Leaf("a")])
    // The same class under its older name, with other columns.
    let old = try Archiver().archive(OldBough("b", weight: 7))
    let table = ClassTable()
    try table.register(Bough.self, as: "OldBough")
    let reader = Unarchiver(classes: table)
    for _ in 0..<RandomTrials.count(usually: 2, exhaustively: 3) {
      XCTAssertEqual(try reader.unarchive(Bough.self, from: old).name, "b")
      XCTAssertEqual(try reader.unarchive([Leaf].self, from: bytes).map(\.name), ["a"])
      XCTAssertEqual(
        try reader.unarchive(Bough.self, from: Archiver().archive(Bough("c", [Leaf("d")]))).leaves.count, 1)
    }
  }

  func testNestedAndConcurrentCallsAreIndependent() throws {
    let expected = try (0..<16).map { try fresh(Nested("n\($0)", depth: $0 % 4)) }
    let roundCount = RandomTrials.count(usually: 5, exhaustively: 50)
    onThreads(8) { thread in
      for number in 0..<roundCount {
        let number = (number + thread) % 16
        let bytes = try Archiver().archive(Nested("n\(number)", depth: number % 4))
        XCTAssertEqual(bytes, expected[number])
        let read = try Unarchiver().unarchive(Nested.self, from: bytes)
        XCTAssertEqual(read.description, Nested("n\(number)", depth: number % 4).description)
      }
    }
  }

  func testConcurrentRegistrationAndReadingFindEveryClass() throws {
    let leaves: [Leaf] = [Twig("a", 1), Bough("b", [Leaf("c")])]
    let bytes = try Archiver().archive(leaves)
    for _ in 0..<20 {
      let table = ClassTable()
      onThreads(8) { thread in
        if thread % 2 == 0 { try table.register(Twig.self) }
        try table.register(Bough.self)
        try table.register(Twig.self)
        let read = try Unarchiver(classes: table).unarchive([Leaf].self, from: bytes)
        XCTAssertTrue(read[0] is Twig && read[1] is Bough)
      }
    }
  }

  func testEightThreadsArchiveAndReadConcurrently() throws {
    let reader = try unarchiver()
    let canonical = Archiver(isCanonical: true)
    let archivers = [
      Archiver(), canonical, Archiver(compression: .zlib), Archiver(metadata: ["key": "value"]),
    ]
    let expected = try (0..<6).map { try fresh(Town($0), canonical) }
    let roundCount = RandomTrials.count(usually: 2, exhaustively: 16)
    onThreads(8) { thread in
      for round in 0..<roundCount {
        // A registration during the test invalidates all pooled decoders.
        if round % 8 == thread { try reader.classes.register(Bud.self, as: "Bud\(thread).\(round)") }
        let number = (round + thread) % expected.count
        let archiver = archivers[(round / 4 + thread) % archivers.count]
        let town = try reader.unarchive(Town.self, from: archiver.archive(Town(number)))
        XCTAssertEqual(try canonical.archive(town), expected[number], "thread \(thread), round \(round)")
      }
    }
  }

  /// The graph is so large that checksums and compression also use all processors.
  func testEightThreadsArchiveOneLargeGraphConcurrently() throws {
    let town = Town(7)
    town.map = Data(repeating: 7, count: 5 << 20)
    nonisolated(unsafe) let shared = town
    let archivers = [Archiver(isCanonical: true), Archiver(compression: .zlib(level: 1), isCanonical: true)]
    let expected = try archivers.map { try $0.archive(town) }
    let reader = try unarchiver()
    onThreads(8) { thread in
      let index = thread % archivers.count
      let bytes = try archivers[index].archive(shared)
      XCTAssertTrue(bytes == expected[index], "thread \(thread)")
      let read = try reader.unarchive(Town.self, from: bytes)
      XCTAssertTrue(try archivers[index].archive(read) == expected[index], "thread \(thread), read")
    }
  }

  /// Runs a body on several threads at the same time.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let done = (0..<count).map { expectation(description: "thread \($0)") }
    for (index, done) in done.enumerated() {
      Thread {
        do { try body(index) } catch { XCTFail("\(error)") }
        done.fulfill()
      }.start()
    }
    wait(for: done, timeout: 600)
  }
}

/// `Bough` in an older release.
@Archivable private final class OldBough {
  var name: String
  var weight: Int
  init(_ name: String, weight: Int) {
    self.name = name
    self.weight = weight
  }
}

/// A class whose hook refuses an empty name.
@Archivable private final class Brittle: UnarchiveFinishing {
  var name: String
  var twin: Brittle?
  init(_ name: String) { self.name = name }
  func didUnarchive(in context: ArchiveContext) throws { if name.isEmpty { throw Failure() } }
  struct Failure: Error {}
}

/// A class that creates an archive of another object while it is archived.
private final class Nested: HandWrittenClass, CustomStringConvertible {
  static var archiveSchema: ClassSchema { ClassSchema(Nested.self, name: "Nested") }
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
  var description: String { name + (inner.map { "(\($0))" } ?? "") }
}

/// A class with weak cycles, subclasses, a set of objects that hash by their properties, and a class with
/// hand-written coding.
@Archivable private final class Town {
  var leaves: [Leaf] = []
  var people: [Person] = []
  var club = Club("club")
  var ages: [String: Int] = [:]
  var contact = Contact("first")
  var map = Data()

  init(_ number: Int) {
    let bough = Bough("bough\(number)", [Twig("twig", number), Leaf("leaf")])
    bough.tree = bough
    leaves = [bough, Bough("other", [bough])]
    for index in 0..<(1 + number * 20) {
      let person = index % 3 == 0 ? Employee("employee\(index)") : Person("person\(index)", hairCount: index)
      person.mother = people.last
      person.friends = people.suffix(2)
      people.append(person)
      ages[person.name] = index
      if index < 20 { club.members.insert(Member(index, in: club)) }
    }
    contact.next = Contact("second")
    contact.next?.previous = contact
    contact.extras["mail"] = "\(number)"
  }
}
