import ArcFormat

/// The order in which the elements of a set or the entries of a dictionary are written: by what they are in the file, and
/// objects without a row by their ranks, so that it depends on nothing else. Spec: 05-graph, section 8.
enum CanonicalOrder {
  /// Whether so many keys are to be written in order.
  static func matters(_ count: Int, _ column: ColumnWriter) -> Bool {
    count > 1 && GraphEncoder.of(column).ordersKeys
  }

  /// Appends keys in order. O(n log n) comparisons of their values.
  static func append<Key: ArchivableValue>(_ keys: [Key], to column: ColumnWriter) throws {
    let graph = GraphEncoder.of(column)
    // Texts are compared as they are.
    if graph.onlyCompares, Key.self != String.self {
      let copies = try graph.copies(of: keys, column)
      for place in places(of: copies) { copies[place].append(to: column) }
    } else {
      try forEachPlace(of: keys, column) { try keys[$0].__write(to: column) }
    }
  }

  /// Appends entries in the order of their keys.
  static func append<Key: ArchivableValue, Value: ArchivableValue>(
    _ entries: [(key: Key, value: Value)], to keyColumn: ColumnWriter, _ valueColumn: ColumnWriter
  ) throws {
    let graph = GraphEncoder.of(keyColumn)
    if graph.onlyCompares, Key.self != String.self {
      let copies = try graph.copies(of: entries.map(\.key), keyColumn)
      let places = places(of: copies)
      // What belongs to keys that are the same decides on their order.
      if zip(places, places.dropFirst()).allSatisfy({ copies[$0].values != copies[$1].values }) {
        for place in places {
          copies[place].append(to: keyColumn)
          try entries[place].value.__write(to: valueColumn)
        }
        return
      }
    }
    try forEachPlace(of: entries, keyColumn, valueColumn) { place in
      try entries[place].key.__write(to: keyColumn)
      try entries[place].value.__write(to: valueColumn)
    }
  }

  private static func places(of copies: [EncodedKey]) -> [Int] {
    copies.indices.sorted { copies[$0].values < copies[$1].values }
  }

  /// Calls `body` with the places of keys in order.
  ///
  /// `order` gives the order of keys that are the same and refer to no objects: positions in the list of places that it
  /// gets.
  private static func forEachPlace<Key: ArchivableValue>(
    of keys: [Key], _ column: ColumnWriter, _ body: (Int) throws -> Void,
    order: ([Int]) throws -> [Int] = { Array($0.indices) }
  ) throws {
    if Key.self == String.self, let texts = keys as? [String] { return try places(of: texts).forEach(body) }
    let graph = GraphEncoder.of(column)
    let values = try graph.comparableValues(of: keys, column)
    guard graph.comparison != nil else {
      return try forEachPlace(inOrderOf: values, graph, body) { equal in
        try graph.ranks().order(equal.map { keys[$0] }) ?? order(equal)
      }
    }
    if column.isReference {
      // Where a set names an object says no more than the object's rank.
      for place in keys.indices.sorted(by: { values[$0] < values[$1] }) {
        try graph.inOnePlace { try body(place) }
      }
    } else {
      try forEachPlace(inOrderOf: values, graph, body) { Array($0.indices) }
    }
  }

  /// Calls `body` with the places of entries in the order of their keys.
  private static func forEachPlace<Key: ArchivableValue, Value: ArchivableValue>(
    of entries: [(key: Key, value: Value)], _ keyColumn: ColumnWriter, _ valueColumn: ColumnWriter,
    _ body: (Int) throws -> Void
  ) throws {
    let graph = GraphEncoder.of(keyColumn)
    let keys = entries.map(\.key)
    guard graph.comparison != nil else {
      return try forEachPlace(of: keys, keyColumn, body) { equal in
        // Keys that equal nothing, as NaN: what belongs to them orders them.
        let own = try graph.comparableValues(of: equal.map { entries[$0].value }, valueColumn)
        return equal.indices.sorted { own[$0] < own[$1] }
      }
    }
    // To compare objects, keys that nothing tells apart so far are ordered by their values.
    var values = try graph.comparableValues(of: keys, keyColumn)
    for (place, value) in try graph.comparableValues(of: entries.map(\.value), valueColumn).enumerated() {
      values[place].append(value)
    }
    try forEachPlace(inOrderOf: values, graph, body) { Array($0.indices) }
  }

  /// `order` gives the order of keys whose values are the same: of positions in the list of places that it gets.
  private static func forEachPlace(
    inOrderOf values: [ComparableValues], _ graph: GraphEncoder, _ body: (Int) throws -> Void,
    order: ([Int]) throws -> [Int]
  ) throws {
    let places = values.indices.sorted { values[$0] < values[$1] }
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, values[places[end]] == values[places[start]] { end += 1 }
      let equal = Array(places[start..<end])
      if equal.count == 1 {
        try body(equal[0])
      } else if graph.comparison != nil {
        graph.comparison?.dependsOnRanks = true
        let first = graph.comparison?.nextPlace ?? 0
        for place in equal {
          graph.comparison?.nextPlace = first
          try body(place)
        }
        let length = (graph.comparison?.nextPlace ?? 0) - first
        graph.comparison?.nextPlace = first + length * equal.count
      } else {
        for position in try order(equal) { try body(equal[position]) }
      }
      start = end
    }
  }

  /// The order of the strings' bytes.
  private static func places(of texts: [String]) -> [Int] {
    let heads = texts.enumerated().map { (head: head(of: $1), place: $0) }
    return heads.sorted {
      // The first sixteen bytes decide most often, in one comparison.
      $0.head != $1.head
        ? $0.head < $1.head : texts[$0.place].utf8.lexicographicallyPrecedes(texts[$1.place].utf8)
    }.map(\.place)
  }

  /// The first sixteen bytes, the first one highest; zeros where there are fewer.
  private static func head(of text: String) -> UInt128 {
    var head: UInt128 = 0
    var shift: UInt128 = 128
    for byte in text.utf8.prefix(16) {
      shift &-= 8
      head |= UInt128(byte) &<< shift
    }
    return head
  }
}
