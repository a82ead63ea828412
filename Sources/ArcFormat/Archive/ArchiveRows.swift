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
/// Rows of subclasses are included only if ``ArchiveFile/rows(ofClass:includingSubclasses:)`` was called for
/// them. Segments are checked when they are read, see ``ArchiveFile/object(_:)``. If the file has a chunk
/// directory, and was verified or has ``ArchiveFile/trustsChunkDirectory`` set, a column is read without the
/// other columns, and segments in which no row fulfils the conditions are skipped.
///
/// ## Paths
///
/// A path is the key of a column, or a key and fields of structures: `age`, `address.city`. If an optional on
/// the path is nil, the row has nil.
public struct ArchiveRows {
  let file: ArchiveFile
  private let classIndex: Int
  /// The class, and subclasses if they are included, each with its conditions.
  private var parts: [Part]
  /// The numbers of the requested rows; nil if rows with all numbers are requested.
  private var idRange: ClosedRange<ObjectID>?

  private struct Part {
    let classIndex: Int
    /// The conditions of `where`, all of which a row fulfils.
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

  /// Calls a closure with the rows of each class in each segment that contains requested rows, in order.
  ///
  ///     try people.forEachBatch { batch in
  ///       print(batch.ids.count)
  ///     }
  ///
  /// Only one segment is in memory at a time. After `where`, a batch still contains all rows of its segment;
  /// ``RowBatch/isMatching`` states which rows fulfil the conditions.
  ///
  /// - Parameter body: called once per segment and class with the rows.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
  public func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    guard idRange != nil || parts.contains(where: { !$0.conditions.isEmpty }) else {
      let isWanted = Set(parts.map(\.classIndex))
      return try file.forEachBatch(where: isWanted.contains) { _, _, batch in try body(batch) }
    }
    let columns = parts.map { Array(file.classes[$0.classIndex].columns.indices) }
    try forEachMatch(ofColumns: columns) { _, _, batch in try body(batch) }
  }

  /// Calls a closure with each batch that has a row which fulfils the conditions, with some columns of each
  /// class in `parts`. The closure also gets the index of the class in `parts`, and the numbers of the rows.
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

  /// Reads the numbers of the objects in the rows. Returns the numbers.
  ///
  ///     let ids = try file.rows(ofClass: "Person").where("age", atLeast: 18).ids()
  ///
  /// - Returns: the numbers, in ascending order.
  /// - Throws: the code of the damage if a segment is damaged.
  /// - Complexity: O(rows of the classes in the segments that are read).
  public func ids() throws -> [ObjectID] {
    var found: [ObjectID] = []
    try forEachMatch(ofColumns: parts.map { _ in [] }) { _, ids, batch in found += batch.matching(ids) }
    if parts.count > 1 { found.sort() }
    return found
  }

  /// Reads one column of all rows, as a type of the program.
  ///
  ///     let ages = try people.column("age", as: Int.self)
  ///     let cities = try people.column("address.city", as: String?.self)   // nil if there is no address
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: a type that can represent every value of the column's type.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, `typeMismatch` if the type cannot represent every
  ///   value, `valueOutOfRange` if a row has nil and the type is not optional, or the code of the damage if a
  ///   segment is damaged.
  public func column<Value: ColumnValue>(
    _ path: String, declaredBy className: String? = nil, as type: Value.Type
  ) throws -> [Value] {
    let isOptional = Value.__traits.contains(.optional)
    let absent = isOptional ? (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) : nil
    return try column(path, declaredBy: className, absent: absent as? Value) { try $0.values(as: type) }
  }

  /// Reads one column of all rows, as `ArchiveValue`.
  ///
  ///     let styles = try people.column("style")
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - type: the type `ArchiveValue`; it can represent every value.
  /// - Returns: one value for each row, in row order.
  /// - Throws: `missingKey` if there is no such column, or the code of the damage if a segment is damaged.
  public func column(
    _ path: String, declaredBy className: String? = nil, as type: ArchiveValue.Type = ArchiveValue.self
  ) throws -> [ArchiveValue] {
    try column(path, declaredBy: className, absent: ArchiveValue.null) { try $0.values(as: type) }
  }

