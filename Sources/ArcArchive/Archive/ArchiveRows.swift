public import ArcFormat
import ArcRuntime

/// The rows of one class, read as columns: one property of many objects at once.
///
///     let people = try file.rows(ofClass: "Person")
///     let ages = try people.column("age", as: Int.self)   // of all persons, in the order of their numbers
///     let names = try people.where("age", atLeast: 18).column("name", as: String.self)
///     let cities = try people.where("address.country", equals: "NL").column("address.city", as: String.self)
///     try people.forEachBatch { batch in                  // or in bounded memory, one segment at a time
///       let names = try batch.column("name").values(as: String.self)
///       print(batch.ids.count, names.first ?? "none")
///     }
///
/// Rows of subclasses are included only if you request them with
/// ``ArchiveFile/rows(ofClass:includingSubclasses:)``. Segments are checked when they are read, as
/// ``ArchiveFile/object(_:)`` describes. In a file with a chunk directory, queries can read a column without
/// the other columns, and can skip segments in which no row fulfils the conditions. Queries do so after
/// ``ArchiveFile/verify()``, or if ``ArchiveFile/trustsChunkDirectory`` is true.
///
/// ## Paths
///
/// A path is the key of a column, such as `age`, or a key followed by fields of structures, such as
/// `address.city`. If an optional on the path is nil, the row's value at the path is nil.
public struct ArchiveRows {
  let file: ArchiveFile
  private let classIndex: Int
  /// The requested classes with their conditions: the class, and its subclasses if they are included.
  private var parts: [Part]
  /// The numbers of the requested rows; nil if rows with all numbers are requested.
  private var idRange: ClosedRange<ObjectID>?

  private struct Part {
    let classIndex: Int
    /// The conditions of all calls to `where`. A row must fulfil each of them.
    var conditions: [RowCondition] = []
  }

  init(_ file: ArchiveFile, classIndex: Int, includesSubclasses: Bool = false) {
    self.file = file
    self.classIndex = classIndex
    parts = file.classes.indices.lazy
      .filter {
        includesSubclasses
          ? file.schema.hierarchy.isClass($0, orSubclassOf: classIndex) : $0 == classIndex
      }
      .map { Part(classIndex: $0) }
  }

  // MARK: Batches

