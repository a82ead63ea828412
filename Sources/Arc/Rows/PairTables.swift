/// A set of pairs of corresponding objects from two graphs. Each object is found by its address. After
/// `isKnown(_:)` has returned nil, the tables must not be used any more.
///
/// Each table numbers the objects of one graph in the order in which they are reached. Objects of equal
/// graphs are reached in the same order, so two objects are a pair if both have the same number.
final class PairTables {
  private var ones: IdentityTable
  private var others: IdentityTable
  private var count: UInt32 = 0

  init(expectedCount: Int) {
    ones = IdentityTable(expectedCount: expectedCount)
    others = IdentityTable(expectedCount: expectedCount)
  }

  deinit {
    ones.free()
    others.free()
  }

  /// Whether the number of pairs has reached the maximum.
  var isFull: Bool { count == .max }

  /// Whether the tables contain the pair. If neither object of the pair is in a known pair, adds the pair and
  /// returns false. Returns nil if one of the objects is in another pair, or if the tables are full.
  func isKnown(_ pair: ObjectComparison.Pair) -> Bool? {
    guard !isFull else { return nil }
    let next = count + 1
    let row = ones.row(of: pair.one, orAssign: next)
    guard others.row(of: pair.other, orAssign: next) == row else { return nil }
    if row != next { return true }
    count = next
    return false
  }
}
