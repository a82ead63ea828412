/// Those rows of a class that have a value within bounds in one column.
///
///     let adults = try file.rows(ofClass: "Person").where("age", atLeast: 18)
///     let names = try adults.column("name", as: String.self)
///     let ids = try adults.ids()
///
/// Nothing is read before it is asked for. In a file with a directory of chunks that was verified, or that
/// ``ArchiveFile/trustsChunkDirectory``, segments in which no value is within the bounds are passed over, and
/// of the others only the columns are read that are needed.
public struct MatchingRows {
  private let rows: ArchiveRows
  private let bounds: ColumnBounds

  fileprivate init(_ rows: ArchiveRows, _ bounds: ColumnBounds) {
    self.rows = rows
    self.bounds = bounds
  }

  /// The numbers of these objects, ascending.
  ///
  /// - Throws: what is wrong with a segment.
  /// - Complexity: O(rows of the class in segments that are read).
  public func ids() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachBatch(ofColumns: []) { batch, isMatching in
      ids += zip(batch.ids, isMatching).lazy.filter(\.1).map(\.0)
    }
    return ids
  }

  /// The values of one column in these rows, as a type of the program.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares it; nil for the first column with that key.
  ///   - type: a type that can hold every value of the column's type.
  /// - Returns: one value for each row, in row order.
  /// - Throws: as `ArchiveRows.column(_:declaredBy:as:)`.
  public func column<Value: ColumnValue>(
    _ key: String, declaredBy className: String? = nil, as type: Value.Type
  ) throws -> [Value] {
    try column(key, declaredBy: className) { try $0.values(as: type) }
  }

  /// The values of one column in these rows, of whatever type.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares it; nil for the first column with that key.
  ///   - type: this type, which can hold every value.
  /// - Returns: one value for each row, in row order.
  /// - Throws: as `ArchiveRows.column(_:declaredBy:as:)`.
  public func column(
    _ key: String, declaredBy className: String? = nil, as type: ArchiveValue.Type = ArchiveValue.self
  ) throws -> [ArchiveValue] {
    try column(key, declaredBy: className) { try $0.values(as: type) }
  }

  private func column<Value>(
    _ key: String, declaredBy className: String?, _ read: (ArchiveColumn) throws -> [Value]
  ) throws -> [Value] {
    let position = try rows.file.columnPosition(key, declaredBy: className, inClass: rows.classIndex)
    var values: [Value] = []
    try forEachBatch(ofColumns: [position]) { batch, isMatching in
      guard isMatching.contains(true), let column = try batch.column(at: position) else { return }
      values += zip(try read(column), isMatching).lazy.filter(\.1).map(\.0)
    }
    return values
  }

  /// Calls a closure with the rows of each segment in which some may be within the bounds, and whether each
  /// of them is.
  private func forEachBatch(
    ofColumns columns: [Int], _ body: (RowBatch, [Bool]) throws -> Void
  ) throws {
    let needed = Set(columns + [bounds.position]).sorted()
    let request = RowsRequest(classIndex: rows.classIndex, columns: needed, filter: .within(bounds))
    try rows.file.forEachBatch(of: request) { batch in
      // Rows that were written before the class had the column have no value in it.
      guard let column = try batch.column(at: bounds.position) else { return }
      try body(batch, bounds.contain(column))
    }
  }
}

extension ArchiveRows {
  /// The rows that have a value within bounds in a column of numbers, dates or strings, or of optionals of
  /// these.
  ///
  ///     people.where("age", atLeast: 18, atMost: 65)
  ///     people.where("name", atLeast: "A", atMost: "B")   // by the bytes of UTF-8
  ///     people.where("born", atLeast: .date(0))           // since 2001
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares it; nil for the first column with that key.
  ///   - least: the least value; nil for any.
  ///   - most: the greatest value; nil for any.
  /// - Returns: these rows, of which none is read yet. None of them has nil or NaN in the column.
  /// - Throws: `missingKey` if there is no such column; `typeMismatch` if it has values without an order, or
  ///   a bound is of another kind: an integer for integers, any number for floating-point ones.
  public func `where`(
    _ key: String, declaredBy className: String? = nil, atLeast least: ArchiveValue? = nil,
    atMost most: ArchiveValue? = nil
  ) throws(ArchiveError) -> MatchingRows {
    let position = try file.columnPosition(key, declaredBy: className, inClass: classIndex)
    return MatchingRows(
      self, try ColumnBounds(position, ofClass: classIndex, in: file, least: least, most: most))
  }
}
