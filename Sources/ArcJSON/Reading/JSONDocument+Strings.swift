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
    case .escapedString: unescaped(word.range)
    default: String(decoding: text.bytes(word.range), as: UTF8.self)
    }
  }

  /// Whether the string or key of an entry has the bytes of another one.
  package func isString(at index: Int, _ other: String) -> Bool {
    let word = words[index]
    if word.kind == .escapedString { return JSONName(unescaped(word.range)) == JSONName(other) }
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
    return try body(unescapedBytes(word.range).span)
  }

  /// The string of a part of the text that has escapes and was checked.
  private func unescaped(_ range: Range<Int>) -> String {
    String(decoding: unescapedBytes(range), as: UTF8.self)
  }

  private func unescapedBytes(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var scanner = JSONScanner(text, at: range.lowerBound)
    while scanner.offset < range.upperBound {
      let byte = scanner.byte
      scanner.offset += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let kind = scanner.byte
      scanner.offset += 1
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        // Checked when the index was made.
        if let scalar = try? scanner.scalarOfEscape() { result += Array(String(scalar).utf8) }
      default: result.append(kind)
      }
    }
    return result
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
