import ArcFormat
import ArcRuntime

/// A condition of `where` on the values of one column or field, for the rows of one class.
struct RowCondition {
  /// The location of the values that are compared. Nil if the class has no such column; each row of the class
  /// then counts as a row with nil.
  let path: ColumnPath?
  private let test: Test?
  /// Whether a row matches if its value is nil or missing.
  private let matchesNil: Bool

  private enum Test {
    case bounds(ColumnBounds)
    case values(ColumnValueSet)
  }

  /// Creates a condition that is fulfilled by values within bounds. A nil value does not fulfil it.
  init(_ path: ColumnPath?, bounds: ColumnBounds?) {
    self.path = path
    test = bounds.map(Test.bounds)
    matchesNil = false
  }

  /// Creates a condition that is fulfilled by the values in a set.
  init(_ path: ColumnPath?, values: ColumnValueSet?, matchesNil: Bool) {
    self.path = path
    test = values.map(Test.values)
    self.matchesNil = matchesNil
  }

  /// A filter for the chunk directory. It excludes only rows that do not fulfil the condition.
  var filter: RowsFilter {
    if matchesNil { return .all([]) }
    switch test {
    case .bounds(let bounds): return .within(bounds)
    case .values(let values): return values.filter
    case nil: return .any([])
    }
  }

  /// Returns whether each row of a batch matches.
  ///
  /// - Complexity: O(*n*) in the number of values.
  func matches(_ batch: RowBatch) throws -> [Bool] {
    // Rows that were written before the column was added to the class have no value in the column.
    guard let path, let test, let column = try batch.column(at: path.position) else {
      return [Bool](repeating: matchesNil, count: batch.count)
    }
    let (field, presence) = try column.nested(path.fields)
    let found =
      switch test {
      case .bounds(let bounds): try bounds.contain(field)
      case .values(let values): try values.contain(field)
      }
    return ArchiveColumn.spread(found, over: presence, absent: matchesNil)
  }
}

/// The values of an `isIn` condition, in the form in which a column contains them.
///
/// Strings are equal if their UTF-8 bytes are equal. Cases of enumerations are compared by their names.
struct ColumnValueSet {
  private let values: Values
  private let containsNil: Bool
  /// A filter for the chunk directory. It excludes only rows whose values are not in the set.
  let filter: RowsFilter

  private enum Values {
    case integers(Set<Int128>)
    /// Floating-point numbers, or dates as seconds.
    case numbers(Set<Double>)
    case strings(Set<[UInt8]>)
    /// Indices in the cases of the enumeration.
    case cases(Set<Int>)
    case others(Set<ArchiveValue>)
  }

  /// Creates a set from the values of an `isIn` condition.
  ///
  /// - Throws: `typeMismatch` if a value has another kind than the column, or if the column contains
  ///   collections, structures or cases with associated values; `unknownCase` if the type has no such case.
  init(
    _ values: [ArchiveValue], at path: ColumnPath, inClass classIndex: Int, of file: ArchiveFile
  ) throws(ArchiveError) {
    let layout = file.layouts[classIndex]
    let node = layout.nodes[try file.node(of: path, inClass: classIndex)]
    containsNil = values.contains(.null)
    let values = values.filter { $0 != .null }
    func mismatch(_ value: ArchiveValue) -> ArchiveError {
      ArchiveError(
        .typeMismatch, found: "the value \(value) for a column of kind '\(node.kind)'",
        expected: "a column without collections and structures, and a value of the column's type",
        className: file.classes[classIndex].name, key: file.classes[classIndex].columns[path.position].key)
    }
    func all<Value: Hashable>(_ convert: (ArchiveValue) -> Value?) throws(ArchiveError) -> Set<Value> {
      var all: Set<Value> = []
      for value in values {
        guard let converted = convert(value) else { throw mismatch(value) }
        all.insert(converted)
      }
      return all
    }
    var isOrdered = true
    switch node.kind {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      self.values = .integers(try all(ColumnBounds.integer))
    case .float16, .float32, .float64: self.values = .numbers(try all(\.double))
    case .date: self.values = .numbers(try all(ColumnBounds.date))
    case .string: self.values = .strings(try all { $0.string.map { Array($0.utf8) } })
    case .enumeration:
      isOrdered = false
      var cases: Set<Int> = []
      for value in values {
        guard let name = Self.caseName(value) else { throw mismatch(value) }
        guard let index = node.labels.firstIndex(where: { $0.hasSameBytes(as: name) }) else {
          throw ArchiveError(
            .unknownCase, found: "no case '\(printableName(name))'",
            expected: "one of the cases \(ArchiveFile.listed(node.labels))",
            className: file.classes[classIndex].name, key: file.classes[classIndex].columns[path.position].key
          )
        }
        cases.insert(index)
      }
      self.values = .cases(cases)
    default:
      isOrdered = false
      var others = try all { Self.comparable($0, node.kind) }
      if containsNil, node.kind == .reference || node.kind == .weak { others.insert(.reference(nil)) }
      self.values = .others(others)
    }
    var filters: [RowsFilter] = []
    for value in isOrdered ? values : [] {
      filters.append(
        .within(try ColumnBounds(path, ofClass: classIndex, in: file, least: value, most: value)))
    }
    filter = isOrdered && !containsNil ? .any(filters) : .all([])
  }

  private static func caseName(_ value: ArchiveValue) -> String? {
    switch value {
    case .string(let name), .enumeration(_, let name, nil): name
    default: nil
    }
  }

  /// Converts a value to the form in which a column of a kind contains it. Nil if the column cannot contain
  /// the value.
  private static func comparable(_ value: ArchiveValue, _ kind: ColumnKind) -> ArchiveValue? {
    switch (kind, value) {
    case (.bool, .bool), (.data, .data), (.uuid, .uuid), (.decimal, .decimal), (.url, .url),
      (.reference, .reference), (.weak, .reference), (.int128, .integer), (.uint128, .unsigned):
      value
    case (.int128, .unsigned(let number)): Int128(exactly: number).map(ArchiveValue.integer)
    case (.uint128, .integer(let number)): UInt128(exactly: number).map(ArchiveValue.unsigned)
    default: nil
    }
  }

  /// Returns for each value of the column whether the set contains it.
  ///
  /// - Complexity: O(*n*) in the number of values.
  func contain(_ column: ArchiveColumn) throws -> [Bool] {
    if column.kind == .optional {
      return try ArchiveColumn.spread(
        contain(column.wrapped), over: column.presence(), absent: containsNil)
    }
    switch values {
    case .integers(let wanted):
      if case .unsigned? = ChunkRange.Order(column.kind) {
        return try column.values(as: UInt64.self).map { wanted.contains(Int128($0)) }
      }
      return try column.values(as: Int64.self).map { wanted.contains(Int128($0)) }
    case .numbers(let wanted): return try column.values(as: Double.self).map(wanted.contains)
    case .strings(let wanted): return try column.matches { wanted.contains(Array($0.utf8)) }
    case .cases(let wanted): return try column.cases().map(wanted.contains)
    case .others(let wanted): return try column.values().map(wanted.contains)
    }
  }
}

extension ArchiveColumn {
  /// Returns whether each string of the column passes a test. The test runs once for each string that the
  /// string table contains.
  func matches(_ test: (String) -> Bool) throws -> [Bool] {
    guard let numbers = stringNumbers() else { return try values(as: String.self).map(test) }
    var known: [Int: Bool] = [:]
    return try numbers.map { number in
      if let answer = known[number] { return answer }
      let answer = test(try string(number))
      known[number] = answer
      return answer
    }
  }
}
