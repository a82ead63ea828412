/// Reads objects of a segment in any order, with a waypoint of the columns' positions every few rows.
final class SegmentObjectReader {
  private let segment: RowsSegment
  private let classes: [ClassDescription]
  private var cursors: [Int: ClassRowsCursor] = [:]
  private let budget: DynamicBudget
  /// For each run the index of its first row among the rows of its class.
  private var firstRowsInClass: [Int] = []

  /// The segment must have been checked.
  init(_ segment: RowsSegment, of file: ArchiveFile) {
    self.segment = segment
    classes = file.classes
    budget = DynamicBudget(file.limits)
    _ = file.someStrings()
    for rows in segment.classes {
      cursors[rows.classIndex] = ClassRowsCursor(rows, of: file, budget: budget)
    }
    firstRowsInClass.reserveCapacity(segment.runs.count)
    var rowsOfClass = [Int](repeating: 0, count: classes.count)
    for run in segment.runs {
      firstRowsInClass.append(rowsOfClass[run.classIndex])
      rowsOfClass[run.classIndex] += run.rows.count
    }
  }

  /// The objects of up to `count` neighbouring rows from index `first` in the segment on, and approximately
  /// how many values they contain.
  func objects(from first: Int, atMost count: Int) throws -> (objects: [ArchiveObject], valueCount: Int) {
    budget.begin()
    var objects: [ArchiveObject] = []
    let runs = segment.runs
    let end = min(first + count, segment.rowCount)
    guard first < end else { return ([], 0) }
    let rows = segment.firstRow + first..<segment.firstRow + end
    objects.reserveCapacity(rows.count)
    var position = runs.partitioningIndex { $0.rows.upperBound > rows.lowerBound }
    while position < runs.count, runs[position].rows.lowerBound < rows.upperBound {
      let run = runs[position]
      guard let cursor = cursors[run.classIndex] else { break }
      let wanted = run.rows.clamped(to: rows)
      try cursor.seek(firstRowsInClass[position] + wanted.lowerBound - run.rows.lowerBound)
      for row in wanted {
        objects.append(
          ArchiveObject(
            id: ObjectID(rawValue: UInt32(row)), classIndex: run.classIndex,
            className: classes[run.classIndex].name, properties: try cursor.next(classes)))
      }
      position += 1
    }
    return (objects, budget.valueCount)
  }
}

/// The rows of one class in a segment, read in any order.
private final class ClassRowsCursor {
  /// Approximate maximum memory for the waypoints of a class.
  private static let waypointByteLimit = 1 << 20

  private let set: ColumnReaderSet
  private let values: ValueReader
  private let columns: ArraySlice<ColumnDescription>
  /// Rows between two waypoints.
  private let distance: Int
  /// The positions of the columns before every `distance` rows, as far as rows were read; never empty.
  private var waypoints: [[[Int]]] = []
  /// The row that all columns are at; nil after a failure.
  private var nextRow: Int?

  init(_ rows: RowsSegment.ClassRows, of file: ArchiveFile, budget: DynamicBudget) {
    set = file.schema.makeColumns(ofClass: rows.classIndex)
    columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    values = ValueReader(
      layout: set.layout, areEmpty: set.areEmpty, budget: budget, nesting: file.limits.nesting,
      tellsNestedOptionals: file.tellsNestedOptionals)
    let stateByteCount = 16 * set.layout.nodes.count + 32 * columns.count + 32
    // Cannot overflow: rows are fewer than 2^40, and columns are limited.
    distance = max(ObjectCache.blockLength, rows.rowCount * stateByteCount / Self.waypointByteLimit)
    set.bind(rows.chunks)
    nextRow = 0
    waypoints = [columns.indices.map { set.state(ofRoot: $0) }]
  }

  /// Moves the columns to a row of the class.
  ///
  /// - Complexity: O(rows passed) forwards, O(`distance`) backwards.
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

  /// Reads the properties of the next row.
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
        guard try reader.bit() else { continue }
        node = set.layout.nodes[node].children[0]
        reader = reader.child(0)
      }
      properties.append(
        ArchiveObject.Property(
          declaringClass: classes[column.declaringClassIndex].name, key: column.key, columnIndex: position,
          value: try values.value(reader, node: node)))
    }
    nextRow = row + 1
    return properties
  }
}