  /// Calls a closure with each batch. A batch contains the rows of one class in one segment.
  ///
  ///     try people.forEachBatch { batch in
  ///       print(batch.ids.count)
  ///     }
  ///
  /// Segments are read one after the other, so memory does not contain the whole file. After `where`, a batch
  /// still contains all rows of its class in the segment; ``RowBatch/isMatching`` states for each row whether
  /// the row fulfils the conditions. A batch is skipped if none of its rows fulfils the conditions.
  ///
  /// - Parameter body: called once per segment and class, in the order of the file.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
  public func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    guard idRange != nil || parts.contains(where: { !$0.conditions.isEmpty }) else {
      let isWanted = Set(parts.map(\.classIndex))
      return try file.forEachBatch(where: isWanted.contains) { _, _, batch in try body(batch) }
    }
    let columns = parts.map { Array(file.classes[$0.classIndex].columns.indices) }
    try forEachMatch(ofColumns: columns) { _, _, batch in try body(batch) }
  }

  /// Calls a closure with each batch in which at least one row fulfils the conditions.
  ///
  /// - Parameters:
  ///   - columns: the columns to read, for each class in `parts`.
  ///   - body: receives the index of the class in `parts`, and the numbers of the rows in the batch.
  /// - Throws: what `body` throws, or the code of the damage if a segment is damaged.
  private func forEachMatch(
    ofColumns columns: [[Int]], _ body: (_ part: Int, _ ids: [ObjectID], RowBatch) throws -> Void
  ) throws {
    let requests = parts.indices.map { part in
      let conditions = parts[part].conditions
      return RowsRequest(
        classIndex: parts[part].classIndex,
        columns: Set(columns[part] + conditions.compactMap(\.path?.position)).sorted(),
        filter: .all(conditions.map(\.filter)))
    }
    let partOfClass = Dictionary(uniqueKeysWithValues: zip(parts.map(\.classIndex), parts.indices))
    try file.forEachBatch(of: requests, ids: idRange) { classIndex, ids, batch in
      guard let part = partOfClass[classIndex],
        let batch = try batch.fulfilling(parts[part].conditions, ids: ids, in: idRange)
      else { return }
      try body(part, ids, batch)
    }
  }

  // MARK: Columns

  /// Reads the object numbers of the rows. Returns the numbers.
  ///
  ///     let ids = try file.rows(ofClass: "Person").where("age", atLeast: 18).ids()
  ///
  /// - Returns: the numbers, in ascending order.
  /// - Throws: the code of the damage if a segment is damaged.
  /// - Complexity: O(*n*) in the number of rows of the class in the segments that are read; O(*n* log *n*) if
  ///   subclasses are included.
  public func ids() throws -> [ObjectID] {
    var found: [ObjectID] = []
    try forEachMatch(ofColumns: parts.map { _ in [] }) { _, ids, batch in found += batch.matching(ids) }
    if parts.count > 1 { found.sort() }
    return found
  }

  /// Reads the values of one column as a type of the program.
  ///
  ///     let ages = try people.column("age", as: Int.self)
  ///     let cities = try people.column("address.city", as: String?.self)   // nil if there is no address
  ///
  /// - Parameters:
  ///   - path: the key of the column, such as `style`. For a field of structures, the path of the field, such
  ///     as `style.width`.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: a type to which values of the column's type can be converted.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, `typeMismatch` if the column's type cannot be
  ///   converted to `type`, `valueOutOfRange` if a value cannot be converted without loss (for example nil to
  ///   a type that is not optional), or the code of the damage if a segment is damaged.
  public func column<Value: ColumnValue>(
    _ path: String, declaredBy className: String? = nil, as type: Value.Type
  ) throws -> [Value] {
    let isOptional = Value.__traits.contains(.optional)
    let absent = isOptional ? (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) : nil
    return try column(path, declaredBy: className, absent: absent as? Value) { try $0.values(as: type) }
  }

  /// Reads the values of one column as `ArchiveValue`.
  ///
  ///     let styles = try people.column("style")
  ///
  /// - Parameters:
  ///   - path: the key of the column, such as `style`. For a field of structures, the path of the field, such
  ///     as `style.width`.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: the type `ArchiveValue`, which can represent every value.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, or the code of the damage if a segment is damaged.
  public func column(
    _ path: String, declaredBy className: String? = nil, as type: ArchiveValue.Type = ArchiveValue.self
  ) throws -> [ArchiveValue] {
    try column(path, declaredBy: className, absent: ArchiveValue.null) { try $0.values(as: type) }
  }

  /// Reads the values at a path. For each row without a value, the result contains `absent`. `absent` is nil
  /// if `Value` cannot represent a missing value; such a row is then an error.
  private func column<Value>(
    _ path: String, declaredBy className: String?, absent: Value?,
    _ read: (ArchiveColumn) throws -> [Value]
  ) throws -> [Value] {
    // The column must exist even if the class has no rows.
    let paths = try paths(path, declaredBy: className)
    var (found, numbers): ([Value], [ObjectID]) = ([], [])
    try forEachMatch(ofColumns: paths.map { $0.map { [$0.position] } ?? [] }) { part, ids, batch in
      var (values, presence): ([Value], [Bool]?) = ([], [Bool](repeating: false, count: batch.count))
      if let path = paths[part], let column = try batch.column(at: path.position) {
        let nested = try column.nested(path.fields)
        (values, presence) = (try read(nested.column), nested.presence)
      }
      if presence?.contains(false) ?? false {
        guard let absent else {
          throw ArchiveError(
            .valueOutOfRange, found: "a row with nil",
            expected: "a value of type '\(Value.self)' in each row",
            remedy: "read the column as '\(Value.self)?'", className: batch.className, key: path)
        }
        values = ArchiveColumn.spread(values, over: presence, absent: absent)
      }
      found += batch.matching(values)
      if parts.count > 1 { numbers += batch.matching(ids) }
    }
    // Rows of several classes alternate in a segment, so the values are sorted by row.
    guard parts.count > 1 else { return found }
    return numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { found[$0] }
  }

  // MARK: Conditions

  /// Selects the rows whose value in a column is within two bounds. Returns these rows.
  ///
  ///     let adults = try people.where("age", atLeast: 18, atMost: 65)
  ///     let early = try people.where("name", atLeast: "A", atMost: "B")   // by UTF-8 bytes
  ///     let young = try people.where("born", atLeast: .date(0))           // since 2001
  ///     let tall = try people.where("size.height", atLeast: 1.9)          // a field of a structure
  ///
  /// The column contains integers of at most 64 bits, floating-point numbers, dates, strings, or optionals of
  /// these types. The bounds themselves are included. Rows with nil or NaN do not match. If you call `where`
  /// several times, the selected rows fulfil all conditions.
  ///
  /// - Parameters:
  ///   - path: the key of the column, such as `style`. For a field of structures, the path of the field, such
  ///     as `style.width`.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - least: the minimum value; nil if there is no minimum.
  ///   - most: the maximum value; nil if there is no maximum.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: `missingKey` if there is no such column, with the names that exist; `typeMismatch` if the
  ///   column contains values of other types, or if a bound does not have the type of the column. A bound for
  ///   floating-point numbers can be any number.
  public func `where`(
    _ path: String, declaredBy className: String? = nil, atLeast least: ArchiveValue? = nil,
    atMost most: ArchiveValue? = nil
  ) throws(ArchiveError) -> ArchiveRows {
    try selecting(path, declaredBy: className) { path, classIndex throws(ArchiveError) in
      guard let path else { return RowCondition(nil, bounds: nil) }
      return RowCondition(
        path, bounds: try ColumnBounds(path, ofClass: classIndex, in: file, least: least, most: most))
    }
  }

  /// Selects the rows whose value in a column is equal to a value. Returns these rows.
  ///
  ///     let friends = try people.where("bestFriend", equals: .reference(id))
  ///     let homeless = try people.where("address", equals: nil)
  ///
  /// - Parameters:
  ///   - path: the key of the column, such as `style`. For a field of structures, the path of the field, such
  ///     as `style.width`.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - value: a value of a type that `where(_:declaredBy:isIn:)` accepts.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: the errors of `where(_:declaredBy:isIn:)`.
  public func `where`(
    _ path: String, declaredBy className: String? = nil, equals value: ArchiveValue
  ) throws(ArchiveError) -> ArchiveRows {
    try self.where(path, declaredBy: className, isIn: [value])
  }

  /// Selects the rows whose value in a column is one of several values. Returns these rows.
  ///
  ///     let pets = try animals.where("kind", isIn: ["cat", "dog", nil])
  ///
  /// The values are numbers, dates, strings, Booleans, data, UUIDs, URLs, decimals, references, cases of
  /// enumerations, or nil. Strings match if their UTF-8 bytes are equal. For a case of an enumeration, pass
  /// the name of the case as a string.
  ///
  /// - Parameters:
  ///   - path: the key of the column, such as `style`. For a field of structures, the path of the field, such
  ///     as `style.width`.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - values: the values, which have the column's type.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: `missingKey` if there is no such column; `unknownCase` if a value names a case that the
  ///   enumeration does not have; `typeMismatch` if a value does not have the column's type, or if the column
  ///   contains collections or structures. Errors for unknown names list the existing names.
  public func `where`(
    _ path: String, declaredBy className: String? = nil, isIn values: [ArchiveValue]
  ) throws(ArchiveError) -> ArchiveRows {
    let matchesNil = values.contains(.null)
    return try selecting(path, declaredBy: className) { path, classIndex throws(ArchiveError) in
      guard let path else { return RowCondition(nil, values: nil, matchesNil: matchesNil) }
      return RowCondition(
        path, values: try ColumnValueSet(values, at: path, inClass: classIndex, of: file),
        matchesNil: matchesNil)
    }
  }

  /// Selects the rows of the objects whose numbers are in a range. Returns these rows.
  ///
  ///     let first = try people.where(ids: ObjectID(rawValue: 1)...ObjectID(rawValue: 1000)).ids()
  ///
  /// Segments that contain none of these rows are not read.
  ///
  /// - Parameter range: the numbers of the objects.
  /// - Returns: the selected rows, without reading them.
  public func `where`(ids range: ClosedRange<ObjectID>) -> ArchiveRows {
    var rows = self
    guard let known = idRange else {
      rows.idRange = range
      return rows
    }
    if known.overlaps(range) { rows.idRange = known.clamped(to: range) } else { rows.parts = [] }
    return rows
  }

  /// Divides the object numbers of the file into ranges that tasks can read at the same time.
  ///
  ///     for range in people.idRanges(atMost: 4) {
  ///       group.addTask { try ArchiveFile(source).rows(ofClass: "Person").where(ids: range).ids().count }
  ///     }
  ///
  /// Each range consists of whole segments, so no segment is read by two tasks. All ranges have about the
  /// same number of bytes. Each task creates its own ``ArchiveFile`` from an ``ArchiveFile/Source``.
  ///
  /// - Parameter count: the maximum number of ranges.
  /// - Returns: adjacent ranges in ascending order.
  /// - Complexity: O(*n*) in the number of segments.
  public func idRanges(atMost count: Int) -> [ClosedRange<ObjectID>] {
    let segments = file.rowsSegments.map { file.segments[$0] }.filter { $0.count > 0 }
    let byteCount = segments.reduce(0) { $0 + $1.rawByteCount }
    var ranges: [ClosedRange<ObjectID>] = []
    var (first, readCount) = (segments.first?.firstIndex, 0)
    for (index, segment) in segments.enumerated() {
      readCount += segment.rawByteCount
      let isFull = Double(readCount) * Double(count) >= Double(byteCount) * Double(ranges.count + 1)
      guard let start = first, isFull || index == segments.indices.last else { continue }
      let last = segment.firstIndex + segment.count - 1
      ranges.append(
        ObjectID(rawValue: UInt32(clamping: start))...ObjectID(rawValue: UInt32(clamping: max(start, last))))
      first = last + 1
    }
    return ranges
  }

  private func selecting(
    _ path: String, declaredBy className: String?,
    _ condition: (ColumnPath?, _ classIndex: Int) throws(ArchiveError) -> RowCondition
  ) throws(ArchiveError) -> ArchiveRows {
    var rows = self
    for (part, path) in zip(parts.indices, try paths(path, declaredBy: className)) {
      rows.parts[part].conditions.append(try condition(path, parts[part].classIndex))
    }
    return rows
  }

  /// Returns the location of the values at a path for each class in `parts`. Nil for a class without the
  /// column.
  ///
  /// - Throws: `missingKey` if no class has the column.
  private func paths(_ path: String, declaredBy className: String?) throws(ArchiveError) -> [ColumnPath?] {
    var paths: [ColumnPath?] = []
    for part in parts {
      paths.append(
        try file.columnPath(
          path, declaredBy: className, inClass: part.classIndex, inheritedFrom: classIndex))
    }
    guard paths.isEmpty || paths.contains(where: { $0 != nil }) else {
      throw file.missingColumn(
        path, declaredBy: className, inClasses: parts.map(\.classIndex), inheritedFrom: classIndex)
    }
    return paths
  }
}

