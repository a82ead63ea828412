package import ArcFormat
import ArcRuntime

/// The minimum and the maximum value in a condition on a column. Both bounds are included.
///
/// Strings are ordered by their UTF-8 bytes. Nil and NaN are outside all bounds.
package struct ColumnBounds {
  /// The index of the values' chunk among the chunks of each block in the directory.
  private let chunkOffset: Int
  private let interval: Interval

  private enum Interval {
    case integers(least: Int128, most: Int128)
    case numbers(least: Double, most: Double)
    case dates(least: Double, most: Double)
    case texts(least: [UInt8], most: [UInt8]?)
  }

  /// Creates the bounds for a whole column.
  ///
  /// - Throws: `typeMismatch` unless the column contains numbers up to 64 bits, dates, strings, or optionals
  ///   of these types, and the bounds have the type of the column.
  package init(
    _ position: Int, ofClass classIndex: Int, in file: ArchiveFile, least: ArchiveValue?,
    most: ArchiveValue?
  ) throws(ArchiveError) {
    try self.init(
      ColumnPath(position: position, fields: []), ofClass: classIndex, in: file, least: least, most: most)
  }

  /// Creates the bounds for the values at a path.
  init(
    _ path: ColumnPath, ofClass classIndex: Int, in file: ArchiveFile, least: ArchiveValue?,
    most: ArchiveValue?
  ) throws(ArchiveError) {
    let layout = file.layouts[classIndex]
    let node = try file.node(of: path, inClass: classIndex)
    chunkOffset = layout.nodes[..<node].count { !$0.kind.storage.isNone }
    let found: Interval?
    switch layout.nodes[node].kind {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      found = Self.bounds(least, most, .min, .max, Self.integer).map { .integers(least: $0, most: $1) }
    case .float16, .float32, .float64:
      found = Self.bounds(least, most, -.infinity, .infinity, \.double).map { .numbers(least: $0, most: $1) }
    case .date:
      found = Self.bounds(least, most, -.infinity, .infinity, Self.date).map { .dates(least: $0, most: $1) }
    case .string:
      found = Self.bounds(least, most, [], nil, Self.text).map { .texts(least: $0 ?? [], most: $1) }
    default: found = nil
    }
    guard let found else {
      let column = file.classes[classIndex].columns[path.position]
      let bounds = [least, most].compactMap { $0.map { "\($0)" } }.joined(separator: " and ")
      throw ArchiveError(
        .typeMismatch, found: "bounds \(bounds) for a column of kind '\(layout.nodes[node].kind)'",
        expected: "a column of numbers up to 64 bits, dates or strings, and bounds of the column's type",
        className: file.classes[classIndex].name, key: column.key)
    }
    interval = found
  }

  /// Converts both bounds to one type. If the minimum is missing, the result has `lowest` instead; if the
  /// maximum is missing, `highest`. Nil if a bound does not have this type.
  private static func bounds<Value>(
    _ least: ArchiveValue?, _ most: ArchiveValue?, _ lowest: Value, _ highest: Value,
    _ value: (ArchiveValue) -> Value?
  ) -> (Value, Value)? {
    guard let least = least == nil ? lowest : least.flatMap(value),
      let most = most == nil ? highest : most.flatMap(value)
    else { return nil }
    return (least, most)
  }

  static func integer(_ value: ArchiveValue) -> Int128? {
    switch value {
    case .integer(let value): value
    case .unsigned(let value): Int128(clamping: value)
    default: nil
    }
  }

  static func date(_ value: ArchiveValue) -> Double? {
    if case .date(let seconds) = value { seconds } else { nil }
  }

  /// Returns the UTF-8 bytes of a string. Nil if the value is not a string. The result is a nested optional
  /// only because `bounds` uses a nil inner optional for a missing maximum; the inner optional of the result
  /// is never nil.
  private static func text(_ value: ArchiveValue) -> [UInt8]?? {
    value.string.map { .some(Array($0.utf8)) }
  }

  // MARK: Values

  /// Returns for each value of the column whether it is within the bounds.
  ///
  /// - Complexity: O(*n*) in the number of values.
  func contain(_ column: ArchiveColumn) throws -> [Bool] {
    if column.kind == .optional {
      return try ArchiveColumn.spread(contain(column.wrapped), over: column.presence(), absent: false)
    }
    switch interval {
    case .integers(let least, let most):
      if case .unsigned? = ChunkRange.Order(column.kind) {
        return try column.values(as: UInt64.self).map { least <= Int128($0) && Int128($0) <= most }
      }
      return try column.values(as: Int64.self).map { least <= Int128($0) && Int128($0) <= most }
    case .numbers(let least, let most):
      return try column.values(as: Double.self).map { least <= $0 && $0 <= most }
    case .dates(let least, let most):
      return try column.values().map { Self.date($0).map { least <= $0 && $0 <= most } ?? false }
    case .texts(let least, let most):
      return try column.matches { Self.contain($0, least, most) }
    }
  }

  private static func contain(_ text: String, _ least: [UInt8], _ most: [UInt8]?) -> Bool {
    !text.utf8.lexicographicallyPrecedes(least) && !(most?.lexicographicallyPrecedes(text.utf8) ?? false)
  }

  // MARK: Ranges

  /// Whether, according to a directory, none of the rows of a block is within the bounds.
  func excludeAll(ofBlock block: Int, _ directory: ChunkDirectory) -> Bool {
    let chunk = directory.firstChunks[block] + chunkOffset
    let end =
      block + 1 < directory.firstChunks.count ? directory.firstChunks[block + 1] : directory.chunks.count
    // Rows that were written before the column was added to the class have no value in the column.
    guard chunk < end else { return true }
    guard let range = directory.ranges[chunk] else { return false }
    switch (interval, range.order) {
    case (.integers(let least, let most), .signed):
      return Int128(Int64(bitPattern: range.most)) < least || Int128(Int64(bitPattern: range.least)) > most
    case (.integers(let least, let most), .unsigned):
      return Int128(range.most) < least || Int128(range.least) > most
    case (.numbers(let least, let most), .numbers), (.dates(let least, let most), .numbers):
      return Double(bitPattern: range.most) < least || Double(bitPattern: range.least) > most
    case (.texts(let least, let most), .texts):
      // The numbers of strings in the string table do not follow the order of the strings.
      guard directory.chunks[chunk].encoding == UInt64(ChunkEncoding.plain) else { return false }
      return range.most < ChunkRange.prefix(least)
        || most.map { range.least > ChunkRange.prefix($0) } ?? false
    default: return false
    }
  }
}
