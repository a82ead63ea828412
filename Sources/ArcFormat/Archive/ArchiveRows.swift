import ArcRuntime

/// The rows of one class, read as columns: one property of many objects at once.
///
///     let people = try file.rows(ofClass: "Person")
///     let ages = try people.column("age", as: Int.self)   // of all persons, in the order of their numbers
///     let names = try people.where("age", atLeast: 18).column("name", as: String.self)
///     try people.forEachBatch { batch in                  // or in bounded memory, one segment at a time
///       let names = try batch.column("name").values(as: String.self)
///       print(batch.ids.count, names.first ?? "none")
///     }
///
/// Rows of subclasses are not included. Segments are checked when they are read, see
/// ``ArchiveFile/object(_:)``. If the file has a chunk directory, and was verified or has
/// ``ArchiveFile/trustsChunkDirectory`` set, a column is read without the other columns, and segments in
/// which no row fulfils the conditions are skipped.
public struct ArchiveRows {
  let file: ArchiveFile
  let classIndex: Int
  /// The conditions of `where`, all of which a row fulfils.
  private var conditions: [ColumnBounds] = []

  init(_ file: ArchiveFile, classIndex: Int) {
    self.file = file
    self.classIndex = classIndex
  }

  /// Selects the rows whose value in a column is within bounds. Returns these rows.
  ///
  ///     let adults = try people.where("age", atLeast: 18, atMost: 65)
  ///     let early = try people.where("name", atLeast: "A", atMost: "B")   // by UTF-8 bytes
  ///     let young = try people.where("born", atLeast: .date(0))           // since 2001
  ///
  /// The column contains numbers, dates, strings, or optionals of these. Rows with nil or NaN do not match.
  /// If the method is called several times, rows match all conditions.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - least: the minimum value; nil if there is no minimum.
  ///   - most: the maximum value; nil if there is no maximum.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: `missingKey` if there is no such column; `typeMismatch` if its values have no order, or a
  ///   bound has another kind. For integers a bound must be an integer, for floating-point numbers any
  ///   number.
  public func `where`(
    _ key: String, declaredBy className: String? = nil, atLeast least: ArchiveValue? = nil,
    atMost most: ArchiveValue? = nil
  ) throws(ArchiveError) -> ArchiveRows {
    let position = try file.columnPosition(key, declaredBy: className, inClass: classIndex)
    var rows = self
    rows.conditions.append(
      try ColumnBounds(position, ofClass: classIndex, in: file, least: least, most: most))
    return rows
  }

  /// Calls a closure with the rows of each segment that contains rows of the class, in order.
  ///
  ///     try people.forEachBatch { batch in
  ///       print(batch.ids.count)
  ///     }
  ///
  /// Only one segment is in memory at a time. After `where`, a batch still contains all rows of its segment;
  /// ``RowBatch/isMatching`` states which rows fulfil the conditions.
  ///
  /// - Parameter body: called once per segment with the rows of the class.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
  public func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    guard conditions.isEmpty else {
      return try forEachMatch(ofColumns: Array(file.classes[classIndex].columns.indices), body)
    }
    try file.forEachCheckedSegment { segment in
      if let batch = RowBatch(segment, classIndex: classIndex, of: file) { try body(batch) }
    }
  }

  /// Reads the numbers of the objects in the rows. Returns the numbers.
  ///
  ///     let ids = try file.rows(ofClass: "Person").where("age", atLeast: 18).ids()
  ///
  /// - Returns: the numbers, in ascending order.
  /// - Throws: the code of the damage if a segment is damaged.
  /// - Complexity: O(rows of the class in the segments that are read).
  public func ids() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachMatch(ofColumns: []) { ids += $0.matching($0.ids) }
    return ids
  }

  /// Reads one column of all rows, as a type of the program.
  ///
  ///     let ages = try people.column("age", as: Int.self)
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: a type that can represent every value of the column's type.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, `typeMismatch` if the type cannot represent every
  ///   value, or the code of the damage if a segment is damaged.
  public func column<Value: ColumnValue>(
    _ key: String, declaredBy className: String? = nil, as type: Value.Type
  ) throws -> [Value] {
    try column(key, declaredBy: className) { try $0.values(as: type) }
  }

  /// Reads one column of all rows, as `ArchiveValue`.
  ///
  ///     let styles = try people.column("style")
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: the type `ArchiveValue`; it can represent every value.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, or the code of the damage if a segment is damaged.
  public func column(
    _ key: String, declaredBy className: String? = nil, as type: ArchiveValue.Type = ArchiveValue.self
  ) throws -> [ArchiveValue] {
    try column(key, declaredBy: className) { try $0.values(as: type) }
  }

  private func column<Value>(
    _ key: String, declaredBy className: String?, _ read: (ArchiveColumn) throws -> [Value]
  ) throws -> [Value] {
    // The column must exist even if the class has no rows.
    let position = try file.columnPosition(key, declaredBy: className, inClass: classIndex)
    var values: [Value] = []
    try forEachMatch(ofColumns: [position]) { batch in
      values += batch.matching(try read(batch.column(key, declaredBy: className)))
    }
    return values
  }

  /// Calls a closure with each batch that has a row which fulfils the conditions, with some columns.
  private func forEachMatch(ofColumns columns: [Int], _ body: (RowBatch) throws -> Void) throws {
    let request = RowsRequest(
      classIndex: classIndex, columns: Set(columns + conditions.map(\.position)).sorted(),
      filter: .all(conditions.map { .within($0) }))
    try file.forEachBatch(of: request) { batch in
      if let batch = try batch.fulfilling(conditions) { try body(batch) }
    }
  }
}

