/// Which object holds which, row by row, as the references of a graph are read.
///
/// A file may hold objects that the caller's roots do not reach: other roots' objects, those of a property
/// that the program no longer has, or whatever a stranger put there. If they form cycles, nothing would ever
/// free them; the log tells which they are. 8 bytes a reference.
struct ReferenceLog {
  private var entries: ContiguousArray<(owner: UInt32, target: UInt32)> = []

  /// Adds what another log has.
  mutating func add(_ other: ReferenceLog) { entries += other.entries }

  /// Notes that the object of a row holds another; row 0 is that of the roots.
  mutating func add(owner: Int, target: Int) {
    entries.append((UInt32(truncatingIfNeeded: owner), UInt32(truncatingIfNeeded: target)))
  }

  /// The rows that the roots hold, directly or not, and row 0: each after those that it holds, unless they
  /// lead back to it. O(rows + references), without recursion.
  func rowsFromTheLeaves(of rowCount: Int) -> [Int] {
    let (starts, targets) = targetsByOwner(rowCount)
    var rows: [Int] = []
    var isKnown = [Bool](repeating: false, count: rowCount)
    // Each with the position of its next target.
    var path = [(row: 0, next: 0)]
    while let (row, next) = path.last {
      guard next < targets.count, next < starts[row + 1] else {
        rows.append(row)
        path.removeLast()
        continue
      }
      path[path.count - 1].next = next + 1
      let target = Int(targets[next])
      guard target < rowCount, target > 0, !isKnown[target] else { continue }
      isKnown[target] = true
      path.append((target, starts[target]))
    }
    return rows
  }

  /// For each row whether the roots hold it, directly or not. O(rows + references), without recursion.
  func reachableRows(of rowCount: Int) -> [Bool] {
    let (starts, targets) = targetsByOwner(rowCount)
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

  /// The rows that each row holds, in the order in which they were noted: those of row r are at
  /// starts[r]..<starts[r + 1]. Sorted by counting.
  private func targetsByOwner(_ rowCount: Int) -> (starts: [Int], targets: [UInt32]) {
    var starts = [Int](repeating: 0, count: rowCount + 1)
    for entry in entries where entry.owner < rowCount { starts[Int(entry.owner) + 1] += 1 }
    for row in 0..<rowCount { starts[row + 1] += starts[row] }
    var targets = [UInt32](repeating: 0, count: starts[rowCount])
    var next = starts
    for entry in entries where entry.owner < rowCount {
      targets[next[Int(entry.owner)]] = entry.target
      next[Int(entry.owner)] += 1
    }
    return (starts, targets)
  }
}
