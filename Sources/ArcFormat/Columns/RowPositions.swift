/// Moves columns of a class to any of the rows that are bound, by the columns' positions before every few
/// rows.
package struct RowPositions {
  private let set: ColumnReaderSet
  private let roots: [Int]
  /// Rows between two waypoints.
  private let distance: Int
  /// The positions of the roots before every `distance` rows, as far as rows were passed.
  private var waypoints: [[[Int]]] = []
  /// The row that all columns are at; nil while one is read, and after a failure.
  private var nextRow: Int?
  private var row = 0

  /// Creates positions in columns that are at the first row; only `roots` are moved.
  package init(of set: ColumnReaderSet, roots: [Int], distance: Int = 64) {
    self.set = set
    self.roots = roots
    self.distance = distance
    begin()
  }

  /// Says that other rows were bound: the columns are at the first of them.
  package mutating func begin() {
    waypoints = [states]
    nextRow = 0
  }

  private var states: [[Int]] { roots.map { set.state(ofRoot: $0) } }

  /// Moves the columns to a row; `finishRow` says that it was read.
  ///
  /// - Complexity: O(`distance`) for a row before the last waypoint, otherwise O(rows passed).
  package mutating func seek(_ row: Int) throws(ArchiveError) {
    var stand = nextRow ?? .max
    nextRow = nil
    self.row = row
    let waypoint = min(row / distance, waypoints.count - 1)
    // Also forwards: rows in another order lie far apart in both directions.
    if stand > row || waypoint * distance >= stand + distance {
      stand = waypoint * distance
      for (root, state) in zip(roots, waypoints[waypoint]) { set.restore(state, ofRoot: root) }
    }
    while true {
      if stand == waypoints.count * distance { waypoints.append(states) }
      guard stand < row else { break }
      let stop = min(row, (stand / distance + 1) * distance)
      for root in roots { try set.skip(root: root, count: stop - stand) }
      stand = stop
    }
  }

  /// Moves the columns to a row, or behind the last one, and leaves them there.
  ///
  /// - Complexity: as `seek(_:)`.
  package mutating func move(to row: Int) throws(ArchiveError) {
    try seek(row)
    nextRow = row
  }

  /// Says that the row to which the columns were moved was read to its end.
  package mutating func finishRow() { nextRow = row + 1 }
}
