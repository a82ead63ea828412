/// Member names that are prepared for writing. A writer copies them to its JSON text.
///
/// A prepared name is the quoted and escaped text, followed by a colon. The caller prepares each name once.
/// All writers with the options of this table can use the prepared name.
package struct JSONNames: Sendable {
  /// The prepared names one after another, in words of eight bytes. Each name begins at a new word, so the
  /// bytes after the end of a name are unused.
  private(set) var words: [UInt64] = []
  private let isPretty: Bool
  private let escaping: JSONEscaping

  /// A prepared name.
  package struct Name: BitwiseCopyable, Sendable {
    /// The index of the name's first word.
    let first: Int32
    let byteCount: Int32
  }

  /// Creates an empty table, for writers with the given options.
  package init(isPretty: Bool, escaping: JSONEscaping) {
    self.isPretty = isPretty
    self.escaping = escaping
  }

  /// Adds a name. Returns the prepared name.
  package mutating func add(_ name: String) -> Name {
    var writer = JSONWriter(isPretty: isPretty, escaping: escaping)
    writer.append(key: name)
    let bytes = writer.bytes
    let first = words.count
    words.append(packing: bytes)
    // A name has at least two words, because the buffer writes two words at once.
    if bytes.count <= 8 { words.append(0) }
    return Name(first: Int32(truncatingIfNeeded: first), byteCount: Int32(truncatingIfNeeded: bytes.count))
  }

  /// Returns the original text of a prepared name, for errors.
  package func text(of name: Name) -> String {
    let bytes = (0..<Int(name.byteCount)).map { offset in
      UInt8(truncatingIfNeeded: words[Int(name.first) + offset / 8] >> UInt64(offset % 8 * 8))
    }
    return Self.text(ofNameIn: bytes)
  }

  /// Returns the value of the JSON string with which a text begins. The first byte of the text must be a
  /// quote.
  static func text(ofNameIn bytes: [UInt8]) -> String {
    var end = 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    // The writer wrote these bytes, so they are valid JSON.
    return (try? JSONDocument(Array(bytes.prefix(end + 1))).root.string) ?? ""
  }
}