  /// Reads the values at a path; `absent` is the value for rows without one, nil if the type has none.
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
            .valueOutOfRange, found: "nil", expected: "a value of type '\(Value.self)' in each row",
            remedy: "read the column as '\(Value.self)?'", className: batch.className, key: path)
        }
        values = ArchiveColumn.spread(values, over: presence, absent: absent)
      }
      found += batch.matching(values)
      if parts.count > 1 { numbers += batch.matching(ids) }
    }
    // Rows of several classes alternate in a segment.
    guard parts.count > 1 else { return found }
    return numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { found[$0] }
  }

  // MARK: Conditions

  /// Selects the rows whose value is within bounds. Returns these rows.
  ///
  ///     let adults = try people.where("age", atLeast: 18, atMost: 65)
  ///     let early = try people.where("name", atLeast: "A", atMost: "B")   // by UTF-8 bytes
  ///     let young = try people.where("born", atLeast: .date(0))           // since 2001
  ///     let tall = try people.where("size.height", atLeast: 1.9)          // a field of a structure
  ///
  /// The values are numbers, dates, strings, or optionals of these. Rows with nil or NaN do not match. If
  /// `where` is called several times, rows match all conditions.
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - least: the minimum value; nil if there is no minimum.
  ///   - most: the maximum value; nil if there is no maximum.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: `missingKey` if there is no such column, with the names that exist; `typeMismatch` if its
  ///   values have no order, or a bound has another kind. For integers a bound must be an integer, for
  ///   floating-point numbers any number.
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

  /// Selects the rows whose value is equal to a value. Returns these rows.
  ///
  ///     let friends = try people.where("bestFriend", equals: .reference(id))
  ///     let homeless = try people.where("address", equals: nil)
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - value: the value, see `where(_:declaredBy:isIn:)`.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: what `where(_:declaredBy:isIn:)` throws.
  public func `where`(
    _ path: String, declaredBy className: String? = nil, equals value: ArchiveValue
  ) throws(ArchiveError) -> ArchiveRows {
    try self.where(path, declaredBy: className, isIn: [value])
  }

  /// Selects the rows whose value is one of several values. Returns these rows.
  ///
  ///     let pets = try animals.where("kind", isIn: ["cat", "dog", nil])
  ///
  /// The values are numbers, dates, strings, Booleans, data, UUIDs, URLs, decimals, references, cases of
  /// enumerations, or nil. Strings match if their UTF-8 bytes are equal. A case is stated as a string: its
  /// name.
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - values: the values of the column's type.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: `missingKey` if there is no such column, and `unknownCase` if there is no such case, with the
  ///   names that exist; `typeMismatch` if a value does not have the column's type, or if the column contains
  ///   collections or structures.
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
  /// Segments without these rows are not read.
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

  /// Divides the numbers of all objects into ranges that tasks can read at the same time.
  ///
  ///     for range in people.idRanges(atMost: 4) {
  ///       group.addTask { try ArchiveFile(source).rows(ofClass: "Person").where(ids: range).ids().count }
  ///     }
  ///
  /// Each range consists of whole segments, so that no segment is read twice. The ranges have about the same
  /// number of bytes. See ``ArchiveFile/Source``.
  ///
  /// - Parameter count: the maximum number of ranges.
  /// - Returns: adjacent ranges in ascending order; none if the file has no rows.
  /// - Complexity: O(segments).
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

  /// The location of the values at a path for each class in `parts`; nil for a class without the column.
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
  /// Finds a class for reading its objects as columns. Returns its rows, without reading them.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let artworks = try file.rows(ofClass: "Artwork")
  ///     let titles = try artworks.column("title", as: String.self)   // one string per artwork
  ///     let years = try artworks.column("year", as: Int.self)
  ///     let all = try file.rows(ofClass: "Artwork", includingSubclasses: true)
  ///
  /// With subclasses, the columns are those that the class declares or inherits. They exist even if all
  /// objects are of subclasses. ``RowBatch/className`` is the class of a batch.
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
