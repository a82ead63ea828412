import ArcFormat

/// Splits an OpenStep property list into strings, data and punctuation. Skips comments.
struct OpenStepScanner {
  private let bytes: [UInt8]
  /// The byte offset of the next character.
  private(set) var offset = 0
  /// The text of all strings, and the bytes of all data, so far.
  private(set) var content: [UInt8] = []

  /// Creates a scanner of a file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next byte. Nil at the end of the file.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// A description of the next character, for error messages.
  var nextInWords: String {
    guard let next else { return "the end of the file" }
    return next < 0x80 ? "'\(printable(String(Unicode.Scalar(next))))'" : "a character beyond ASCII"
  }

  mutating func take() { offset += 1 }

  func malformed(_ found: String, _ expected: String, at offset: Int) -> ImportError {
    ImportError(.malformedPropertyList, found: found, expected: expected, byteOffset: offset)
  }

  /// Skips white space and comments.
  mutating func skipSpaces() throws(ImportError) {
    while let byte = next {
      if byte <= 0x20 {
        offset += 1
      } else if byte == UInt8(ascii: "/"), offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "/") {
        while let byte = next, byte != 0x0A, byte != 0x0D { offset += 1 }
      } else if byte == UInt8(ascii: "/"), offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(ImportError) {
    let start = offset
    offset += 2
    while offset + 1 < bytes.count {
      if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
        offset += 2
        return
      }
      offset += 1
    }
    throw malformed("a comment without an end", "'*/' at the end of a comment", at: start)
  }

  // MARK: Strings

