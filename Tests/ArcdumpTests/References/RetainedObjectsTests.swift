import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class RetainedObjectsTests: XCTestCase {
  func testRowReferencesEqualReferencesOfRandomObjects() throws {
    let seed = RandomTrials.seed()
    for number in 0..<30 {
      let bytes = try RandomArchive(seed: seed &+ UInt64(number)).bytes(rowCount: 60, compression: .none)
      let catalog = ObjectCatalog(try ArchiveFile(bytes: bytes))
      let references = try RowReferences(verifying: catalog.file)
      var reverse: [Int: [Int]] = [:]
      for row in 0..<references.rowCount {
        let object = try catalog.file.object(ObjectID(rawValue: UInt32(row)))
        let places = ReferenceSearch.references(in: object, catalog) { _ in true }
        let expected = places.map { "\($0.target) \($0.isWeak)" }.sorted()
        let found = references[row].map {
          "#\(references.target($0)) \(references.strength($0) == .weak)"
        }
        XCTAssertEqual(found.sorted(), expected, "seed \(seed &+ UInt64(number)), row \(row)")
        for reference in references[row] {
          reverse[references.target(reference), default: []].append(row)
        }
      }
      let reversed = references.reversed()
      for row in 0..<references.rowCount {
        XCTAssertEqual(reversed[row].map(reversed.target), reverse[row] ?? [])
      }
    }
  }

  func testPropertyAttributesDetermineReferenceStrength() throws {
    let references = try RowReferences(verifying: ArchiveFile(bytes: QueriedArchives.zoo()))
    func shown(_ row: Int) -> [String] {
      references[row].map { "\(references.target($0)) \(references.strength($0))" }.sorted()
    }
    XCTAssertEqual(shown(0), ["1 strong", "3 strong"])
    XCTAssertEqual(shown(1), ["2 strong", "2 weak", "3 strong"])
    XCTAssertEqual(shown(2), ["1 strong", "4 unowned"])
    XCTAssertEqual(shown(3), ["1 weak"])
  }

  func testReferencesThatExceedMemoryLimitsAreRefused() throws {
    let bytes = try QueriedArchives.ring(10_000, isClosed: true)
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = 200_000
    let file = try ArchiveFile(bytes: bytes, limits: limits)
    XCTAssertNoThrow(try file.verify())
    XCTAssertThrowsError(try RowReferences(verifying: file)) {
      XCTAssertEqual(($0 as? ArchiveError)?.code, .limitExceeded)
    }
  }

  func testRetainedObjectsAreUnreachableWithoutTheirDominator() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<60 {
      let count = Int.random(in: 2...14, using: &random)
      let targets = (0..<count).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          UInt32.random(in: 1..<UInt32(count), using: &random)
        }
      }
      let file = try ArchiveFile(bytes: QueriedArchives.graph(targets))
      let (references, sizes) = (try RowReferences(verifying: file), try RowSizes(of: file))
      let tree = DominatorTree(references, reversed: references.reversed(), sizes)
      let all = reached(references, without: nil)
      for row in 1..<count {
        XCTAssertEqual(tree.isRetained(row), all.contains(row), "\(targets)")
        guard all.contains(row) else {
          XCTAssertNil(tree.retained(by: row))
          continue
        }
        // An object retains the objects that cannot be reached without it.
        let lost = all.subtracting(reached(references, without: row))
        XCTAssertEqual(tree.retained(by: row)?.objectCount, lost.count, "\(targets), row \(row)")
        XCTAssertEqual(
          tree.retained(by: row)?.byteCount, (lost.reduce(0) { $0 + sizes.bitCounts[$1] } + 7) / 8,
          "\(targets)")
        // Of the objects that retain the object, the dominator retains the fewest objects.
        let above = (1..<count).filter {
          $0 != row && all.contains($0) && !reached(references, without: $0).contains(row)
        }
        let nearest = above.min {
          tree.retained(by: $0)?.objectCount ?? 0 < tree.retained(by: $1)?.objectCount ?? 0
        }
        XCTAssertEqual(tree.dominator(of: row), nearest ?? 0, "\(targets), row \(row)")
      }
    }
  }

  func testObjectsInStrongComponentsReachEachOther() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<60 {
      let count = Int.random(in: 2...14, using: &random)
      let targets = (0..<count).map { _ in
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
          UInt32.random(in: 1..<UInt32(count), using: &random)
        }
      }
      let references = try RowReferences(verifying: ArchiveFile(bytes: QueriedArchives.graph(targets)))
      let reach = (0..<count).map { row in Set(targets[row].flatMap { reached(targets, from: Int($0)) }) }
      var expected: Set<[UInt32]> = []
      for row in 0..<count where reach[row].contains(row) {
        expected.insert(reach[row].filter { reach[$0].contains(row) }.map { UInt32($0) }.sorted())
      }
      let components = StrongComponents(references)
      XCTAssertEqual(Set(components.cyclic), expected, "\(targets)")
      for rows in components.cyclic {
        let cycle = references.shortestCycle(through: rows)
        XCTAssertEqual(cycle.first, rows[0])
        XCTAssertEqual(cycle.last, rows[0])
        XCTAssertGreaterThan(cycle.count, 1)
        for (owner, target) in zip(cycle, cycle.dropFirst()) {
          XCTAssertTrue(targets[Int(owner)].contains(target), "\(targets): \(cycle)")
        }
      }
    }
  }

  func testDominatorTimeGrowsLinearlyForDifficultGraphs() throws {
    // A chain in which each node has a back reference, and a ladder. For these graphs, the paths in the
    // forest are long.
    func steps(_ count: Int) throws -> [Int] {
      var chain: [[UInt32]] = [[1]]
      var ladder: [[UInt32]] = [[1, UInt32(count / 2)]]
      for row in 1..<count {
        let next = min(row + 1, count - 1)
        chain.append([next, max(row / 2, 1), max(row - 1, 1)].map { UInt32($0) })
        ladder.append([next, 1 + (row + count / 2) % (count - 1)].map { UInt32($0) })
      }
      return try [chain, ladder].map { targets in
        let file = try ArchiveFile(bytes: QueriedArchives.graph(targets))
        return try DominatorTree(of: file).stepCount
      }
    }
    let (small, large) = (try steps(4000), try steps(16_000))
    for (small, large) in zip(small, large) { XCTAssertLessThan(large, small * 5) }
  }

  func testLongChainsAreAnalyzedOnSmallStack() throws {
    let count = RandomTrials.size(usually: 20_000, exhaustively: 100_000)
    let bytes = try QueriedArchives.ring(count, isClosed: true)
    try onSmallStack {
      let file = try ArchiveFile(bytes: bytes)
      let references = try RowReferences(verifying: file)
      let tree = try DominatorTree(of: file)
      XCTAssertEqual(tree.retained(by: 1)?.objectCount, count)
      XCTAssertEqual(tree.dominator(of: count), count - 1)
      XCTAssertEqual(StrongComponents(references).cyclic.map(\.count), [count])
      XCTAssertEqual(ShortestPaths(in: references).length(to: count), count)
    }
  }

  /// Returns the rows that row 0 reaches by strong references without passing through `row`. Row 0 is not
  /// included.
  private func reached(_ references: RowReferences, without row: Int?) -> Set<Int> {
    var found: Set<Int> = []
    var pending = [0]
    while let next = pending.popLast() {
      references.forEachRetained(by: next) { target in
        if target != row, found.insert(target).inserted { pending.append(target) }
      }
    }
    return found
  }

  private func reached(_ targets: [[UInt32]], from row: Int) -> Set<Int> {
    var found: Set<Int> = [row]
    var pending = [row]
    while let next = pending.popLast() {
      for target in targets[next] where found.insert(Int(target)).inserted { pending.append(Int(target)) }
    }
    return found
  }
}

extension DominatorTree {
  /// Finds the dominators of a file's objects.
  init(of file: ArchiveFile) throws {
    let references = try RowReferences(verifying: file)
    self.init(references, reversed: references.reversed(), try RowSizes(of: file))
  }
}
