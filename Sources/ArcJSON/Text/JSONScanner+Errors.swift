// Errors of a scanner, with descriptions of the text at its offset.

extension JSONScanner {
  /// Returns the error for a character that the grammar does not allow.
  @inline(never) func unexpected(_ expected: String) -> JSONError {
    if offset >= text.count {
      return JSONError(.unexpectedEnd, found: "the end of the text", expected: expected, at: offset, in: text)
    }
    return JSONError(.unexpectedCharacter, found: character, expected: expected, at: offset, in: text)
  }

  /// Returns the error for a control character, or the end of the text, in a string.
  @inline(never) func unexpectedInString(from start: Int) -> JSONError {
    if offset >= text.count {
      return JSONError(
        .unexpectedEnd, found: "the end of the text in a string that begins at byte \(start - 1)",
        expected: "a closing '\"'", at: text.count, in: text)
    }
    return JSONError(
      .invalidString, found: "\(character) in a string",
      expected: "an escape such as \\n or \\u000A",
      at: offset,
      in: text)
  }

  @inline(never) func invalidEscape(from start: Int) -> JSONError {
    if offset > text.count || offset == text.count && text.byte(at: start + 1) == UInt8(ascii: "u") {
      return JSONError(
        .unexpectedEnd, found: "the end of the text in an escape",
        expected: "a complete escape", at: text.count, in: text)
    }
    return JSONError(
      .invalidEscape, found: "the escape '\(words(start..<start + 6))'",
      expected: "an escape of JSON: \\\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u with four hexadecimal digits",
      at: start,
      in: text)
  }

  @inline(never) func halfPair(from start: Int) -> JSONError {
    JSONError(
      .invalidEscape, found: "half of a surrogate pair, '\(words(start..<start + 6))'",
      expected: "a high surrogate followed by a low surrogate", at: start, in: text)
  }

  @inline(never) func invalidNumber(from start: Int) -> JSONError {
    var end = start
    while end < text.count, Self.isOfNumber(text.byte(at: end)), end - start < 40 { end += 1 }
    if offset >= text.count, end > start, text.byte(at: end - 1) &- UInt8(ascii: "0") > 9 {
      return JSONError(
        .unexpectedEnd, found: "the end of the text after '\(words(start..<end))'", expected: "a digit",
        at: text.count, in: text)
    }
    if end == start { return unexpected("a value") }
    return JSONError(
      .invalidNumber, found: "the number '\(words(start..<end))'",
      expected: "a JSON number: no leading '+' or zeros, and digits before and after the point and after 'e'",
      at: start, in: text)
  }

  @inline(never) func invalidUTF8(at offset: Int) -> JSONError {
    let byte = String(text.byte(at: offset), radix: 16, uppercase: true)
    return JSONError(
      .invalidUTF8, found: "the byte 0x\(byte.count < 2 ? "0" : "")\(byte) in a string",
      expected: "valid UTF-8",
      at: offset, in: text)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// A description of the next character for errors. It is safe to print.
  private var character: String {
    let byte = byte
    if byte >= 0x80 { return "a character that is not ASCII" }
    if byte < 0x20 || byte == 0x7F { return "the control character \(byte)" }
    return "'\(String(Unicode.Scalar(byte)))'"
  }

  /// Returns a description of a range of the text for errors. It is safe to print.
  private func words(_ range: Range<Int>) -> String {
    String(
      String.UnicodeScalarView(
        text.bytes(range).map { $0 < 0x20 || $0 >= 0x7F ? "?" : Unicode.Scalar($0) }))
  }
}
