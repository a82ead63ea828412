/// The shortest paths of references from one row to all rows that it reaches.
package struct ShortestPaths {
  /// The reached rows, ordered by the length of their paths. The first is the row where all paths begin.
  package private(set) var rows: [UInt32]
  /// For each row, the row that precedes it on a shortest path.
  private var predecessors: [UInt32]
  /// A marker for rows without a predecessor. Row numbers are below 2^32 - 1.
  private static let none = UInt32.max

  /// Searches the paths breadth first.
  ///
  /// - Parameters:
  ///   - references: the references of all rows.
  ///   - start: the row where the paths begin.
  ///   - isFollowed: returns whether paths may contain references of a strength.
  /// - Complexity: O(rows + references), without recursion.
  package init(
    in references: RowReferences, from start: Int = 0,
    following isFollowed: (RowReferences.Strength) -> Bool = { $0 == .strong }
  ) {
    predecessors = Array(repeating: Self.none, count: references.rowCount)
    rows = []
    guard start < predecessors.count else { return }
    // The first row is its own predecessor, so that the search reaches it only once.
    predecessors[start] = UInt32(truncatingIfNeeded: start)
    rows.append(UInt32(truncatingIfNeeded: start))
    var next = 0
    while next < rows.count {
      let row = rows[next]
      next += 1
      for reference in references[Int(row)] where isFollowed(references.strength(reference)) {
        let target = references.target(reference)
        guard target < predecessors.count, predecessors[target] == Self.none else { continue }
        predecessors[target] = row
        rows.append(UInt32(truncatingIfNeeded: target))
      }
    }
  }

  /// Returns the row that precedes a row on a shortest path. If all paths begin at the row, returns the row
  /// itself. Nil if no path reaches the row.
  package func predecessor(of row: Int) -> Int? {
    predecessors[row] == Self.none ? nil : Int(predecessors[row])
  }

  /// Returns the rows of a shortest path to a row, including both ends. Nil if no path reaches the row.
  ///
  /// - Complexity: O(length of the path).
  package func path(to row: Int) -> [Int]? {
    guard predecessors[row] != Self.none else { return nil }
    var path = [row]
    while let last = path.last, let previous = predecessor(of: last), previous != last {
      path.append(previous)
    }
    return path.reversed()
  }

  /// Returns the number of references on a shortest path. Nil if no path reaches the row.
  ///
  /// - Complexity: O(length of the path).
  package func length(to row: Int) -> Int? { path(to: row).map { $0.count - 1 } }

  /// The number of rows that no path reaches.
  package var unreachedCount: Int { predecessors.count - rows.count }
}
