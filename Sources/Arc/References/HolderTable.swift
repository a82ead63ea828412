import ArcFormat

/// Records, while references are read, which objects other objects retain. The table usually shows whether
/// the roots retain all objects, without a log of all references.
///
/// In most archives, an earlier row retains each row, so row 0 (the roots) retains all rows directly or
/// indirectly. One bit per row then suffices. Some objects, like the targets of construction references, may
/// precede all objects that retain them. The table then stores, for each row, the first row that retains it.
///
/// Invariant: `bits` has at least one word for each 64 of `rowCount` rows. `first` is nil or has `rowCount`
/// elements.
@usableFromInline struct HolderTable {
  /// For each row, whether an earlier row was found that retains the row's object.
  @usableFromInline private(set) var bits = HandleBuffer<UInt64>(repeating: 0, count: 1)
  /// For each row, the lowest row whose object retains the row's object, as far as references were read. Nil
  /// if `bits` suffices.
  @usableFromInline private(set) var first: HandleBuffer<UInt32>?
  private(set) var rowCount = 0

  /// Prepares for a number of rows. At first, no row is recorded as retained by another row.
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

  /// Creates `first`, so that the table stores, for each row, the first row that retains it. Call this
  /// function before any reference is recorded.
  mutating func storeFirstHolders() {
    if first == nil { first = HandleBuffer(repeating: .max, count: rowCount) }
  }

  mutating func removeFirstHolders() {
    first?.free()
    first = nil
  }

  /// Records that the object of row `holder` retains the object of row `row`, which is less than `rowCount`.
  ///
  /// The code does not branch on whether `holder` is less than a known holder or than `row`, because the
  /// processor cannot predict such a branch.
  @inlinable @inline(__always)
  func note(_ row: Int, by holder: Int) {
    if let first {
      first[row] = min(first[row], UInt32(truncatingIfNeeded: holder))
    } else {
      bits[row >> 6] |= (holder < row ? 1 as UInt64 : 0) &<< UInt64(row & 63)
    }
  }

  /// Whether this table shows that the roots retain the objects of all rows. If false, they may still retain
  /// all objects; a log of all references must then be used. O(rows).
  var rootsRetainAll: Bool {
    guard let first else {
      return (1..<max(rowCount, 1)).allSatisfy { bits[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
    }
    return everyPathEndsAtRoots(first)
  }

  /// Whether following the rows in `first`, from a row to the first row that retains it, reaches row 0 from
  /// every row. If false, row 0 may still retain all rows, because `first` does not contain all references.
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
