import ArcFormat

/// Records, while references are read, which objects other objects retain. The table usually shows whether
/// the roots retain all objects, without a log of all references.
///
/// In an archive that Arc wrote, each row is retained by an earlier row, and so by row 0. One bit per row is
/// then sufficient. If objects may precede the objects that retain them, like the targets of construction
/// references, the table stores the first holder of each row instead.
///
/// Invariant: `bits` has at least one word for each 64 of `rowCount` rows. `first` is nil or has `rowCount`
/// elements.
@usableFromInline struct HolderTable {
  /// For each row, whether an earlier row was found that retains the row's object.
  @usableFromInline private(set) var bits = HandleBuffer<UInt64>(repeating: 0, count: 1)
  /// For each row, the lowest row that was found to retain the row's object; nil if the bits are sufficient.
  @usableFromInline private(set) var first: HandleBuffer<UInt32>?
  private(set) var rowCount = 0

  /// Prepares for a number of rows. No row has a holder at first.
  mutating func begin(rowCount: Int) {
    self.rowCount = rowCount
    let wordCount = rowCount / 64 + 1
    if wordCount > bits.count {
      bits.free()
      bits = HandleBuffer(repeating: 0, count: wordCount)
    } else {
      for word in 0..<wordCount { bits[word] = 0 }
    }
    removeFirstHolders()
  }

  /// Prepares for storing the first holder of each row. Call this before any holder is recorded.
  mutating func storeFirstHolders() {
    if first == nil { first = HandleBuffer(repeating: .max, count: rowCount) }
  }

  mutating func removeFirstHolders() {
    first?.free()
    first = nil
  }

  /// Records that one row retains another row. `row` is below `rowCount`.
  ///
  /// The code has no branch that depends on whether a holder is the first, because the processor cannot
  /// predict such a branch.
  @inlinable @inline(__always)
  func note(_ row: Int, by holder: Int) {
    if let first {
      first[row] = min(first[row], UInt32(truncatingIfNeeded: holder))
    } else {
      bits[row >> 6] |= (holder < row ? 1 as UInt64 : 0) &<< UInt64(row & 63)
    }
  }

  /// Whether the roots are known to retain all rows. If false, only a log of all references can show whether
  /// they retain all rows. O(rows).
  var rootsRetainAll: Bool {
    guard let first else {
      return (1..<max(rowCount, 1)).allSatisfy { bits[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
    }
    return everyPathEndsAtRoots(first)
  }

  /// Whether row 0 is reached from every row by following the first holders. If false, row 0 may still be
  /// reached through other holders.
  private func everyPathEndsAtRoots(_ holders: HandleBuffer<UInt32>) -> Bool {
    guard let late = (1..<max(rowCount, 1)).first(where: { holders[$0] >= UInt32($0) }) else {
      return true
    }
    // Earlier rows retain each row below `late`, so the roots retain them, too.
    var isHeld = [Bool](repeating: false, count: rowCount)
    var isOnPath = isHeld
    for row in 0..<late { isHeld[row] = true }
    var path: [Int] = []
    for start in late..<rowCount {
      var row = start
      while !isHeld[row] {
        let holder = Int(holders[row])
        guard holder < rowCount, !isOnPath[row] else { return false }
        isOnPath[row] = true
        path.append(row)
        row = holder
      }
      for row in path { isHeld[row] = true }
      path.removeAll(keepingCapacity: true)
    }
    return true
  }

  func free() {
    bits.free()
    first?.free()
  }
}
