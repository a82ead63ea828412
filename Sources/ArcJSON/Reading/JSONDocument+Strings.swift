// Access to the strings and byte offsets of an index.

extension JSONDocument {
  /// Returns the index of the first entry after a value and all its nested values.
  @inlinable @inline(__always) package func end(of index: Int) -> Int {
    words[index].isContainer ? words[index].offset : index + 1
  }

  /// Returns the string or key at an index. For a value that is not a string, returns the JSON text of the
  /// value.
  package func string(at index: Int) -> String {
    let word = words[index]
    return switch word.kind {
    case .asciiString, .string: text.string(word.range, isASCII: word.kind == .asciiString)
    case .escapedString: text.unescaped(word.range)
    default: String(decoding: text.bytes(word.range), as: UTF8.self)
    }
  }

  /// Returns whether the string or key at an index has the same bytes as another string.
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

  /// Calls `body` with the UTF-8 bytes of the string or key at an index. Returns the result of `body`.
  package func withUTF8<Result>(
    at index: Int, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    let word = words[index]
    guard word.kind == .escapedString else { return try text.withBytes(word.range, body) }
    return try body(text.unescapedBytes(word.range).span)
  }

  /// Returns the byte offset at which the value at an index begins.
  ///
  /// This is the offset of a string's quote, or of an array's or object's bracket.
  package func byteOffset(of index: Int) -> Int {
    let word = words[index]
    switch word.kind {
    case .array, .object: return words[index + 1].offset
    case .asciiString, .string, .escapedString: return word.offset - 1
    default: return word.offset
    }
  }
}
