import ArcFormat

/// The sets of objects that keep each other: from each of them, strong references lead to each other one.
///
/// By Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972).
struct StrongComponents {
  /// The rows of each set that has a cycle, ascending; the largest set first.
  private(set) var cyclic: [[UInt32]] = []

  private static let nobody = UInt32.max

  /// - Complexity: O(rows + references), without recursion.
  init(_ graph: ReferenceGraph) {
    // By row, when it was met, and when the earliest was that can be reached from it and is open still.
    var numbers = [UInt32](repeating: Self.nobody, count: graph.rowCount)
    var earliest = numbers
    var isOpen = [Bool](repeating: false, count: graph.rowCount)
    var rows: [UInt32] = []
    var calls: [(row: Int, references: Range<Int>)] = []
    var count: UInt32 = 0
    func meet(_ row: Int) {
      (numbers[row], earliest[row], isOpen[row]) = (count, count, true)
      count += 1
      rows.append(UInt32(row))
      calls.append((row, graph.references(of: row)))
    }
    for start in 0..<graph.rowCount where numbers[start] == Self.nobody {
      meet(start)
      while let last = calls.indices.last {
        let row = calls[last].row
        if let reference = calls[last].references.first {
          calls[last].references.removeFirst()
          guard graph.isStrong(reference) else { continue }
          let target = graph.target(reference)
          if numbers[target] == Self.nobody {
            meet(target)
          } else if isOpen[target] {
            earliest[row] = min(earliest[row], numbers[target])
          }
          continue
        }
        calls.removeLast()
        if let caller = calls.last?.row { earliest[caller] = min(earliest[caller], earliest[row]) }
        guard earliest[row] == numbers[row] else { continue }
        var members: [UInt32] = []
        while let member = rows.popLast() {
          isOpen[Int(member)] = false
          members.append(member)
          if Int(member) == row { break }
        }
        if members.count > 1 || graph.refersToItself(row) { cyclic.append(members.sorted()) }
      }
    }
    cyclic.sort { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }
}

extension ReferenceGraph {
  /// Whether an object keeps itself.
  fileprivate func refersToItself(_ row: Int) -> Bool {
    references(of: row).contains { isStrong($0) && target($0) == row }
  }

  /// The rows of a shortest cycle through the first of some rows, which begins and ends with it; none of them
  /// is outside of these rows, which are ascending. Empty if there is none.
  ///
  /// - Complexity: O(rows · log rows + references) of these rows.
  func shortestCycle(through rows: [UInt32]) -> [UInt32] {
    guard let start = rows.first else { return [] }
    var finders: [UInt32: UInt32] = [:]
    var found = [start]
    var next = 0
    while next < found.count {
      let owner = found[next]
      next += 1
      for reference in references(of: Int(owner)) where isStrong(reference) {
        let target = UInt32(self.target(reference))
        if target == start {
          var cycle = [start, owner]
          while let last = cycle.last, last != start, let finder = finders[last] { cycle.append(finder) }
          return owner == start ? [start, start] : cycle.reversed()
        }
        let place = rows.partitioningIndex { $0 >= target }
        guard place < rows.count, rows[place] == target, finders[target] == nil else { continue }
        finders[target] = owner
        found.append(target)
      }
    }
    return []
  }
}
