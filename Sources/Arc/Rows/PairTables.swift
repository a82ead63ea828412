/// Pairs of objects, each found by both of its objects; of no use once two of them were no pair.
///
/// Objects of two graphs that are the same are found in the same order: so two of them are a pair if both
/// have the same number in the order of their graphs.
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

  /// Whether there are more than can be numbered.
  var isFull: Bool { count == .max }

  /// Whether two objects are a pair already; then they are. Nil if one of them is in another pair, or if
  /// there are too many pairs.
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
