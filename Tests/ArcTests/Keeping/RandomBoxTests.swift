import Arc
import ArcArchive
import ArcTestSupport
import XCTest

/// Random lists of values of any type, with random changes by a program that knows half of them.
final class RandomBoxTests: XCTestCase {
  func testSaveChangesOnlyTheEditedList() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for round in 0..<RandomTrials.count(usually: 5, exhaustively: 60) {
      let whole = WholeBoard.Board()
      var count = 0
      whole.items = items(3, &count, &random)
      whole.lists = ["a": items(1, &count, &random), "b": items(1, &count, &random)]
      var bytes = try Archiver().archive(whole)
      for _ in 0..<2 {
        let content = PreservedContent()
        let half = try Unarchiver(
          classes: ClassTable(declaring: HalfBoard.types), unknownContent: .preserve(in: content)
        ).unarchive(HalfBoard.Board.self, from: bytes)
        let change = Change(of: Int.random(in: 0...count, using: &random), &random)
        (whole.items, half.items) = (change.changed(whole.items), change.changed(half.items))
        (whole.lists, half.lists) = (
          whole.lists.mapValues(change.changed), half.lists.mapValues(change.changed)
        )
        bytes = try Archiver(preserving: content).archive(half)
        try ArchiveFile(bytes: bytes).verify()
        let found = try Unarchiver(classes: ClassTable(declaring: WholeBoard.types))
          .unarchive(WholeBoard.Board.self, from: bytes)
        if let difference = try ObjectGraph.difference(between: found, and: whole) {
          return XCTFail("round \(round), \(change): \(difference)")
        }
      }
    }
  }

  /// Returns values of all kinds. Each dot has a unique number.
  private func items(_ depth: Int, _ count: inout Int, _ random: inout SplitMix64) -> [any BoardItem] {
    (0..<Int.random(in: 0..<7, using: &random)).map { _ in
      count += 1
      switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
      case 0: return WholeBoard.Coil(count)
      case 1: return WholeBoard.Lamp.blue
      case 2: return WholeBoard.Lamp.red
      case 3, 4: return WholeBoard.Dot(x: count, z: Bool.random(using: &random) ? count : nil)
      default: return WholeBoard.Bunch(items: items(depth - 1, &count, &random), note: "\(count)")
      }
    }
  }

  /// A change of one dot at any depth, and of the list that contains it.
  private struct Change {
    let number: Int
    let kind: Int
    /// A number that no other change sets, by which the dot is found again.
    private var newNumber: Int { -4 * number - kind }

    init(of number: Int, _ random: inout SplitMix64) {
      self.number = number
      kind = Int.random(in: 0..<3, using: &random)
    }

    func changed(_ items: [any BoardItem]) -> [any BoardItem] {
      items.flatMap { item -> [any BoardItem] in
        switch item {
        case var dot as WholeBoard.Dot where dot.x == number:
          if kind == 0 { return [] }
          dot.x = newNumber
          return [dot]
        case var dot as HalfBoard.Dot where dot.x == number:
          if kind == 0 { return [] }
          dot.x = newNumber
          return [dot]
        case var bunch as WholeBoard.Bunch:
          let hasDot = bunch.items.contains { ($0 as? WholeBoard.Dot)?.x == number }
          bunch.items = changed(bunch.items)
          if kind == 2, hasDot { bunch.items.append(WholeBoard.Dot(x: -100_000 - number)) }
          return [bunch]
        case var bunch as HalfBoard.Bunch:
          let hasDot = bunch.items.contains { ($0 as? HalfBoard.Dot)?.x == number }
          bunch.items = changed(bunch.items)
          if kind == 2, hasDot { bunch.items.append(HalfBoard.Dot(x: -100_000 - number)) }
          return [bunch]
        default: return [item]
        }
      }
    }
  }
}
