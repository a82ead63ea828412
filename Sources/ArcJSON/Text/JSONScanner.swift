/// Reads the tokens of a JSON text one at a time, and validates each token.
@usableFromInline struct JSONScanner {
  @usableFromInline let text: JSONText
  /// The offset of the next byte.
  @usableFromInline var offset = 0

  init(_ text: JSONText, at offset: Int = 0) {
    self.text = text
    self.offset = offset
  }

  /// The next byte. 0 at the end of the text.
  @inline(__always) var byte: UInt8 { text.byte(at: offset) }

  // MARK: Space and words

  /// Skips the byte order mark at the start of a text. RFC 8259 allows parsers to ignore the mark.
  mutating func skipByteOrderMark() {
    if offset == 0, text.word(at: 0) & 0xFF_FFFF == 0xBF_BBEF { offset = 3 }
  }

  /// Moves to the next byte that is not white space.
  @inline(__always) mutating func skipSpace() { if byte <= 0x20 { offset = endOfSpace() } }

  @inline(never) private func endOfSpace() -> Int {
    var offset = offset
    while true {
      switch text.byte(at: offset) {
      case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
      case UInt8(ascii: "\n"):
        offset += 1
        // Indentation is skipped up to eight spaces at a time.
        var others: UInt64
        repeat {
          others = text.word(at: offset) ^ 0x2020_2020_2020_2020
          offset += others.trailingZeroBitCount >> 3
        } while others == 0
      default: return offset
      }
    }
  }

  /// Reads `null`, `true` or `false`.
  @inline(__always) mutating func literal() throws(JSONError) -> JSONWord.Kind {
    let word = text.word(at: offset)
    if word & 0xFFFF_FFFF == 0x6C6C_756E {
      offset += 4
      return .null
    }
    if word & 0xFFFF_FFFF == 0x6575_7274 {
      offset += 4
      return .true
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {
      offset += 5
      return .false
    }
    throw unexpected("a value")
  }

  // MARK: Strings

  /// Reads a string. When the method is called, the scanner must be after the opening quote. When it returns,
  /// the scanner is after the closing quote.
  ///
  /// - Returns: the kind of the string.
  @inline(__always) mutating func string() throws(JSONError) -> JSONWord.Kind {
    let start = offset
    var high: UInt64 = 0
    var hasEscapes = false
    while true {
      let word = text.word(at: offset)
      let stops = Self.stops(word)
      if stops == 0 {
        high |= word
        offset += 8
        continue
      }
      let count = stops.trailingZeroBitCount / 8
      high |= word & ((1 << UInt64(count * 8)) &- 1)
      offset += count
      let byte = byte
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else { throw unexpectedInString(from: start) }
      hasEscapes = true
      offset = try endOfEscape()
    }
    let end = offset
    offset = end + 1
    if high & 0x8080_8080_8080_8080 == 0 { return hasEscapes ? .escapedString : .asciiString }
    try checkUTF8(start..<end)
    return hasEscapes ? .escapedString : .string
  }

  /// Returns a word that marks the quotes, backslashes and control characters among eight bytes: in the
  /// result, the highest bit of each of these bytes is set. The result is reliable only up to the first
  /// marked byte.
  @inline(__always) private static func stops(_ word: UInt64) -> UInt64 {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let ones: UInt64 = 0x0101_0101_0101_0101
    return
      (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
  }

  /// Returns the offset after an escape. If two escapes form a surrogate pair, returns the offset after the
  /// second escape.
  @inline(never) private func endOfEscape() throws(JSONError) -> Int {
    var scanner = self
    scanner.offset += 2
    switch text.byte(at: offset + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      break
    case UInt8(ascii: "u"): _ = try scanner.scalarOfEscape()
    default: throw scanner.invalidEscape(from: offset)
    }
    return scanner.offset
  }

  /// Reads the scalar of an escape. The scanner must be after `\u`.
  mutating func scalarOfEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 2
    guard let unit = hexadecimal() else { throw invalidEscape(from: start) }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, byte == UInt8(ascii: "\\"), text.byte(at: offset + 1) == UInt8(ascii: "u") else {
      throw halfPair(from: start)
    }
    offset += 2
    guard let low = hexadecimal(), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw halfPair(from: start) }
    return scalar
  }

  /// Reads four hexadecimal digits. Nil if the next four characters are not hexadecimal digits.
  private mutating func hexadecimal() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  // MARK: Numbers

  /// Reads a number.
  ///
  /// - Returns: `integer` if the number has no fraction and no exponent; otherwise `fraction`.
  @inline(__always) mutating func number() throws(JSONError) -> JSONWord.Kind {
    let start = offset
    if byte == UInt8(ascii: "-") { offset += 1 }
    let first = byte
    let digits = offset
    skipDigits()
    guard offset > digits, first != UInt8(ascii: "0") || offset == digits + 1 else {
      throw invalidNumber(from: start)
    }
    let next = byte
    guard next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") else { return .integer }
    if next == UInt8(ascii: ".") {
      offset += 1
      let fraction = offset
      while DecimalDigits.areEight(text.word(at: offset)) { offset += 8 }
      skipDigits()
      guard offset > fraction else { throw invalidNumber(from: start) }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      let exponent = offset
      skipDigits()
      guard offset > exponent else { throw invalidNumber(from: start) }
    }
    return .fraction
  }

  @inline(__always) private mutating func skipDigits() {
    while byte &- UInt8(ascii: "0") < 10 { offset += 1 }
  }
}
