import ArcFormat

/// Which objects are known to be held, while references are read: mostly it tells, without a log of all
/// references, whether the roots hold all objects.
///
/// In an archive as Arc writes it, each row is held by an earlier one, and so by row 0: one bit per row
/// tells. Where objects may precede those that hold them, as the targets of construction references do, the
/// first holder of each row is kept.
///
/// Invariant: `bits` has a word for each 64 of `rowCount` rows, `first` is nil or has `rowCount` elements.
@usableFromInline struct HolderTable {
  /// Whether an earlier row was seen to hold the object of a row.
  @usableFromInline private(set) var bits = HandleBuffer<UInt64>(repeating: 0, count: 1)
  /// For each row the first of the rows that were seen to hold its object.
  @usableFromInline private(set) var first: HandleBuffer<UInt32>?
  private(set) var rowCount = 0

  /// Starts with a number of rows, of which none is held.
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

  /// Keeps the first holder of each row, before anything is noted.
  mutating func keepFirstHolders() {
    if first == nil { first = HandleBuffer(repeating: .max, count: rowCount) }
  }

  mutating func removeFirstHolders() {
    first?.free()
    first = nil
  }

  /// Notes that a row holds another one, which is below `rowCount`.
  ///
  /// Which holder is the first cannot be predicted, so no branch depends on it.
  @inlinable @inline(__always)
  func note(_ row: Int, by holder: Int) {
    if let first {
      first[row] = min(first[row], UInt32(truncatingIfNeeded: holder))
    } else {
      bits[row >> 6] |= (holder < row ? 1 as UInt64 : 0) &<< UInt64(row & 63)
    }
  }

  /// Whether the roots are known to hold all rows. If not, a log of all references may tell. O(rows).
  var rootsHoldAll: Bool {
    guard let first else {
      return (1..<max(rowCount, 1)).allSatisfy { bits[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
    }
    return everyPathLeadsToRoots(first)
  }

  /// Whether going from holder to holder leads from every row to row 0. If it does not, another holder may
  /// still lead there.
  private func everyPathLeadsToRoots(_ holders: HandleBuffer<UInt32>) -> Bool {
    guard let late = (1..<max(rowCount, 1)).first(where: { holders[$0] >= UInt32($0) }) else {
      return true
    }
    // Earlier rows hold all rows below `late`, and so do the roots.
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