extension ArchiveFile {
  /// Finds a class for reading its objects as columns. Returns its rows, without reading them.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let artworks = try file.rows(ofClass: "Artwork")
  ///     let titles = try artworks.column("title", as: String.self)   // one string per artwork
  ///     let years = try artworks.column("year", as: Int.self)
  ///
  /// - Parameter name: the coded name of the class.
  /// - Returns: the rows of the class, without rows of subclasses.
  /// - Throws: `ArchiveError` with code `unknownClass` if the file does not contain the class.
  public func rows(ofClass name: String) throws(ArchiveError) -> ArchiveRows {
    guard let index = schema.classIndices[ExactName(name)] else {
      throw ArchiveError(
        .unknownClass, found: "no class '\(name)' in the file",
        expected: "the coded name of a class in the file",
        remedy: "choose a name from ArchiveFile.classInfos")
    }
    return ArchiveRows(self, classIndex: index)
  }

  /// The index of a column in a class: the first with a key and, if given, that declaring class.
  func columnPosition(
    _ key: String, declaredBy className: String?, inClass index: Int
  ) throws(ArchiveError) -> Int {
    let position = classes[index].columns.firstIndex { column in
      column.key.hasSameBytes(as: key)
        && className?.hasSameBytes(as: classes[column.declaringClassIndex].name) ?? true
    }
    guard let position else {
      throw ArchiveError(
        .missingKey, found: "no column '\(key)'" + (className.map { " that class '\($0)' declares" } ?? ""),
        expected: "the key of a column of the class", className: classes[index].name, key: key)
    }
    return position
  }
}

/// The rows of one class in one segment.
///
/// A batch retains the segment in memory.
public struct RowBatch {
  private let file: ArchiveFile
  private let segment: RowsSegment
  private let rows: RowsSegment.ClassRows
  /// Whether each row fulfils the conditions; nil if there are none.
  private var matches: [Bool]?

  /// Nil if the segment has no rows of the class.
  init?(_ segment: RowsSegment, classIndex: Int, of file: ArchiveFile) {
    guard let rows = segment.classes.first(where: { $0.classIndex == classIndex }) else { return nil }
    self.file = file
    self.segment = segment
    self.rows = rows
  }

  init(_ segment: RowsSegment, _ rows: RowsSegment.ClassRows, of file: ArchiveFile) {
    self.file = file
    self.segment = segment
    self.rows = rows
  }

  /// For each row, whether it matches the conditions of ``ArchiveRows/where(_:declaredBy:atLeast:atMost:)``.
  ///
  ///     for (id, isMatching) in zip(batch.ids, batch.isMatching) where isMatching { print(id) }
  ///
  /// If there are no conditions, all rows match.
  public var isMatching: [Bool] { matches ?? [Bool](repeating: true, count: count) }

  /// The values of those rows that fulfil the conditions.
  fileprivate func matching<Value>(_ values: [Value]) -> [Value] {
    guard let matches else { return values }
    return zip(values, matches).lazy.filter(\.1).map(\.0)
  }

  /// The same rows with the conditions that they may fulfil. Nil if no row fulfils them.
  fileprivate func fulfilling(_ conditions: [ColumnBounds]) throws -> RowBatch? {
    var batch = self
    for condition in conditions {
      // Rows that were written before the class had the column have no value in it.
      guard let column = try column(at: condition.position) else { return nil }
      let found = try condition.contain(column)
      batch.matches = batch.matches.map { zip($0, found).map { $0 && $1 } } ?? found
    }
    return batch.matches?.contains(true) ?? true ? batch : nil
  }

  /// The number of rows of the class in the segment, and of values in each column.
  public var count: Int { rows.rowCount }

  /// The numbers of the objects, ascending.
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
  /// The column of a property that a hand-written coder wrote contains optionals, because a row may have no
  /// value.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil selects the first column with the key, which is
  ///     the column of the most derived class.
  /// - Returns: the column, with one value for each row of the batch.
  /// - Throws: `missingKey` if there is no such column.
  public func column(_ key: String, declaredBy className: String? = nil) throws(ArchiveError) -> ArchiveColumn
  {
    let position = try file.columnPosition(key, declaredBy: className, inClass: rows.classIndex)
    return try ArchiveColumn(segment, rows, position: position, of: file)
  }

  /// The column at an index among those of the class; nil for one that the class got after these rows were
  /// written, in which they have no value.
  package func column(at position: Int) throws(ArchiveError) -> ArchiveColumn? {
    guard position < rows.columnCount else { return nil }
    return try ArchiveColumn(segment, rows, position: position, of: file)
  }

  /// The values of the column at an index, one after the other; nil as above.
  package func cursor(at position: Int) throws(ArchiveError) -> ValueCursor? {
    guard position < rows.columnCount else { return nil }
    let isKeyed = file.classes[rows.classIndex].columns[position].flags.contains(.keyed)
    return ValueCursor(try ColumnTree(segment, rows, position: position, of: file), isKeyed: isKeyed)
  }
}
