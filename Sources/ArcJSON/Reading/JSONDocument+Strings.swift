// The entries of an index, as values of Swift.

extension JSONDocument {
  /// The index of the entry behind a value and all that is in it.
  @inlinable @inline(__always) package func end(of index: Int) -> Int {
    words[index].isContainer ? words[index].offset : index + 1
  }

  /// The string or key of an entry, and of any other entry its text.
  package func string(at index: Int) -> String {
    let word = words[index]
    return switch word.kind {
    case .asciiString, .string: text.string(word.range, isASCII: word.kind == .asciiString)
    case .escapedString: text.unescaped(word.range)
    default: String(decoding: text.bytes(word.range), as: UTF8.self)
    }
  }

  /// Whether the string or key of an entry has the bytes of another one.
  package func isString(at index: Int, _ other: String) -> Bool {
    let word = words[index]
    if word.kind == .escapedString { return JSONName(text.unescaped(word.range)) == JSONName(other) }
    guard word.length == other.utf8.count else { return false }
    var offset = word.offset
    for byte in other.utf8 {
      if text.byte(at: offset) != byte { return false }
      offset += 1
    }
    return true
  }

  /// Calls `body` with the UTF-8 of a string or key.
  package func withUTF8<Result>(
    at index: Int, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    let word = words[index]
    guard word.kind == .escapedString else { return try text.withBytes(word.range, body) }
    return try body(text.unescapedBytes(word.range).span)
  }

  /// The bytes of the text where an entry's value begins: a string's quote, an array's or object's bracket.
  package func byteOffset(of index: Int) -> Int {
    let word = words[index]
    switch word.kind {
    case .array, .object: return words[index + 1].offset
    case .asciiString, .string, .escapedString: return word.offset - 1
    default: return word.offset
    }
  }
}