extension ArchiveFile {
  /// Finds a class by name. Returns the rows of its objects, without reading them.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let artworks = try file.rows(ofClass: "Artwork")
  ///     let titles = try artworks.column("title", as: String.self)   // one string per artwork
  ///     let years = try artworks.column("year", as: Int.self)
  ///     let all = try file.rows(ofClass: "Artwork", includingSubclasses: true)
  ///
  /// If subclasses are included, ``ArchiveRows`` has only the columns that the class itself declares or
  /// inherits. These columns exist even if all objects belong to subclasses. A ``RowBatch`` has all columns
  /// of ``RowBatch/className``, the class of the batch.
  ///
  /// - Parameters:
  ///   - name: the coded name of the class.
  ///   - includesSubclasses: whether rows of subclasses, direct and indirect, are included.
  /// - Returns: the rows of the class.
  /// - Throws: `ArchiveError` with code `unknownClass` if the file does not contain the class.
  public func rows(
    ofClass name: String, includingSubclasses includesSubclasses: Bool = false
  ) throws(ArchiveError) -> ArchiveRows {
    guard let index = schema.classIndices[ExactName(name)] else {
      throw ArchiveError(
        .unknownClass, found: "no class '\(printableName(name))' in the file",
        expected: "the coded name of a class in the file, such as "
          + Self.listed(classes.dropFirst().map(\.name)),
        remedy: "choose a name from ArchiveFile.classInfos")
    }
    return ArchiveRows(self, classIndex: index, includesSubclasses: includesSubclasses)
  }
}
