public import ArcFormat
import ArcRuntime

/// The rows of one class in one segment of a file.
///
///     try file.rows(ofClass: "Person").forEachBatch { batch in
///       print(batch.ids.count, try batch.column("name").values(as: String.self).first ?? "none")
///     }
///
/// A batch retains the segment in memory.
public struct RowBatch {
  private let file: ArchiveFile
  private let segment: RowsSegment
  private let rows: RowsSegment.ClassRows
  /// Whether each row fulfils the conditions; nil if there are no conditions.
  private var matches: [Bool]?

  /// Creates a batch. Nil if the segment has no rows of the class.
  init?(_ segment: RowsSegment, classIndex: Int, of file: ArchiveFile) {
    guard let rows = segment.rows(ofClass: classIndex) else { return nil }
    self.file = file
    self.segment = segment
    self.rows = rows
  }

  init(_ segment: RowsSegment, _ rows: RowsSegment.ClassRows, of file: ArchiveFile) {
    self.file = file
    self.segment = segment
    self.rows = rows
  }

  /// For each row of the batch, whether the row fulfils the conditions of the ``ArchiveRows``.
  ///
  ///     for (id, isMatching) in zip(batch.ids, batch.isMatching) where isMatching { print(id) }
  ///
  /// Without conditions, all elements are true.
  public var isMatching: [Bool] { matches ?? [Bool](repeating: true, count: count) }

  /// Returns the values of the rows that fulfil the conditions.
  func matching<Value>(_ values: [Value]) -> [Value] {
    guard let matches else { return values }
    return zip(values, matches).lazy.filter(\.1).map(\.0)
  }

  /// Returns a batch that records which of its rows fulfil the conditions.
  ///
  /// - Parameters:
  ///   - conditions: the conditions on values.
  ///   - ids: the numbers of the rows of the batch.
  ///   - range: the numbers of the requested rows; nil if all rows are requested.
  /// - Returns: the batch; nil if no row fulfils the conditions.
  /// - Throws: the code of the damage if a value is damaged.
  func fulfilling(
    _ conditions: [RowCondition], ids: [ObjectID], in range: ClosedRange<ObjectID>?
  ) throws -> RowBatch? {
    var batch = self
    // Most batches are entirely within the range, so no row needs a comparison.
    if let range, let first = ids.first, let last = ids.last, !range.contains(first) || !range.contains(last)
    {
      batch.matches = ids.map(range.contains)
    }
    for condition in conditions {
      let found = try condition.matches(self)
      batch.matches = batch.matches.map { zip($0, found).map { $0 && $1 } } ?? found
    }
    return batch.matches?.contains(true) ?? true ? batch : nil
  }

  /// The coded name of the class to which the rows belong.
  ///
  ///     let animals = try file.rows(ofClass: "Animal", includingSubclasses: true)
  ///     try animals.forEachBatch { print($0.className, $0.count) }   // Cat 12, Dog 30, …
  public var className: String { file.classes[rows.classIndex].name }

  /// The number of rows in the batch. Each column has as many values.
  public var count: Int { rows.rowCount }

  /// The object numbers of the rows, in ascending order.
  public var ids: [ObjectID] {
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    for run in segment.runs where run.classIndex == rows.classIndex {
      for row in run.rows { ids.append(ObjectID(rawValue: UInt32(truncatingIfNeeded: row))) }
    }
    return ids
  }

  /// Returns the column of a property.
  ///
  ///     let ages = try batch.column("age").values(as: Int.self)
  ///
  /// If hand-written coding wrote the property, the column contains optionals, because an object may have no
  /// value for the property.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil selects the first column with the key, which is
  ///     the column of the most derived class.
  /// - Returns: the column, with one value for each row of the batch.
  /// - Throws: `missingKey` if there is no such column.
  public func column(_ key: String, declaredBy className: String? = nil) throws(ArchiveError) -> ArchiveColumn
  {
    let index = rows.classIndex
    guard let position = file.columnPosition(key, declaredBy: className, inClass: index) else {
      throw file.missingColumn(key, declaredBy: className, inClasses: [index])
    }
    return try ArchiveColumn(segment, rows, position: position, of: file)
  }

  /// Returns the column at an index in the columns of the class. Nil if the column was added to the class
  /// after these rows were written; the rows then have no value in it.
  package func column(at position: Int) throws(ArchiveError) -> ArchiveColumn? {
    guard position < rows.columnCount else { return nil }
    return try ArchiveColumn(segment, rows, position: position, of: file)
  }

  /// Returns a cursor for the values of the column at an index. Nil if the column was added to the class
  /// after these rows were written.
  package func cursor(at position: Int) throws(ArchiveError) -> ValueCursor? {
    guard position < rows.columnCount else { return nil }
    let isKeyed = file.classes[rows.classIndex].columns[position].flags.contains(.keyed)
    return ValueCursor(try ColumnTree(segment, rows, position: position, of: file), isKeyed: isKeyed)
  }
}
