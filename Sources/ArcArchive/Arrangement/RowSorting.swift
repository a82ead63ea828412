import ArcFormat
import ArcRuntime

/// Sorts the rows of a class by one property, and separately the rows of each of its subclasses.
///
/// Numbers and dates ascend, strings ascend by their UTF-8 bytes, and enumeration values by the index of
/// their case. Nil and NaN are last. Rows with equal values keep their order. Spec: 13-directory, section 2;
/// 14-data-sets, section 1.
struct RowSorting {
  private let file: ArchiveFile
  private let className: String
  private let key: String
  private let classIndex: Int

  /// Parses a sort key, `Class.key`. Nil if the file has no such class: the file then has no rows to sort.
  ///
  /// - Throws: `missingKey` if the class has no such property.
  init?(_ sortKey: String, _ file: ArchiveFile) throws(ArchiveError) {
    var found: (index: Int, key: String)?
    // Names of classes may contain points, and so may keys.
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

  /// Whether the rows of the class with an index are sorted.
  func sorts(_ index: Int) -> Bool { file.schema.hierarchy.isClass(index, orSubclassOf: classIndex) }

  /// Returns the rows of a class in sorted order. `rows` are all rows of the class, ascending.
  func sorted(_ rows: [UInt32], ofClass index: Int) throws -> [UInt32] {
    try SortedValues(file.rows(ofClass: file.classes[index].name), key).sortedIndices.map { rows[$0] }
  }

  /// Returns the minimum and the maximum of the sorted values, in the form of the ranges of a chunk
  /// directory. Nil if there are no values. Spec: 13-directory, section 2.
  func extent() throws -> (least: UInt64, most: UInt64)? { try values().extent }

  /// Whether the values of the property have an order. False, for example, if another writer sorted the file
  /// by a property of references.
  var hasOrder: Bool {
    let layout = file.layouts[classIndex]
    guard let column = file.classes[classIndex].columns.firstIndex(where: { $0.key.hasSameBytes(as: key) })
    else { return false }
    var node = layout.roots[column]
    while layout.nodes[node].kind == .optional, let child = layout.nodes[node].children.first { node = child }
    return ![.reference, .weak].contains(layout.nodes[node].kind)
  }

  /// Whether two numbers are the minimum and the maximum of the sorted values. 0.0 and -0.0 are equal. Spec:
  /// 13-directory, section 2.
  func isExtent(least: UInt64, most: UInt64) throws -> Bool {
    let values = try values()
    guard let extent = values.extent else { return false }
    guard values.areFloats else { return extent == (least, most) }
    return Double(bitPattern: extent.least) == Double(bitPattern: least)
      && Double(bitPattern: extent.most) == Double(bitPattern: most)
  }

  private func values() throws -> SortedValues {
    var all = SortedValues()
    for index in file.classes.indices where sorts(index) {
      try all.append(file.rows(ofClass: file.classes[index].name), key)
    }
    return all
  }
}

/// The values by which rows are sorted. Only one of the arrays contains the values. An element is nil if its
/// value has no order, such as NaN or nil.
private struct SortedValues {
  private var numbers: [Int128?] = []
  private var floats: [Double?] = []
  private var texts: [[UInt8]?] = []

  init() {}

  init(_ rows: ArchiveRows, _ key: String) throws { try append(rows, key) }

  mutating func append(_ rows: ArchiveRows, _ key: String) throws {
    try rows.forEachBatch { try Self.append($0.column(key), to: &numbers, &floats, &texts) }
  }

  var areFloats: Bool { !floats.isEmpty }

  /// The indices of the values in sorted order.
  var sortedIndices: [Int] {
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
    // For each row, the index of its value in `column`; nil if the row has no value.
    var presentIndices: [Int?] = Array(0..<column.count)
    while column.kind == .optional {
      let presence = try column.presence()
      var next = 0
      let inner = presence.map { isPresent -> Int? in
        guard isPresent else { return nil }
        next += 1
        return next - 1
      }
      presentIndices = presentIndices.map { $0.flatMap { inner[$0] } }
      column = try column.wrapped
    }
    func append<Value>(_ values: [Value], to all: inout [Value?]) {
      all += presentIndices.map { $0.map { values[$0] } }
    }
    switch column.kind {
    case .int8, .int16, .int32, .int64:
      append(try column.values(as: Int64.self).map { Int128($0) }, to: &numbers)
    case .uint8, .uint16, .uint32, .uint64:
      append(try column.values(as: UInt64.self).map { Int128($0) }, to: &numbers)
    case .enumeration: append(try column.cases().map { Int128($0) }, to: &numbers)
    case .float16, .float32, .float64:
      let values = try column.values(as: Double.self)
      floats += presentIndices.map { $0.flatMap { values[$0].isNaN ? nil : values[$0] } }
    case .date:
      let values = try column.values().map { value -> Double? in
        if case .date(let seconds) = value, !seconds.isNaN { seconds } else { nil }
      }
      floats += presentIndices.map { $0.flatMap { values[$0] } }
    case .string: append(try column.values(as: String.self).map { Array($0.utf8) }, to: &texts)
    default:
      throw ArchiveError(
        .typeMismatch, found: "a property with values of kind '\(column.kind)' to sort by",
        expected: "a property with numbers up to 64 bits, dates, strings or cases of an enumeration")
    }
  }

  /// Returns the indices of values in sorted order, with nil last. Equal values keep their order.
  private static func sorted<Value>(_ values: [Value?], by areInOrder: (Value, Value) -> Bool) -> [Int] {
    values.indices.sorted { first, second in
      switch (values[first], values[second]) {
      case (let firstValue?, let secondValue?):
        areInOrder(firstValue, secondValue)
          || (!areInOrder(secondValue, firstValue) && first < second)
      case (.some, nil): true
      case (nil, .some): false
      case (nil, nil): first < second
      }
    }
  }
}
