import ArcFormat
import ArcRuntime

/// Sorts the rows of a class, and those of each of its subclasses, by one property.
///
/// Numbers and dates ascend, texts by their UTF-8 bytes, enumerations by the place of their case; nil and NaN
/// stand last, equal values as they were. Spec: 13-directory, section 2; 14-data-sets, section 1.
struct RowSorting {
  private let file: ArchiveFile
  private let className: String
  private let key: String
  private let classIndex: Int

  /// A class and a key, `Class.key`; nil if there is no such class, and so no row to sort.
  ///
  /// - Throws: `missingKey` if the class has no such property.
  init?(_ sortKey: String, _ file: ArchiveFile) throws(ArchiveError) {
    var found: (index: Int, key: String)?
    // Names of classes may have points in them, and keys too.
    for dot in sortKey.indices where sortKey[dot] == "." {
      guard let index = file.schema.classIndices[ExactName(String(sortKey[..<dot]))] else { continue }
      let key = String(sortKey[sortKey.index(after: dot)...])
      if found == nil || file.classes[index].columns.contains(where: { $0.key.hasSameBytes(as: key) }) {
        found = (index, key)
      }
    }
    guard let found else { return nil }
    (classIndex, key, self.file) = (found.index, found.key, file)
    className = file.classes[found.index].name
    guard file.classes[classIndex].columns.contains(where: { $0.key.hasSameBytes(as: found.key) }) else {
      throw ArchiveError(
        .missingKey, found: "no property '\(found.key)' to sort by",
        expected: "the key of a property of the class",
        className: className, key: found.key)
    }
  }

  /// Whether the rows of a class are sorted.
  func sorts(_ index: Int) -> Bool { file.schema.hierarchy.isClass(index, orSubclassOf: classIndex) }

  /// The rows of a class, which it has in ascending order, sorted.
  func sorted(_ rows: [UInt32], ofClass index: Int) throws -> [UInt32] {
    try SortedValues(file.rows(ofClass: file.classes[index].name), key).places.map { rows[$0] }
  }

  /// The least and the greatest of the values by which rows are sorted, as a directory of chunks has them;
  /// nil if there are none. Spec: 13-directory, section 2.
  func extent() throws -> (least: UInt64, most: UInt64)? {
    var all = SortedValues()
    for index in file.classes.indices where sorts(index) {
      try all.append(file.rows(ofClass: file.classes[index].name), key)
    }
    return all.extent
  }
}

/// Values by which rows are sorted: all in one of the lists, nil for what has no place among the others.
private struct SortedValues {
  private var numbers: [Int128?] = []
  private var floats: [Double?] = []
  private var texts: [[UInt8]?] = []

  init() {}

  init(_ rows: ArchiveRows, _ key: String) throws { try append(rows, key) }

  mutating func append(_ rows: ArchiveRows, _ key: String) throws {
    try rows.forEachBatch { try Self.append($0.column(key), to: &numbers, &floats, &texts) }
  }

  /// The places of the values in their order.
  var places: [Int] {
    if !numbers.isEmpty { return Self.sorted(numbers, by: <) }
    if !floats.isEmpty { return Self.sorted(floats, by: <) }
    return Self.sorted(texts) { $0.lexicographicallyPrecedes($1) }
  }

  var extent: (least: UInt64, most: UInt64)? {
    if let least = numbers.lazy.compactMap(\.self).min(), let most = numbers.lazy.compactMap(\.self).max() {
      return (UInt64(truncatingIfNeeded: least), UInt64(truncatingIfNeeded: most))
    }
    if let least = floats.lazy.compactMap(\.self).min(), let most = floats.lazy.compactMap(\.self).max() {
      return (least.bitPattern, most.bitPattern)
    }
    let texts = texts.compactMap(\.self)
    guard let least = texts.min(by: { $0.lexicographicallyPrecedes($1) }),
      let most = texts.max(by: { $0.lexicographicallyPrecedes($1) })
    else { return nil }
    return (ChunkRange.prefix(least), ChunkRange.prefix(most))
  }

  private static func append(
    _ column: ArchiveColumn, to numbers: inout [Int128?], _ floats: inout [Double?], _ texts: inout [[UInt8]?]
  ) throws {
    var column = column
    // For each value of the column, its place among those that are there.
    var places: [Int?] = Array(0..<column.count)
    while column.kind == .optional {
      let presence = try column.presence()
      var next = 0
      let inner = presence.map { isPresent -> Int? in
        guard isPresent else { return nil }
        next += 1
        return next - 1
      }
      places = places.map { $0.flatMap { inner[$0] } }
      column = try column.wrapped
    }
    func append<Value>(_ values: [Value], to all: inout [Value?]) {
      all += places.map { $0.map { values[$0] } }
    }
    switch column.kind {
    case .int8, .int16, .int32, .int64:
      append(try column.values(as: Int64.self).map { Int128($0) }, to: &numbers)
    case .uint8, .uint16, .uint32, .uint64:
      append(try column.values(as: UInt64.self).map { Int128($0) }, to: &numbers)
    case .enumeration: append(try column.cases().map { Int128($0) }, to: &numbers)
    case .float16, .float32, .float64:
      let values = try column.values(as: Double.self)
      floats += places.map { $0.flatMap { values[$0].isNaN ? nil : values[$0] } }
    case .date:
      let values = try column.values().map { value -> Double? in
        if case .date(let seconds) = value, !seconds.isNaN { seconds } else { nil }
      }
      floats += places.map { $0.flatMap { values[$0] } }
    case .string: append(try column.values(as: String.self).map { Array($0.utf8) }, to: &texts)
    default:
      throw ArchiveError(
        .typeMismatch, found: "a property with values of kind '\(column.kind)' to sort by",
        expected: "a property with numbers up to 64 bits, dates, strings or cases of an enumeration")
    }
  }

  /// The places of values, nil last; equal ones stay in their order.
  private static func sorted<Value>(_ values: [Value?], by areInOrder: (Value, Value) -> Bool) -> [Int] {
    values.indices.sorted { one, other in
      switch (values[one], values[other]) {
      case (let first?, let second?):
        areInOrder(first, second) || (!areInOrder(second, first) && one < other)
      case (.some, nil): true
      case (nil, .some): false
      case (nil, nil): one < other
      }
    }
  }
}
