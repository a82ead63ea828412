/// Reads objects of a segment in any order, with a waypoint of the columns' positions every few rows.
final class SegmentObjectReader {
  private let segment: RowsSegment
  private let classes: [ClassDescription]
  private var cursors: [Int: ClassRowsCursor] = [:]
  private let budget: DynamicBudget
  private let places: RowPlaces

  /// The segment must have been checked.
  init(_ segment: RowsSegment, of file: ArchiveFile) {
    self.segment = segment
    classes = file.classes
    places = RowPlaces(of: segment)
    budget = DynamicBudget(file.limits)
    _ = file.someStrings()
    for rows in segment.classes {
      cursors[rows.classIndex] = ClassRowsCursor(rows, of: file, budget: budget)
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
      let firstInClass = places.firstInClass[position] - run.rows.lowerBound
      for row in wanted {
        objects.append(
          ArchiveObject(
            id: ObjectID(rawValue: UInt32(row)), classIndex: run.classIndex,
            className: classes[run.classIndex].name,
            properties: try cursor.properties(ofRow: firstInClass + row, classes)))
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
  private var positions: RowPositions

  init(_ rows: RowsSegment.ClassRows, of file: ArchiveFile, budget: DynamicBudget) {
    set = file.schema.makeColumns(ofClass: rows.classIndex)
    columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    values = ValueReader(
      layout: set.layout, areEmpty: set.areEmpty, budget: budget, nesting: file.limits.nesting,
      tellsNestedOptionals: file.tellsNestedOptionals)
    let stateByteCount = 16 * set.layout.nodes.count + 32 * columns.count + 32
    set.bind(rows.chunks)
    // Cannot overflow: rows are fewer than 2^40, and columns are limited.
    positions = RowPositions(
      of: set, roots: Array(columns.indices),
      distance: max(ObjectCache.blockLength, rows.rowCount * stateByteCount / Self.waypointByteLimit))
  }

  /// Reads the properties of a row of the class.
  func properties(ofRow row: Int, _ classes: [ClassDescription]) throws -> [ArchiveObject.Property] {
    try positions.seek(row)
    var properties: [ArchiveObject.Property] = []
    properties.reserveCapacity(columns.count)
    for (position, column) in columns.enumerated() {
      let isKeyed = column.flags.contains(.keyed)
      var reader = set.column(position)
      if isKeyed {
        guard try reader.bit() else { continue }
        reader = reader.child(0)
      }
      properties.append(
        ArchiveObject.Property(
          declaringClass: classes[column.declaringClassIndex].name, key: column.key, columnIndex: position,
          value: try values.value(
            reader, node: set.layout.valueNode(ofRoot: position, isKeyed: isKeyed))))
    }
    positions.finishRow()
    return properties
  }
}
