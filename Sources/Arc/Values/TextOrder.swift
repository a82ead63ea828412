/// The order of strings by their UTF-8 bytes. Spec: 05-graph, rule F2.
enum TextOrder {
  /// Returns the indices of strings, in the order of the strings' UTF-8 bytes. Equal strings keep their
  /// order.
  static func indices(of texts: [String]) -> [Int] {
    let heads = texts.enumerated().map { (head: head(of: $1), index: $0) }
    return heads.sorted {
      // In most cases, the first sixteen bytes decide, in one comparison.
      $0.head != $1.head
        ? $0.head < $1.head : texts[$0.index].utf8.lexicographicallyPrecedes(texts[$1.index].utf8)
    }.map(\.index)
  }

  /// Returns the first sixteen bytes of a string as an integer. The first byte is the most significant. A
  /// shorter string is padded with zeros.
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
