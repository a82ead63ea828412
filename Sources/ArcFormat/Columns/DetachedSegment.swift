/// A complete segment that owns its columns. Its writer moved them out, so that any thread can pack them into
/// chunks later.
///
/// Invariant: the segment owns the memory of its columns until `deinit`, and does not change after `init`, so
/// any number of threads may write it. `Sendable` is unchecked because the segment retains arrays of the
/// program. These arrays contain plain values. If the program changes such an array, it changes a copy.
@safe final class DetachedSegment: @unchecked Sendable {
  /// The columns of one class.
  struct ClassColumns {
    /// The number of the class's columns in the class table.
    let count: Int
    let filled: [UnpackedColumn]
  }

  private let metadata: [(key: String, value: String)]
  private let classes: NewClasses?
  private let strings: NewStrings
  private let rows: SegmentRows
  private let columns: [ClassColumns]
  /// The number of bytes of new strings and of all columns before they are packed.
  let byteCount: Int

  /// Creates the segment, which then owns the memory of `columns`.
  init(
    metadata: [(key: String, value: String)], classes: NewClasses?, strings: NewStrings, rows: SegmentRows,
    columns: [ClassColumns]
  ) {
    self.metadata = metadata
    self.classes = classes
    self.strings = strings
    self.rows = rows
    self.columns = columns
    byteCount = columns.reduce(strings.bytes.count) { $1.filled.reduce($0) { $0 + $1.byteCount } }
  }

  deinit {
    for columns in columns { for column in columns.filled { column.free() } }
  }

  /// Packs and writes the rows, after the metadata, classes and strings that they need. Spec: 02-container,
  /// rule S4.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    try MetadataSegment.write(metadata, to: &output)
    try classes?.write(to: &output)
    try strings.write(to: &output)
    try rows.write(to: &output, byteCount: byteCount) { rows in
      for columns in columns {
        rows.varint(columns.count)
        for column in columns.filled { column.writeChunk(to: &rows) }
      }
    }
  }
}

/// Consecutive rows of one class in a segment that is written.
struct ClassRun: Sendable {
  let classIndex: Int
  var length: Int
}

/// The rows of one segment, without the values in their columns.
struct SegmentRows: Sendable {
  let first: Int
  let count: Int
  let runs: [ClassRun]
  /// The fraction of the archive's rows that this segment and all earlier segments contain, approximately.
  let progress: Double

  /// Writes the segment. `columns` is called to append the chunks of each class that has rows. `byteCount` is
  /// the approximate maximum size of these chunks. Spec: 04-columns, rules R1 and R2.
  func write(
    to output: inout SegmentWriter, byteCount: Int, columns: (inout ByteWriter) -> Void
  ) throws(ArchiveError) {
    try output.write(.rows, first: first, count: count, byteCount: byteCount, progress: progress) { rows in
      rows.varint(runs.count)
      for run in runs {
        rows.varint(run.classIndex)
        rows.varint(run.length)
      }
      columns(&rows)
    }
  }
}

/// Classes and columns that no segment contains yet.
struct NewClasses: Sendable {
  /// All classes up to this segment: first the classes that earlier segments contain, then the new classes.
  let classes: ArraySlice<ClassDescription>
  /// For each class, the number of its columns that earlier segments contain.
  let writtenColumnCounts: [Int]
  /// The index of the first new class.
  var first: Int { writtenColumnCounts.count }

  /// Writes the segment of the classes.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    try output.write(.classes, first: first, count: classes.count - first) {
      ClassTableSegment.write(classes, beyond: writtenColumnCounts, to: &$0)
    }
  }
}
