/// Moves the columns of a class to any row of the bound chunks. For this purpose, this type stores the
/// positions of the columns at waypoints: by default before every 64th row.
package struct RowPositions {
  private let set: ColumnReaderSet
  private let roots: [Int]
  /// The number of rows between two waypoints.
  private let distance: Int
  /// For each waypoint up to the last row that was reached, the positions of the roots.
  private var waypoints: [[[Int]]] = []
  /// The row at whose beginning all columns are. Nil while a row is read, and after an error.
  private var nextRow: Int?
  private var row = 0

  /// Creates positions for columns that are at the first row. Only the columns of `roots` are moved.
  package init(of set: ColumnReaderSet, roots: [Int], distance: Int = 64) {
    self.set = set
    self.roots = roots
    self.distance = distance
    begin()
  }

  /// Begins again after new chunks were bound. The columns must be at the first row.
  package mutating func begin() {
    waypoints = [states]
    nextRow = 0
  }

  private var states: [[Int]] { roots.map { set.state(ofRoot: $0) } }

  /// Moves the columns to the row that the caller reads next. The caller calls `finishRow` after reading it.
  ///
  /// - Complexity: O(`distance`) for a row before the last waypoint, otherwise O(skipped rows).
  package mutating func seek(_ row: Int) throws(ArchiveError) {
    var current = nextRow ?? .max
    nextRow = nil
    self.row = row
    let waypoint = min(row / distance, waypoints.count - 1)
    // Also forwards: if rows are read in random order, a waypoint saves skipping in both directions.
    if current > row || waypoint * distance >= current + distance {
      current = waypoint * distance
      for (root, state) in zip(roots, waypoints[waypoint]) { set.restore(state, ofRoot: root) }
    }
    while true {
      if current == waypoints.count * distance { waypoints.append(states) }
      guard current < row else { break }
      let stop = min(row, (current / distance + 1) * distance)
      for root in roots { try set.skip(root: root, count: stop - current) }
      current = stop
    }
  }

  /// Moves the columns to the beginning of any row, or to the end, without starting to read a row. Therefore,
  /// the caller does not call `finishRow`.
  ///
  /// - Complexity: the complexity of `seek(_:)`.
  package mutating func move(to row: Int) throws(ArchiveError) {
    try seek(row)
    nextRow = row
  }

  /// Records that the row to which `seek(_:)` moved the columns was read completely.
  package mutating func finishRow() { nextRow = row + 1 }
}
