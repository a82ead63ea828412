import ArcFormat

// Shared code for collections that hash their elements, also for collections of other modules.

extension ColumnWriter {
  /// Appends the distinct elements of a set, in canonical order if the archiver is canonical.
  ///
  /// - Throws: the errors of `checkDistinct`.
  @inline(__always)
  package func append<Element: Hashable & ArchivableValue>(set: some Collection<Element>) throws {
    try checkDistinct(set)
    append(UInt64(set.count))
    let elements = child(0)
    if set.count > 1, let order = sink.keyOrder {
      try order.write(inOrder: Array(set), to: elements)
    } else {
      for element in set { try element.__write(to: elements) }
    }
    try sink.checkReplaced(set, of: self)
  }

  /// Appends the entries of a dictionary, in canonical order if the archiver is canonical.
  ///
  /// - Throws: the errors of `checkDistinct`.
  @inline(__always)
  package func append<Key: Hashable & ArchivableValue, Value: ArchivableValue>(
    dictionary: some Collection<(key: Key, value: Value)>, keys: some Collection<Key>
  ) throws {
    try checkDistinct(keys)
    append(UInt64(dictionary.count))
    let (keyColumn, valueColumn) = (child(0), child(1))
    if dictionary.count > 1, let order = sink.keyOrder {
      try order.write(inOrder: Array(dictionary), to: keyColumn, valueColumn)
    } else {
      for (key, value) in dictionary {
        try key.__write(to: keyColumn)
        try value.__write(to: valueColumn)
      }
    }
    try sink.checkReplaced(keys, of: self)
  }

  /// Checks that keys will be distinct when they are read. Spec: 05-graph, rule W8.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` if keys will be equal, or `notArchivable` for a column
  ///   of an `ArchiveBuilder`, because the column does not belong to a graph.
  package func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>) throws {
    guard context != nil else {
      throw ArchiveError(
        .notArchivable,
        found: "a set or dictionary in an ArchiveBuilder, which cannot check that the keys are distinct",
        expected: "an array", remedy: "pass an array of the elements to the ArchiveBuilder")
    }
    try sink.checkDistinct(keys, of: self)
  }
}

extension ColumnReader {
  /// Whether keys that are distinct in the file may be equal now, because a migration merged objects or
  /// because parts of keys were omitted.
  var mayHaveRepeatedKeys: Bool { omitsNilReferences || mayHaveEqualKeys }

  /// Whether the equal keys `known` and `key` are accepted. True if they may be equal only because a
  /// migration merged objects, or because parts of keys were omitted. The collection then keeps `known`. If
  /// the result is false, the caller throws an error.
  func isRepeatedKey<Key>(_ known: Key, _ key: Key) -> Bool {
    mayHaveEqualKeys || isMergedKey(known, key)
  }

  /// Whether two keys are identical objects, because a migration merged two objects.
  func isMergedKey<Key>(_ known: Key, _ key: Key) -> Bool {
    omitsNilReferences && Key.self is AnyClass && known as AnyObject === key as AnyObject
  }

  /// Checks that two keys that a migration merged into one object have equal values in the dictionary, so
  /// that no value is lost.
  ///
  /// - Throws: `ArchiveError` with code `duplicateKey` if the values differ or cannot be compared.
  func checkMerged<Value>(_ known: Value, _ value: Value) throws(ArchiveError) {
    func isEqual<Known: Equatable>(_ known: Known) -> Bool { known == value as? Known }
    let areEqual =
      Value.self is AnyClass
      ? known as AnyObject === value as AnyObject : (known as? any Equatable).map { isEqual($0) } ?? false
    guard !areEqual else { return }
    throw error(
      .duplicateKey, found: "two keys that replaceObject(_:with:) made equal, with different values",
      expected: "distinct keys, or equal values for the two keys",
      remedy: "change the dictionary in migrate(_:from:) of the class that declares it")
  }

  /// Checks that keys that were just read are distinct. When all objects are linked, also checks that the
  /// hash values of the keys have not changed.
  ///
  /// - Parameters:
  ///   - keys: the keys in the collection.
  ///   - count: the number of keys that were read.
  ///   - column: the column from which the keys were read. `self` is the column of the collection.
  /// - Throws: `ArchiveError` with code `duplicateKey`. Spec: 05-graph, rules G9 and G10.
  package func checkDistinct(
    _ keys: some Collection<some Hashable>, count: Int, from column: ColumnReader
  ) throws {
    var digest = KeyDigest(self, keys: column)
    for key in keys { digest.add(key) }
    try digest.check(keys, count: column.mayHaveEqualKeys ? keys.count : count)
  }

  /// Schedules a check of a collection, which runs when all objects are linked. Does nothing if the elements
  /// refer to no objects. `isConsistent` returns whether the collection still finds its elements.
  package func checkWhenLinked(elements: ColumnReader, _ isConsistent: @escaping () -> Bool) {
    if elements.containsReferences { source.checkLater(self, isConsistent) }
  }
}

/// Checks that the keys of a set or dictionary are distinct, and that their hash values do not change after
/// they were added.
///
/// If a key is an object or contains an object, its hash value may depend on properties that are set after
/// the key was added. The check compares the sum of all hash values. Looking up the keys would not suffice,
/// because a key can be found by chance in a small table. Spec: 05-graph, rules G9 and G10.
struct KeyDigest {
  private let column: ColumnReader
  private let hashesReferences: Bool
  private var sum = 0
  /// The pairs of keys that were equal, so that the second key was not added to the collection. For each
  /// pair, a closure that compares the two keys again. The closures are called when all objects are linked.
  private var comparisons: [() -> Bool] = []

  /// Creates a digest from the column of a set or dictionary and the column of its keys.
  init(_ column: ColumnReader, keys: ColumnReader) {
    self.column = column
    hashesReferences = keys.containsReferences
  }

  /// Adds the hash value of a key. Called when the key is added to the collection.
  mutating func add(_ key: some Hashable) {
    if hashesReferences { sum &+= key.hashValue }
  }

  /// Records a key that is not added to the collection, because it is equal to a key of the collection.
  mutating func addEqual<Key: Hashable>(_ known: Key, _ key: Key) {
    if hashesReferences { comparisons.append { known == key } }
  }

  /// Throws `duplicateKey` if two keys are equal. Keys that refer to objects are checked when all objects are
  /// linked.
  func check(_ keys: some Collection<some Hashable>, count: Int) throws {
    let isComplete = keys.count == count
    if hashesReferences {
      column.source.checkLater(column) { [sum, comparisons] in
        isComplete && keys.reduce(0) { $0 &+ $1.hashValue } == sum && comparisons.allSatisfy { $0() }
      }
    } else if !isComplete {
      throw column.error(
        .duplicateKey, found: "two equal keys or elements", expected: "distinct keys or elements")
    }
  }
}
