import ArcArchive
import ArcFormat

/// The sets of objects that keep each other: from each of them, strong references lead to each other one.
///
/// By Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972).
struct StrongComponents {
  /// The rows of each set that has a cycle, ascending; the largest set first.
  private(set) var cyclic: [[UInt32]] = []

  private static let nobody = UInt32.max

  /// - Complexity: O(rows + references), without recursion.
  init(_ references: RowReferences) {
    // By row, when it was met, and when the earliest was that can be reached from it and is open still.
    var numbers = [UInt32](repeating: Self.nobody, count: references.rowCount)
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
    for start in 0..<references.rowCount where numbers[start] == Self.nobody {
      var walk = DependencyOrder(start, needs: open(start))
      while let step = walk.next() {
        switch step {
        case .need(let reference):
          guard references.isStrong(reference), let row = walk.last else { continue }
          let target = references.target(reference)
          if numbers[target] == Self.nobody {
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
  /// Whether a row has a strong reference to another row or itself.
  fileprivate func refers(_ row: Int, to target: Int) -> Bool {
    self[row].contains { isStrong($0) && self.target($0) == target }
  }

  /// The rows of a shortest cycle through the first of some rows, which begins and ends with it; none of them
  /// is outside of these rows, which are ascending. Empty if there is none.
  ///
  /// - Complexity: O(rows · log rows + references) of these rows.
  func shortestCycle(through rows: [UInt32]) -> [UInt32] {
    let part = strongReferences(among: rows)
    let paths = ShortestPaths(in: part)
    guard let last = paths.rows.first(where: { part.refers(Int($0), to: 0) }),
      let path = paths.path(to: Int(last))
    else { return [] }
    return (path + [0]).map { rows[$0] }
  }

  /// The strong references between some rows, which are ascending. Row n of the result is the row at index n.
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
