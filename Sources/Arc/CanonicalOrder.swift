/// The order in which the elements of a set or the entries of a dictionary are written: by what their keys are in the
/// file, so that it depends on nothing else. Spec: 05-graph, section 8.
enum CanonicalOrder {
  /// Whether so many keys are to be written in order.
  static func matters(_ count: Int, _ column: ColumnWriter) -> Bool {
    count > 1 && GraphEncoder.of(column).ordersKeys
  }

  /// The places of keys in order. O(n log n) comparisons of their bytes.
  static func places<Key: ArchivableValue>(of keys: [Key], _ column: ColumnWriter) throws -> [Int] {
    if Key.self == String.self, let texts = keys as? [String] { return places(of: texts) }
    return try GraphEncoder.of(column).comparableKeys(keys, column).sorted {
      $0.bytes.lexicographicallyPrecedes($1.bytes)
    }.map(\.place)
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
