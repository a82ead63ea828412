import ArcFormat

/// The order in which the elements of a set or the entries of a dictionary are written: by what they are in the file, and
/// objects without a row by their ranks, so that it depends on nothing else. Spec: 05-graph, section 8.
enum CanonicalOrder {
  /// Whether so many keys are to be written in order.
  static func matters(_ count: Int, _ column: ColumnWriter) -> Bool {
    count > 1 && GraphEncoder.of(column).ordersKeys
  }

  /// Calls `body` with the places of keys in order. O(n log n) comparisons of their values.
  static func forEachPlace<Key: ArchivableValue>(
    of keys: [Key], _ column: ColumnWriter, _ body: (Int) throws -> Void
  ) throws {
    if Key.self == String.self, let texts = keys as? [String] { return try places(of: texts).forEach(body) }
    let graph = GraphEncoder.of(column)
    let values = try graph.comparableValues(of: keys, column)
    guard graph.comparison != nil else {
      return try forEachPlace(inOrderOf: values, graph, body) { try graph.ranks().order($0.map { keys[$0] }) }
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
  static func forEachPlace<Key: ArchivableValue, Value: ArchivableValue>(
    of entries: [(key: Key, value: Value)], _ keyColumn: ColumnWriter, _ valueColumn: ColumnWriter,
    _ body: (Int) throws -> Void
  ) throws {
    let graph = GraphEncoder.of(keyColumn)
    let keys = entries.map(\.key)
    guard graph.comparison != nil else { return try forEachPlace(of: keys, keyColumn, body) }
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
