package import ArcFormat
import ArcRuntime

/// Between which values those of a column must be for their rows to be asked for, these values included.
///
/// Texts are ordered by their UTF-8 bytes. What is no value, nil and NaN, is not between any two.
package struct ColumnBounds {
  /// How many chunks a block of the class has before that of the values.
  private let chunkOffset: Int
  private let interval: Interval

  private enum Interval {
    case integers(least: Int128, most: Int128)
    case numbers(least: Double, most: Double)
    case dates(least: Double, most: Double)
    case texts(least: [UInt8], most: [UInt8]?)
  }

  /// - Throws: `typeMismatch` unless the column has numbers, dates or strings, or optionals of these, and the
  ///   bounds are such values too.
  package init(
    _ position: Int, ofClass classIndex: Int, in file: ArchiveFile, least: ArchiveValue?,
    most: ArchiveValue?
  ) throws(ArchiveError) {
    try self.init(
      ColumnPath(position: position, fields: []), ofClass: classIndex, in: file, least: least, most: most)
  }

  /// The same for the values at a path.
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

  /// Both bounds as values of one type, open ones as given; nil if one is of another.
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

  /// An optional of bytes, whose nil is the bound that no text reaches.
  private static func text(_ value: ArchiveValue) -> [UInt8]?? {
    value.string.map { .some(Array($0.utf8)) }
  }

  // MARK: Values

  /// Whether each value of the column is within the bounds.
  ///
  /// - Complexity: O(values).
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

  /// Whether by a directory none of the rows of a block is within the bounds.
  func excludeAll(ofBlock block: Int, _ directory: ChunkDirectory) -> Bool {
    let chunk = directory.firstChunks[block] + chunkOffset
    let end =
      block + 1 < directory.firstChunks.count ? directory.firstChunks[block + 1] : directory.chunks.count
    // Rows that were written before the class had the column have no value in it.
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
      // Numbers of strings in the table are in no order of theirs.
      guard directory.chunks[chunk].encoding == UInt64(ChunkEncoding.plain) else { return false }
      return range.most < ChunkRange.prefix(least)
        || most.map { range.least > ChunkRange.prefix($0) } ?? false
    default: return false
    }
  }
}
