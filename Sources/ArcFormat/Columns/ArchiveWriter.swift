import ArcRuntime

/// Writes a file from rows: collects the values of rows in columns, and writes a segment when the columns are
/// full.
///
/// The caller adds classes, begins each row, and appends the row's values to the columns of its class.
@safe package struct ArchiveWriter: ~Copyable {
  /// The default of `segmentByteCount`.
  package static let usualSegmentByteCount = 1 << 20

  /// The number of bytes in columns at which a segment is closed. A single large value may exceed this
  /// number.
  private let segmentByteCount: Int

  /// The classes of this file, followed by classes of earlier files that this file may reuse.
  package private(set) var classes: [ClassDescription] = []
  /// The number of `classes` that belong to this file.
  package private(set) var classCount = 0
  package let strings = StringTableWriter()
  private(set) var columnSets: [ColumnWriterSet] = []
  /// A value that the archiver passes, through the columns, to the code that appends values. Set before the
  /// first class is added.
  package var context: OpaqueHandle?

  // The state of `ArchiveWriter+Segments`.
  var output: SegmentWriter
  let metadata: [(key: String, value: String)]
  private let hasChunkDirectory: Bool
  /// The segments of unknown kinds that are written after all other segments. Spec: 15-conformance, section
  /// 3.
  package var copiedSegments: [CopiedSegment] = []
  /// Builds the directory of this file. Nil if the file gets no directory.
  var directory: DirectoryWriter?
  var isMetadataWritten = false
  /// For each class, the number of its columns that `CLSS` segments already contain.
  var writtenColumnCounts: [Int] = []
  var areDefinitionsWritten = true
  /// The first `CLSS` segment of the previous file, and the number of classes in the segment. Nil if the
  /// segment cannot be reused.
  var firstDefinitions: (segment: SegmentWriter.Copy, classCount: Int)?
  /// Whether closed segments are stored in `keptSegments`, for `finishFilled`, instead of being written at
  /// once. Set before the first row is added.
  package var keepsSegments = false
  var keptSegments: [DetachedSegment] = []
  /// The weak columns of closed segments, which are written after all rows.
  var weakRows: [WeakRows] = []

  var firstRow = 0
  package internal(set) var rowCount = 0
  /// The minimum number of rows that the caller expects in the file. Used to estimate the size of the file.
  package var expectedRowCount = 0
  // The rows of the open segment: their runs, and the number of rows of each class.
  var runs: [ClassRun] = []
  var rowsOfClass: [Int] = []
  private var rowsUntilCheck = 64

  /// Receives the file while it is written; nil if `finish` returns it. Set before the first row is added.
  package var destination: ArchiveDestination? {
    get { output.destination }
    set { output.destination = newValue }
  }

  /// The number of bytes that the destination has received.
  package var passedByteCount: Int { output.passedByteCount }

  /// Begins a file. If `hasChunkDirectory` is true, the file gets a directory of its chunks. Spec:
  /// 13-directory.
  package init(
    compression: Compression, metadata: [(key: String, value: String)] = [], hasChunkDirectory: Bool = false,
    segmentByteCount: Int = usualSegmentByteCount
  ) {
    self.segmentByteCount = segmentByteCount
    output = SegmentWriter(compression: compression)
    self.metadata = metadata
    self.hasChunkDirectory = hasChunkDirectory
    context = nil
    beginDirectory()
  }

  /// Adds a class to the class table and returns its index.
  package mutating func addClass(_ description: ClassDescription) throws(ArchiveError) -> Int {
    removeUnusedClasses()
    for column in description.columns { try checkReadable(column, className: description.name) }
    let layout = try ColumnLayout(description)
    classes.append(description)
    let set = ColumnWriterSet(strings: strings, context: context)
    set.extend(to: layout)
    set.hasKeyedColumns = description.columns.contains { $0.flags.contains(.keyed) }
    columnSets.append(set)
    rowsOfClass.append(0)
    classCount = classes.count
    areDefinitionsWritten = false
    return classes.count - 1
  }

  /// Adds the class that has the next index, as in the previous file, and returns the index. Precondition:
  /// the previous file had a class with this index.
  package mutating func reuseClass() -> Int {
    precondition(classCount < classes.count)
    classCount += 1
    areDefinitionsWritten = false
    return classCount - 1
  }

  /// Removes the classes of earlier files that this file does not contain.
  package mutating func removeUnusedClasses() {
    guard classCount < classes.count else { return }
    classes.removeSubrange(classCount...)
    columnSets.removeSubrange(classCount...)
    rowsOfClass.removeSubrange(classCount...)
    firstDefinitions = nil
  }

  /// Adds a column to a class. Rows that the class already has get no value in the column.
  package mutating func addColumn(_ column: ColumnDescription, toClass index: Int) throws(ArchiveError) {
    try checkReadable(column, className: classes[index].name)
    var layout = columnSets[index].layout
    try layout.append(column, className: classes[index].name)
    classes[index].columns.append(column)
    areDefinitionsWritten = false
    firstDefinitions = nil
    columnSets[index].extend(to: layout)
    if column.flags.contains(.keyed) { columnSets[index].hasKeyedColumns = true }
  }

  /// Checks that a reader parses the attributes of a column as they were written. For example, a reader would
  /// misread a name with a quote.
  ///
  /// Spec: 03-classes, rule E5.
  private func checkReadable(_ column: ColumnDescription, className: String) throws(ArchiveError) {
    let text = column.attributes.description
    // Any error means that a reader could not read the text.
    guard let read = try? PropertyAttributes(parsingColumn: text), read == column.attributes else {
      throw ArchiveError(
        .nameConflict,
        found: "the property attributes '\(text)', which a reader would misread",
        expected: "names of types and fields without '\"', and with '=' and brackets only inside '<…>'",
        remedy:
          "choose a different coded name with @Archivable(\"name\") on the type, or a different key with "
          + "@Key(\"key\") on the field",
        className: className, key: column.key)
    }
  }

  package func columnSet(ofClass index: Int) -> ColumnWriterSet { columnSets[index] }

  /// The number of rows of a class in the open segment.
  package func rowsInSegment(ofClass index: Int) -> Int { rowsOfClass[index] }

  /// Closes the segment if it is full. Returns the number of rows that may be appended to columns before the
  /// next call.
  package mutating func rowCapacity() throws(ArchiveError) -> Int {
    if rowsUntilCheck <= 0 { try closeSegmentIfFull() }
    return max(rowsUntilCheck, 1)
  }

  /// Counts `count` new rows of a class. The values of these rows are already in the columns, or the caller
  /// appends them next.
  package mutating func addRows(_ count: Int, classIndex: Int) throws(ArchiveError) {
    guard rowCount + count <= Int(UInt32.max) else {
      throw ArchiveError(
        .limitExceeded, found: "\(UInt32.max) or more objects",
        expected: "fewer than \(UInt32.max) objects in one archive")
    }
    rowsUntilCheck -= count
    if let last = runs.last, last.classIndex == classIndex {
      runs[runs.count - 1].length += count
    } else {
      runs.append(ClassRun(classIndex: classIndex, length: count))
    }
    rowsOfClass[classIndex] += count
    rowCount += count
  }

  /// Begins a row, whose values are appended next.
  package mutating func addRow(classIndex: Int) throws(ArchiveError) {
    _ = try rowCapacity()
    try addRows(1, classIndex: classIndex)
  }

  /// Closes the segment if it is full, and estimates after how many rows to check again. A check after each
  /// value would cost too much. A check after a fixed number of rows would allow segments that are far too
  /// large.
  ///
  /// Spec: 05-graph, rule F4.
  private mutating func closeSegmentIfFull() throws(ArchiveError) {
    var byteCount = strings.newByteCount
    for index in 0..<classCount where rowsOfClass[index] > 0 { byteCount += columnSets[index].byteCount }
    if byteCount >= segmentByteCount {
      try closeSegment()
      rowsUntilCheck = 64
    } else {
      let rows = rowCount - firstRow
      let rowByteCount = byteCount / rows + 1
      rowsUntilCheck = min(max((segmentByteCount - byteCount) / rowByteCount / 2, 1), rows + 64)
    }
  }

  /// Begins the next file, of about `byteCount` bytes. Reuses the memory and the classes of the previous
  /// file.
  package mutating func prepareForReuse(byteCount: Int) {
    for index in 0..<classCount {
      columnSets[index].prepareForReuse()
      rowsOfClass[index] = 0
    }
    classCount = 0
    isMetadataWritten = false
    areDefinitionsWritten = true
    writtenColumnCounts.removeAll(keepingCapacity: true)
    strings.removeAll()
    (firstRow, rowCount, rowsUntilCheck) = (0, 0, 64)
    runs.removeAll(keepingCapacity: true)
    if !weakRows.isEmpty { weakRows = [] }
    keepsSegments = false
    output.prepareForReuse(byteCount: byteCount)
    beginDirectory()
  }

  private mutating func beginDirectory() {
    guard hasChunkDirectory else { return }
    let directory = DirectoryWriter()
    directory.observe(&output)
    self.directory = directory
  }
}
