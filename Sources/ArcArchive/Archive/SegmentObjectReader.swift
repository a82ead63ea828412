import ArcFormat

/// Reads the objects of a segment in any order. For this purpose, the reader records the positions of the
/// columns at every few rows.
final class SegmentObjectReader {
  private let segment: RowsSegment
  private let classes: [ClassDescription]
  private var cursors: [ClassRowsCursor?]
  private let budget: DynamicBudget
  private let rowIndex: RowIndex

  /// Creates a reader of a segment that was checked. `index` is the index of the segment in the file.
  init(_ segment: RowsSegment, at index: Int, of file: ArchiveFile) {
    self.segment = segment
    classes = file.classes
    rowIndex = segment.rowIndex
    budget = DynamicBudget(file.limits)
    _ = file.someStrings()
    cursors = Array(repeating: nil, count: file.classes.count)
    for rows in segment.classes {
      cursors[rows.classIndex] = ClassRowsCursor(
        rows, of: file, budget: budget, byteOffset: file.segments[index].byteOffset)
    }
  }

  /// Reads the objects of up to `count` adjacent rows. `first` is the index of the first row in the segment.
  ///
  /// - Returns: the objects, and the approximate number of values in them.
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
      let firstInClass = rowIndex.firstInClass[position] - run.rows.lowerBound
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

  /// Returns the columns of a row of the segment, positioned at the values of the row. After reading all
  /// values, call `finishRow` of the cursor.
  func columns(ofRow row: Int) throws -> ObjectTokens {
    guard let location = rowIndex[row], let cursor = cursors[location.classIndex] else {
      // Rows can be missing only in a mapped file that has changed.
      throw ArchiveError(
        .malformedSegment, found: "a segment that no longer contains row \(row)",
        expected: "a file that does not change while it is read",
        remedy: "open the file again")
    }
    budget.begin()
    try cursor.seek(location.rowInClass)
    return ObjectTokens(classIndex: location.classIndex, cursor: cursor)
  }
}

/// The rows of one class in a segment, read in any order.
final class ClassRowsCursor {
  /// The approximate maximum memory for the recorded positions of a class, in bytes.
  private static let waypointByteLimit = 1 << 20

  private let set: ColumnReaderSet
  private let tokens: Handle<TokenSource>
  private let columns: ArraySlice<ColumnDescription>
  private var positions: RowPositions

  init(_ rows: RowsSegment.ClassRows, of file: ArchiveFile, budget: DynamicBudget, byteOffset: Int) {
    set = file.schema.makeColumns(ofClass: rows.classIndex)
    columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    let values = ValueReader(
      layout: set.layout, areEmpty: set.areEmpty, budget: budget, nesting: file.limits.valueNesting)
    tokens = Handle(TokenSource(values, byteOffset: byteOffset))
    let stateByteCount = 16 * set.layout.nodes.count + 32 * columns.count + 32
    set.bind(rows.chunks)
    // The product cannot overflow, because there are fewer than 2^40 rows and the number of columns is
    // limited.
    positions = RowPositions(
      of: set, roots: Array(columns.indices),
      distance: max(ObjectCache.blockLength, rows.rowCount * stateByteCount / Self.waypointByteLimit))
  }

  deinit { tokens.free() }

  var columnCount: Int { columns.count }

  /// Moves the columns to a row of the class. A caller that reads all values of the row then calls
  /// `finishRow`.
  func seek(_ row: Int) throws { try positions.seek(row) }

  /// Records that all values of the row were read.
  func finishRow() { positions.finishRow() }

  /// Reads the properties of a row of the class.
  func properties(ofRow row: Int, _ classes: [ClassDescription]) throws -> [ArchiveObject.Property] {
    try positions.seek(row)
    var properties: [ArchiveObject.Property] = []
    properties.reserveCapacity(columns.count)
    for (position, column) in columns.enumerated() {
      guard let (reader, node) = try reader(ofColumn: position) else { continue }
      properties.append(
        ArchiveObject.Property(
          declaringClass: classes[column.declaringClassIndex].name, key: column.key, columnIndex: position,
          value: try tokens.value.values.value(reader, node: node)))
    }
    positions.finishRow()
    return properties
  }

  /// Returns the tokens of the value that the row has in a column. Nil if the column is keyed and the row has
  /// no value in it.
  func tokens(ofColumn position: Int) throws -> ColumnTokens? {
    try reader(ofColumn: position).map { ColumnTokens(tokens, $0.column, node: $0.node) }
  }

  private func reader(ofColumn position: Int) throws -> (column: ColumnReader, node: Int)? {
    let reader = set.column(position)
    let node = set.layout.roots[position]
    guard columns[position].flags.contains(.keyed) else { return (reader, node) }
    guard try reader.bit() else { return nil }
    return (reader.child(0), set.layout.valueNode(ofRoot: position, isKeyed: true))
  }
}
