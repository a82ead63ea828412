import ArcFormat

// Sorts the elements of a set and the entries of a dictionary by their encoded values. References to objects
// without a row are compared by the rank of the object. The order depends on nothing else. Spec: 05-graph,
// section 8.

extension CanonicalOrder {
  /// Appends keys in sorted order, with O(*n* log *n*) comparisons of their values. If `onlyCompares` is
  /// true, the column is used only for a comparison.
  func append<Key: ArchivableValue>(
    _ keys: [Key], to column: ColumnWriter, onlyCompares: Bool
  ) throws {
    // Strings are compared without a copy.
    if onlyCompares, Key.self != String.self {
      let copies = try encodedKeys(keys)
      for index in indices(of: copies) { copies[index].append(to: column) }
    } else {
      for index in try order(of: keys) { try keys[index].__write(to: column) }
    }
  }

  /// Appends entries in the order of their keys. `onlyCompares` is true if the columns are only compared with
  /// other columns, and are not written to a file.
  func append<Key: ArchivableValue, Value: ArchivableValue>(
    _ entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter,
    onlyCompares: Bool
  ) throws {
    if onlyCompares, Key.self != String.self {
      let copies = try encodedKeys(entries.map(\.key))
      let order = indices(of: copies)
      // If keys are equal, their values determine the order.
      if zip(order, order.dropFirst()).allSatisfy({ copies[$0].values != copies[$1].values }) {
        for index in order {
          copies[index].append(to: keyColumn)
          try write(entries[index].value, ofEntry: index, to: valueColumn)
        }
        return
      }
    }
    // Keys that are not equal to any key, such as NaN, are ordered by their values.
    let order = try order(of: entries.map(\.key)) { equal in
      try rankedValues(of: equal.map { entries[$0].value })
    }
    for index in order {
      try entries[index].key.__write(to: keyColumn)
      try write(entries[index].value, ofEntry: index, to: valueColumn)
    }
  }

  /// Appends the value of an entry. If the value is archived in a box, the box is found by the number of the
  /// entry, which does not depend on the order in which entries are written.
  private func write<Value: ArchivableValue>(
    _ value: Value, ofEntry index: Int, to column: ColumnWriter
  ) throws {
    let references = ObjectNumbering.of(column)
    let location = references.value.location
    references.value.location.enter(index)
    defer { references.value.location = location }
    try value.__write(to: column)
  }

  private func indices(of copies: [EncodedKey]) -> [Int] {
    copies.indices.sorted { copies[$0].values < copies[$1].values }
  }

  /// Returns the indices of keys in sorted order. Spec: 05-graph, rules F3 and F5.
  ///
  /// Some keys may be equal and refer to the same objects. `valuesOfEqual` gets the indices of these keys,
  /// and returns the values by which they are ordered.
  private func order<Key: ArchivableValue>(
    of keys: [Key], _ valuesOfEqual: ([Int]) throws -> [ComparableValues]? = { _ in nil }
  ) throws -> [Int] {
    if Key.self == String.self, let texts = keys as? [String] { return TextOrder.indices(of: texts) }
    let values = try comparableValues(of: keys)
    return try order(Array(keys.indices), by: values) { equal in
      // If there are no ranks, or references are already compared by ranks, nothing else distinguishes the
      // keys.
      guard numbers == nil, builder == nil, try mayRefer(Key.self) else {
        return try order(equal, by: valuesOfEqual(equal)) { $0 }
      }
      let ranked = try ranks().comparableValues(of: equal.map { keys[$0] })
      return try order(equal, by: ranked) { try order($0, by: valuesOfEqual($0)) { $0 } }
    }
  }

  /// Returns `numbers`, sorted by `values`: `values[i]` is the value of `numbers[i]`. `orderOfEqual` sorts
  /// the numbers whose values are equal. If `values` is nil, `numbers` is returned unchanged.
  private func order(
    _ numbers: [Int], by values: [ComparableValues]?, _ orderOfEqual: ([Int]) throws -> [Int]
  ) rethrows -> [Int] {
    guard let values else { return numbers }
    let order = numbers.indices.sorted { values[$0] < values[$1] }
    var sorted: [Int] = []
    sorted.reserveCapacity(order.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      let equal = order[start..<end].map { numbers[$0] }
      sorted += equal.count > 1 ? try orderOfEqual(equal) : equal
      start = end
    }
    return sorted
  }

  /// Returns the bytes by which values are ordered. References are compared by ranks.
  private func rankedValues<Value: ArchivableValue>(of values: [Value]) throws -> [ComparableValues] {
    guard numbers == nil, builder == nil, try mayRefer(Value.self) else {
      return try comparableValues(of: values)
    }
    return try ranks().comparableValues(of: values)
  }
}
