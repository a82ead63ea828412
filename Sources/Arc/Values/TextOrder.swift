/// The order of strings by the bytes of their UTF-8. Spec: 05-graph, rule F2.
enum TextOrder {
  /// The indices of strings in that order; those of equal strings in their own.
  static func indices(of texts: [String]) -> [Int] {
    let heads = texts.enumerated().map { (head: head(of: $1), index: $0) }
    return heads.sorted {
      // The first sixteen bytes decide most often, in one comparison.
      $0.head != $1.head
        ? $0.head < $1.head : texts[$0.index].utf8.lexicographicallyPrecedes(texts[$1.index].utf8)
    }.map(\.index)
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
