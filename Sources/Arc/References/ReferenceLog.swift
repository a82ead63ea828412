/// Which object holds which, row by row, as the references of a graph are read.
///
/// A file may hold objects that the caller's roots do not reach: other roots' objects, those of a property
/// that the program no longer has, or whatever a stranger put there. If they form cycles, nothing would ever
/// free them; the log tells which they are. 8 bytes a reference.
struct ReferenceLog {
  private var entries: ContiguousArray<(owner: UInt32, target: UInt32)> = []

  /// Notes that the object of a row holds another; row 0 is that of the roots.
  mutating func add(owner: Int, target: Int) {
    entries.append((UInt32(truncatingIfNeeded: owner), UInt32(truncatingIfNeeded: target)))
  }

  /// For each row whether the roots hold it, directly or not. O(rows + references), without recursion.
  func reachableRows(of rowCount: Int) -> [Bool] {
    // A counting sort by owner: the targets of row r are at starts[r]..<starts[r + 1].
    var starts = [Int](repeating: 0, count: rowCount + 1)
    for entry in entries where entry.owner < rowCount { starts[Int(entry.owner) + 1] += 1 }
    for row in 0..<rowCount { starts[row + 1] += starts[row] }
    var targets = [UInt32](repeating: 0, count: starts[rowCount])
    var next = starts
    for entry in entries where entry.owner < rowCount {
      targets[next[Int(entry.owner)]] = entry.target
      next[Int(entry.owner)] += 1
    }
    var isReachable = [Bool](repeating: false, count: rowCount)
    var pending = [0]
    while let row = pending.popLast() {
      for target in targets[starts[row]..<starts[row + 1]] where target < rowCount {
        guard !isReachable[Int(target)] else { continue }
        isReachable[Int(target)] = true
        pending.append(Int(target))
      }
    }
    return isReachable
  }
}
