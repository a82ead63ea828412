/// A segment of rows in which a reader can go to any row: it passes over what stands before, and remembers where the
/// columns stood on the way.
final class SegmentRows {
  private let segment: RowsSegment
  private let classes: [ClassDescription]
  private var cursors: [Int: ClassRowsCursor] = [:]
  private let budget: DynamicBudget
  /// For each run its first row, counted in the segment, and its first row among those of its class.
  private var starts: [(row: Int, rowInClass: Int)] = []

  /// The segment was checked as a whole.
  init(_ segment: RowsSegment, of file: ArchiveFile) {
    self.segment = segment
    classes = file.classes
    budget = DynamicBudget(file.limits)
    _ = file.someStrings()
    for rows in segment.classes {
      cursors[rows.classIndex] = ClassRowsCursor(rows, of: file, budget: budget)
    }
    starts.reserveCapacity(segment.runs.count)
    var rowsOfClass = [Int](repeating: 0, count: classes.count)
    var row = 0
    for run in segment.runs {
      starts.append((row, rowsOfClass[run.classIndex]))
      row += run.length
      rowsOfClass[run.classIndex] += run.length
    }
  }

  /// The objects of neighbouring rows, the first of them `first`, counted in the segment; and about how many values
  /// they hold. As many as wanted, if the segment has them.
  func objects(from first: Int, atMost count: Int) throws -> (objects: [ArchiveObject], valueCount: Int) {
    budget.restart()
    var objects: [ArchiveObject] = []
    let end = min(first + count, segment.rowCount)
    objects.reserveCapacity(end - first)
    var run = max(starts.partitioningIndex { $0.row > first } - 1, 0)
    var row = first
    while row < end {
      let (classIndex, length) = (segment.runs[run].classIndex, segment.runs[run].length)
      let runEnd = min(starts[run].row + length, end)
      guard let cursor = cursors[classIndex] else { break }
      try cursor.seek(starts[run].rowInClass + row - starts[run].row)
      for row in row..<runEnd {
        objects.append(
          ArchiveObject(
            id: ObjectID(rawValue: UInt32(segment.firstRow + row)), classIndex: classIndex,
            className: classes[classIndex].name, properties: try cursor.next(classes)))
      }
      row = runEnd
      run += 1
    }
    return (objects, budget.valueCount)
  }
}

/// The rows of one class in a segment, read in any order.
private final class ClassRowsCursor {
  /// Memory for the waypoints of a class, about.
  private static let waypointByteLimit = 1 << 20

  private let set: ColumnReaderSet
  private let values: ValueReader
  private let columns: ArraySlice<ColumnDescription>
  /// Rows between two waypoints.
  private let distance: Int
  /// Where the columns stood before every so many rows, as far as they were passed; never empty.
  private var waypoints: [[[Int]]] = []
  /// The row before which all columns stand; nil after a failure.
  private var nextRow: Int?

  init(_ rows: RowsSegment.ClassRows, of file: ArchiveFile, budget: DynamicBudget) {
    set = file.tables.makeColumns(ofClass: rows.classIndex)
    columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    values = ValueReader(
      layout: set.layout, areEmpty: set.areEmpty, budget: budget, nesting: file.limits.nesting)
    let stateByteCount = 16 * set.layout.nodes.count + 32 * columns.count + 32
    // Rows are fewer than 2^40, columns limited.
    distance = max(DecodedRows.blockLength, rows.rowCount * stateByteCount / Self.waypointByteLimit)
    set.bind(rows.chunks)
    nextRow = 0
    waypoints = [columns.indices.map { set.state(ofRoot: $0) }]
  }

  /// Puts the columns before a row of the class. O(rows passed) forwards, O(`distance`) backwards.
  func seek(_ row: Int) throws(ArchiveError) {
    if nextRow == row { return }
    var stand = nextRow ?? Int.max
    nextRow = nil
    if stand > row {
      let place = min(row / distance, waypoints.count - 1)
      stand = place * distance
      for (root, state) in waypoints[place].enumerated() { set.restore(state, ofRoot: root) }
    }
    while true {
      if stand == waypoints.count * distance {
        waypoints.append(columns.indices.map { set.state(ofRoot: $0) })
      }
      guard stand < row else { break }
      let stop = min(row, (stand / distance + 1) * distance)
      for root in columns.indices { try set.skip(root: root, count: stop - stand) }
      stand = stop
    }
    nextRow = row
  }

  /// The properties of the next row.
  func next(_ classes: [ClassDescription]) throws -> [ArchiveObject.Property] {
    guard let row = nextRow else { return [] }
    if row == waypoints.count * distance { waypoints.append(columns.indices.map { set.state(ofRoot: $0) }) }
    nextRow = nil
    var properties: [ArchiveObject.Property] = []
    properties.reserveCapacity(columns.count)
    for (position, column) in columns.enumerated() {
      var node = set.layout.roots[position]
      var reader = set.column(position)
      if column.flags.contains(.keyed) {
        guard try reader.__bit() else { continue }
        node = set.layout.nodes[node].children[0]
        reader = reader.__child(0)
      }
      properties.append(
        ArchiveObject.Property(
          declaringClass: classes[column.declaringClass].name, key: column.key, columnIndex: position,
          value: try values.value(reader, node: node)))
    }
    nextRow = row + 1
    return properties
  }
}
