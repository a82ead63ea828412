/// Which objects are known to be held, while references are read: mostly it tells, without a log of all
/// references, whether the roots hold all objects.
///
/// In an archive as Arc writes it, each row is held by an earlier one, and so by row 0: one bit per row
/// tells. Where objects may precede those that hold them, as the targets of construction references do, the
/// first holder of each row is kept.
///
/// Invariant: `bits` has a word for each 64 of `rowCount` rows, `first` is nil or has `rowCount` elements,
/// all initialised.
@usableFromInline @safe struct HolderTable {
  /// Whether an earlier row was seen to hold the object of a row.
  @usableFromInline private(set) var bits: UnsafeMutablePointer<UInt64>
  /// For each row the first of the rows that were seen to hold its object.
  @usableFromInline private(set) var first: UnsafeMutablePointer<UInt32>?
  private(set) var rowCount = 0
  private var wordCapacity = 1

  init() {
    unsafe bits = .allocate(capacity: 1)
    unsafe first = nil
  }

  /// Starts with a number of rows, of which none is held.
  mutating func start(rowCount: Int) {
    self.rowCount = rowCount
    let wordCount = rowCount / 64 + 1
    if wordCount > wordCapacity {
      unsafe bits.deallocate()
      unsafe bits = .allocate(capacity: wordCount)
      wordCapacity = wordCount
    }
    unsafe bits.initialize(repeating: 0, count: wordCount)
    keepNoHolders()
  }

  /// Keeps the first holder of each row, before anything is noted.
  mutating func keepFirstHolders() {
    guard unsafe first == nil else { return }
    let holders = UnsafeMutablePointer<UInt32>.allocate(capacity: max(rowCount, 1))
    unsafe holders.initialize(repeating: .max, count: rowCount)
    unsafe first = unsafe holders
  }

  mutating func keepNoHolders() {
    unsafe first?.deallocate()
    unsafe first = nil
  }

  /// Notes that a row holds another one, which is below `rowCount`.
  ///
  /// Which holder is the first cannot be predicted, so no branch depends on it.
  @inlinable @inline(__always)
  func note(_ row: Int, by holder: Int) {
    if let first = unsafe first {
      unsafe first[row] = min(first[row], UInt32(truncatingIfNeeded: holder))
    } else {
      unsafe bits[row >> 6] |= (holder < row ? 1 as UInt64 : 0) &<< UInt64(row & 63)
    }
  }

  /// Whether the roots are known to hold all rows. If not, a log of all references may tell. O(rows).
  var doRootsHoldAll: Bool {
    guard let first = unsafe first else {
      return (1..<max(rowCount, 1)).allSatisfy { unsafe bits[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
    }
    return unsafe doesEachPathLeadToRoots(first)
  }

  /// Whether going from holder to holder leads from every row to row 0. If it does not, another holder may
  /// still lead there.
  private func doesEachPathLeadToRoots(_ holders: UnsafeMutablePointer<UInt32>) -> Bool {
    guard let late = (1..<max(rowCount, 1)).first(where: { unsafe holders[$0] >= UInt32($0) }) else {
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
        let holder = unsafe Int(holders[row])
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
    unsafe bits.deallocate()
    unsafe first?.deallocate()
  }
}
