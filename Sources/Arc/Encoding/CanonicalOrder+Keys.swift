import ArcFormat

// How the elements of a set and the entries of a dictionary are sorted: by their encoded values, and objects
// without a row by their ranks, so that the order depends on nothing else. Spec: 05-graph, section 8.

extension CanonicalOrder {
  /// Appends keys in sorted order. O(n log n) comparisons of their values.
  func append<Key: ArchivableValue>(
    _ keys: [Key], to column: ColumnWriter, onlyCompares: Bool
  ) throws {
    // Strings are compared without a copy.
    if onlyCompares, Key.self != String.self {
      let copies = try encodedKeys(keys)
      for index in indices(of: copies) { copies[index].append(to: column) }
    } else {
      try forEachIndex(of: keys, column) { try keys[$0].__write(to: column) }
    }
  }

  /// Appends entries in the order of their keys.
  func append<Key: ArchivableValue, Value: ArchivableValue>(
    _ entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter,
    onlyCompares: Bool
  ) throws {
    if onlyCompares, Key.self != String.self {
      let copies = try encodedKeys(entries.map(\.key))
      let order = indices(of: copies)
      // What belongs to equal keys decides on their order.
      if zip(order, order.dropFirst()).allSatisfy({ copies[$0].values != copies[$1].values }) {
        for index in order {
          copies[index].append(to: keyColumn)
          try entries[index].value.__write(to: valueColumn)
        }
        return
      }
    }
    try forEachIndex(of: entries, keyColumn, valueColumn) { index in
      try entries[index].key.__write(to: keyColumn)
      try entries[index].value.__write(to: valueColumn)
    }
  }

  private func indices(of copies: [EncodedKey]) -> [Int] {
    copies.indices.sorted { copies[$0].values < copies[$1].values }
  }

  /// Calls `body` with the indices of keys in sorted order. Spec: 05-graph, rules F3 and F5.
  ///
  /// `orderOfEqual` gives the order of keys that are equal and refer to no objects, as positions in the list
  /// of indices that it gets.
  private func forEachIndex<Key: ArchivableValue>(
    of keys: [Key], _ column: ColumnWriter, _ body: (Int) throws -> Void,
    orderOfEqual: ([Int]) throws -> [Int] = { Array($0.indices) }
  ) throws {
    if Key.self == String.self, let texts = keys as? [String] { return try indices(of: texts).forEach(body) }
    let values = try comparableValues(of: keys)
    guard comparison != nil else {
      return try forEachIndex(inOrderOf: values, body) { equal in
        try ranks().order(equal.map { keys[$0] }) ?? orderOfEqual(equal)
      }
    }
    if column.isReference {
      // The position of an object in a set says no more than the object's rank.
      for index in keys.indices.sorted(by: { values[$0] < values[$1] }) {
        try atOnePosition { try body(index) }
      }
    } else {
      try forEachIndex(inOrderOf: values, body) { Array($0.indices) }
    }
  }

  /// Calls `body` with the indices of entries in the order of their keys.
  private func forEachIndex<Key: ArchivableValue, Value: ArchivableValue>(
    of entries: [(key: Key, value: Value)], _ keyColumn: ColumnWriter, _ valueColumn: ColumnWriter,
    _ body: (Int) throws -> Void
  ) throws {
    let keys = entries.map(\.key)
    guard comparison != nil else {
      return try forEachIndex(of: keys, keyColumn, body) { equal in
        // Keys that equal nothing, such as NaN, are ordered by what belongs to them.
        let own = try comparableValues(of: equal.map { entries[$0].value })
        return equal.indices.sorted { own[$0] < own[$1] }
      }
    }
    // When objects are compared, keys that nothing tells apart so far are ordered by their values.
    var values = try comparableValues(of: keys)
    for (index, value) in try comparableValues(of: entries.map(\.value)).enumerated() {
      values[index].append(value)
    }
    try forEachIndex(inOrderOf: values, body) { Array($0.indices) }
  }

  /// Calls `body` with the indices of values in ascending order. Spec: 05-graph, rule F3.
  ///
  /// `orderOfEqual` gives the order of keys with equal values, as positions in the list of indices that it
  /// gets.
  private func forEachIndex(
    inOrderOf values: [ComparableValues], _ body: (Int) throws -> Void,
    orderOfEqual: ([Int]) throws -> [Int]
  ) throws {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      let equal = Array(order[start..<end])
      if equal.count == 1 {
        try body(equal[0])
      } else if comparison != nil {
        comparison?.dependsOnRanks = true
        let first = comparison?.nextPosition ?? 0
        for index in equal {
          comparison?.nextPosition = first
          try body(index)
        }
        let length = (comparison?.nextPosition ?? 0) - first
        comparison?.nextPosition = first + length * equal.count
      } else {
        for position in try orderOfEqual(equal) { try body(equal[position]) }
      }
      start = end
    }
  }

  /// Has the references that `body` encodes take no position from those that follow: in a set, all share one.
  private func atOnePosition(_ body: () throws -> Void) rethrows {
    let position = comparison?.nextPosition ?? 0
    try body()
    comparison?.nextPosition = position
  }

  /// The indices of strings in the order of their bytes. Spec: 05-graph, rule F2.
  private func indices(of texts: [String]) -> [Int] {
    let heads = texts.enumerated().map { (head: head(of: $1), index: $0) }
    return heads.sorted {
      // The first sixteen bytes decide most often, in one comparison.
      $0.head != $1.head
        ? $0.head < $1.head : texts[$0.index].utf8.lexicographicallyPrecedes(texts[$1.index].utf8)
    }.map(\.index)
  }

  /// The first sixteen bytes, the first one highest; zeros where there are fewer.
  private func head(of text: String) -> UInt128 {
    var head: UInt128 = 0
    var shift: UInt128 = 128
    for byte in text.utf8.prefix(16) {
      shift &-= 8
      head |= UInt128(byte) &<< shift
    }
    return head
  }
}
