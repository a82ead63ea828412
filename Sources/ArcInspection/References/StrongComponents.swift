import ArcArchive
import ArcFormat

/// The sets of objects that retain each other. Strong references form a path from each object of a set to
/// each other object of the set.
///
/// The algorithm is by Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972).
struct StrongComponents {
  /// The rows of each set that has a cycle. The largest set is first. The rows of each set are ascending.
  private(set) var cyclic: [[UInt32]] = []

  private static let none = UInt32.max

  /// Finds the sets of objects that retain each other.
  ///
  /// - Complexity: O(rows + references), without recursion.
  init(_ references: RowReferences) {
    // The number of each row in the order of the search, and the minimum number among the open rows that the
    // row reaches.
    var numbers = [UInt32](repeating: Self.none, count: references.rowCount)
    var earliest = numbers
    var isOpen = [Bool](repeating: false, count: references.rowCount)
    var rows: [UInt32] = []
    var count: UInt32 = 0
    func open(_ row: Int) -> Range<Int>.Iterator {
      (numbers[row], earliest[row], isOpen[row]) = (count, count, true)
      count += 1
      rows.append(UInt32(row))
      return references[row].makeIterator()
    }
    for start in 0..<references.rowCount where numbers[start] == Self.none {
      var walk = DependencyOrder(start, needs: open(start))
      while let step = walk.next() {
        switch step {
        case .need(let reference):
          guard references.isStrong(reference), let row = walk.last else { continue }
          let target = references.target(reference)
          if numbers[target] == Self.none {
            walk.begin(target, needs: open(target))
          } else if isOpen[target] {
            earliest[row] = min(earliest[row], numbers[target])
          }
        case .ready(let row):
          if let owner = walk.last { earliest[owner] = min(earliest[owner], earliest[row]) }
          guard earliest[row] == numbers[row] else { continue }
          var members: [UInt32] = []
          while let member = rows.popLast() {
            isOpen[Int(member)] = false
            members.append(member)
            if Int(member) == row { break }
          }
          if members.count > 1 || references.refers(row, to: row) { cyclic.append(members.sorted()) }
        }
      }
    }
    cyclic.sort { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }
}

extension RowReferences {
  /// Whether a row has a strong reference to `target`, which can be the row itself.
  fileprivate func refers(_ row: Int, to target: Int) -> Bool {
    self[row].contains { isStrong($0) && self.target($0) == target }
  }

  /// Returns a shortest cycle that begins and ends with the first element of `rows`, and contains only
  /// elements of `rows`. `rows` must be ascending. Empty if there is no such cycle.
  ///
  /// - Complexity: O(*n* · log *n* + references of the rows) for *n* rows.
  func shortestCycle(through rows: [UInt32]) -> [UInt32] {
    let part = strongReferences(among: rows)
    let paths = ShortestPaths(in: part)
    guard let last = paths.rows.first(where: { part.refers(Int($0), to: 0) }),
      let path = paths.path(to: Int(last))
    else { return [] }
    return (path + [0]).map { rows[$0] }
  }

  /// Returns the strong references between the rows in `rows`. `rows` must be ascending. The result
  /// identifies each row by its index in `rows`, not by its row number.
  private func strongReferences(among rows: [UInt32]) -> RowReferences {
    var part = RowReferences()
    for row in rows {
      forEachRetained(by: Int(row)) { target in
        let index = rows.partitioningIndex { Int($0) >= target }
        if index < rows.count, Int(rows[index]) == target { part.append(UInt32(index)) }
      }
      part.endRow()
    }
    return part
  }
}
