/// Names of members as they are in a text, with quotes, escapes and colons: prepared once, to be written many
/// times by writers that are made alike.
package struct JSONNames: Sendable {
  /// The names one behind the other, eight bytes a word; what a name leaves of its last word does not count.
  private(set) var words: [UInt64] = []
  private let isPretty: Bool
  private let escaping: JSONEscaping

  /// One of the names.
  package struct Name: BitwiseCopyable, Sendable {
    /// The index of its first word.
    let first: Int32
    let byteCount: Int32
  }

  /// Prepares names for writers with these options.
  package init(isPretty: Bool, escaping: JSONEscaping) {
    self.isPretty = isPretty
    self.escaping = escaping
  }

  /// Prepares a name.
  package mutating func add(_ name: String) -> Name {
    var writer = JSONWriter(isPretty: isPretty, escaping: escaping)
    writer.append(key: name)
    let bytes = writer.bytes
    let first = words.count
    words.append(packing: bytes)
    // Two at least, which are written at once.
    if bytes.count <= 8 { words.append(0) }
    return Name(first: Int32(truncatingIfNeeded: first), byteCount: Int32(truncatingIfNeeded: bytes.count))
  }

  /// A name again, for errors.
  package func text(of name: Name) -> String {
    let bytes = (0..<Int(name.byteCount)).map { offset in
      UInt8(truncatingIfNeeded: words[Int(name.first) + offset / 8] >> UInt64(offset % 8 * 8))
    }
    return Self.text(ofNameIn: bytes)
  }

  /// The string that a text begins with, which has its quotes and escapes.
  static func text(ofNameIn bytes: [UInt8]) -> String {
    var end = 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return (try? JSONDocument(Array(bytes.prefix(end + 1))).root.string) ?? ""
  }
}