  /// Reads a string, with or without quotes. Returns its range in `content`.
  mutating func string() throws(ImportError) -> Range<Int> {
    guard let first = next else { throw malformed("the end of the file", "a string", at: offset) }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quotedString(first) }
    let start = content.count
    while let byte = next, Self.isUnquoted(byte) {
      content.append(byte)
      offset += 1
    }
    guard content.count > start else {
      throw malformed(nextInWords, "a string, or a value such as ( … ) or { … }", at: offset)
    }
    return start..<content.count
  }

  private static func isUnquoted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_$/:.-+".utf8.contains(byte)
    }
  }

  private mutating func quotedString(_ quote: UInt8) throws(ImportError) -> Range<Int> {
    let (start, firstOffset) = (content.count, offset)
    offset += 1
    var high: UInt16?
    while let byte = next {
      offset += 1
      if byte != UInt8(ascii: "\\"), let unit = high {
        append(unit: unit)
        high = nil
      }
      switch byte {
      case quote: return start..<content.count
      case UInt8(ascii: "\\"): try escape(&high)
      default: content.append(byte)
      }
    }
    throw malformed("a string without an end", "a quotation mark at the end of the string", at: firstOffset)
  }

  /// Reads the characters after a backslash. `high` is the first half of a surrogate pair, if the previous
  /// escape was one.
  private mutating func escape(_ high: inout UInt16?) throws(ImportError) {
    let start = offset - 1
    guard let byte = next else {
      throw malformed("a backslash at the end", "an escape such as \\n", at: start)
    }
    offset += 1
    var unit: UInt16
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = UInt16(byte & 7)
      for _ in 0..<2 {
        guard let digit = next, UInt8(ascii: "0")...UInt8(ascii: "7") ~= digit else { break }
        code = code << 3 | UInt16(digit & 7)
        offset += 1
      }
      unit = code & 0xFF
      if unit >= 0x80 { unit = Self.nextStep[Int(unit) - 0x80] }
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      unit = 0
      var count = 0
      while count < 4, let digit = next.flatMap(Self.hexadecimalDigit) {
        unit = unit << 4 | UInt16(digit)
        offset += 1
        count += 1
      }
      guard count > 0 else {
        throw malformed("\\U without digits", "\\U and 4 hexadecimal digits", at: start)
      }
    case UInt8(ascii: "n"): unit = 0x0A
    case UInt8(ascii: "r"): unit = 0x0D
    case UInt8(ascii: "t"): unit = 0x09
    case UInt8(ascii: "a"): unit = 0x07
    case UInt8(ascii: "b"): unit = 0x08
    case UInt8(ascii: "f"): unit = 0x0C
    case UInt8(ascii: "v"): unit = 0x0B
    default:
      // Any other character represents itself, as a quotation mark does. It may have several bytes.
      if let unit = high { append(unit: unit) }
      high = nil
      content.append(byte)
      return
    }
    if let first = high {
      high = nil
      if unit & 0xFC00 == 0xDC00 {
        content += String(decoding: [first, unit], as: UTF16.self).utf8
        return
      }
      append(unit: first)
    }
    if unit & 0xFC00 == 0xD800 { high = unit } else { append(unit: unit) }
  }

  /// Appends a UTF-16 unit. Half of a surrogate pair becomes U+FFFD.
  private mutating func append(unit: UInt16) { content += String(decoding: [unit], as: UTF16.self).utf8 }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: Data and typed values

  /// Reads data in hexadecimal digits, `<0FBD 77>`, or a value with a type of GNUstep: `<*I5>`, `<*R2.5>`,
  /// `<*BY>`, `<*D2026-11-28 17:00:00 +0000>`.
  mutating func dataOrTypedValue() throws(ImportError) -> PropertyList.Node {
    let start = offset
    offset += 1
    if next == UInt8(ascii: "*") { return try typedValue(at: start) }
    let first = content.count
    var high: UInt8?
    while let byte = next {
      offset += 1
      if byte == UInt8(ascii: ">") {
        guard high == nil else { break }
        return .data(start: first, count: content.count - first)
      }
      if byte <= 0x20 { continue }
      guard let digit = Self.hexadecimalDigit(byte) else { break }
      if let upper = high { content.append(upper << 4 | digit) }
      high = high == nil ? digit : nil
    }
    throw malformed("data that is not hexadecimal", "pairs of hexadecimal digits in < and >", at: start)
  }

  private mutating func typedValue(at start: Int) throws(ImportError) -> PropertyList.Node {
    let end = bytes[offset...].prefix(64).firstIndex(of: UInt8(ascii: ">"))
    guard let end, end > offset + 1 else {
      throw malformed("a typed value without an end", "a value such as <*I5>", at: start)
    }
    let text = String(decoding: bytes[(offset + 2)..<end], as: UTF8.self)
    let kind = bytes[offset + 1]
    offset = end + 1
    switch kind {
    case UInt8(ascii: "I"): if let value = XMLScanner.integer(text) { return .integer(value) }
    case UInt8(ascii: "R"): if let value = XMLScanner.real(text) { return .real(value) }
    case UInt8(ascii: "B"): if text == "Y" || text == "N" { return .bool(text == "Y") }
    case UInt8(ascii: "D"):
      let parts = text.split(separator: " ")
      if parts.count == 3, parts[2].count == 5,
        let value = DateNotation.seconds("\(parts[0])T\(parts[1])\(parts[2].prefix(3)):\(parts[2].suffix(2))")
      {
        return .date(value)
      }
    default: break
    }
    throw malformed("'\(printable(text))' in a typed value", "a value such as <*I5>", at: start)
  }

  /// The UTF-16 units of the bytes from 0x80 in the encoding of NEXTSTEP.
  static let nextStep: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB,
    0x00CC, 0x00CD, 0x00CE, 0x00CF, 0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9,
    0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7, 0x00A9, 0x00A1, 0x00A2, 0x00A3,
    0x2044, 0x00A5, 0x0192, 0x00A7, 0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x00AE, 0x2013, 0x2020, 0x2021, 0x00B7, 0x00A6, 0x00B6, 0x2022, 0x201A, 0x201E, 0x201D, 0x00BB,
    0x2026, 0x2030, 0x00AC, 0x00BF, 0x00B9, 0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9,
    0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD, 0x02DB, 0x02C7, 0x2014, 0x00B1, 0x00BC, 0x00BD,
    0x00BE, 0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x00E4, 0x00E5, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1, 0x0141, 0x00D8, 0x0152, 0x00BA,
    0x00F2, 0x00F3, 0x00F4, 0x00F5, 0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB, 0x0131, 0x00FC, 0x00FD,
    0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF, 0xFFFD, 0xFFFD,
  ]
}
