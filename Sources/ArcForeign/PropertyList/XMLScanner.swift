import ArcFormat

/// Splits an XML text into tags and text. Resolves entities, and skips comments and instructions.
struct XMLScanner {
  private let bytes: [UInt8]
  /// The byte offset of the next tag or text.
  private(set) var offset = 0
  /// The text of all elements so far. `decodeBase64` replaces text with data.
  private(set) var content: [UInt8] = []

  /// A tag.
  struct Tag {
    let name: String
    let offset: Int
    /// Whether the tag is `</name>`.
    let isEnd: Bool
    /// Whether the tag is `<name/>`.
    let isEmpty: Bool
    /// The name by which other tags refer to the element. Nil if there is none.
    var id: String?
    /// The identifier of an earlier element that has the value of this element, too. Nil if this element has
    /// its own value.
    var reference: String?
  }

  /// Creates a scanner of bytes, which must be valid UTF-8.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  var isAtEnd: Bool { offset >= bytes.count }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  func malformed(_ found: String, _ expected: String?, at offset: Int) -> ImportError {
    ImportError(.malformedPropertyList, found: found, expected: expected, byteOffset: offset)
  }

  private func begins(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.count - offset else { return false }
    return bytes[offset..<offset + count].elementsEqual(text.description.utf8)
  }

  private mutating func skipSpaces() {
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
  }

  /// Skips the text up to the end of `mark`. `what` names the skipped part in errors.
  private mutating func skip(past mark: StaticString, _ what: String) throws(ImportError) {
    let start = offset
    while offset < bytes.count {
      if begins(with: mark) {
        offset += mark.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw malformed("\(what) without an end", "the end of \(what)", at: start)
  }

  /// Skips white space, comments and instructions.
  mutating func skipMisc() throws(ImportError) {
    while true {
      skipSpaces()
      if begins(with: "<!--") {
        offset += 4
        try skip(past: "-->", "a comment")
      } else if begins(with: "<?") {
        try skip(past: "?>", "an instruction")
      } else {
        return
      }
    }
  }

  /// Skips everything before the first element.
  ///
  /// Throws if the document type contains declarations. Property lists need no declarations, but attacks use
  /// them.
  mutating func skipProlog() throws(ImportError) {
    skipSpaces()
    if begins(with: "<?xml") {
      let start = offset
      try skip(past: "?>", "an XML declaration")
      let declaration = String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()
      if declaration.contains("encoding"), !declaration.contains("utf-8"), !declaration.contains("ascii") {
        throw ImportError(
          .malformedText, found: "the XML declaration '\(printable(declaration.cut(toScalars: 80).start))'",
          expected: "the encoding UTF-8", remedy: "convert the file with `plutil -convert binary1`",
          byteOffset: start)
      }
    }
    try skipMisc()
    guard begins(with: "<!DOCTYPE") else { return }
    let start = offset
    var quote: UInt8?
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw malformed("a document type with declarations", "the document type of property lists", at: start)
      } else if byte == UInt8(ascii: ">") {
        return try skipMisc()
      }
    }
    throw malformed("a document type without an end", "'>' at the end of the document type", at: start)
  }

  /// Reads the tag at `offset`. Attributes of `<plist>` are skipped. Other tags may have the attributes that
  /// IOKit writes: `ID`, `IDREF`, and `size`, which is skipped.
  mutating func tag() throws(ImportError) -> Tag {
    let start = offset
    guard offset < bytes.count else { throw malformed("the end of the file", "a tag", at: start) }
    guard bytes[offset] == UInt8(ascii: "<") else {
      throw malformed("text outside of a tag", "a tag", at: start)
    }
    offset += 1
    let isEnd = offset < bytes.count && bytes[offset] == UInt8(ascii: "/")
    if isEnd { offset += 1 }
    let nameStart = offset
    while offset < bytes.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[offset],
      offset - nameStart < 16
    {
      offset += 1
    }
    let name = String(decoding: bytes[nameStart..<offset], as: UTF8.self)
    skipSpaces()
    if name == "plist", !isEnd {
      while offset < bytes.count, bytes[offset] != UInt8(ascii: ">"), bytes[offset] != UInt8(ascii: "<"),
        !begins(with: "/>")
      {
        offset += 1
      }
    }
    var (id, reference): (String?, String?)
    if name != "plist", !isEnd {
      while let (attribute, value) = attribute() {
        switch attribute {
        case "ID": id = value
        case "IDREF": reference = value
        case "size": break
        default:
          throw malformed(
            "the attribute '\(printable(attribute))' of <\(name)>", "no attribute except ID and IDREF",
            at: start)
        }
      }
    }
    let isEmpty = !isEnd && offset < bytes.count && bytes[offset] == UInt8(ascii: "/")
    if isEmpty { offset += 1 }
    guard !name.isEmpty, offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else {
      throw malformed("a tag that is not in property lists", "a tag such as <dict>", at: start)
    }
    offset += 1
    return Tag(name: name, offset: start, isEnd: isEnd, isEmpty: isEmpty, id: id, reference: reference)
  }

  /// Reads an attribute, such as `ID="1"`, and the white space after it. Nil if none follows.
  private mutating func attribute() -> (name: String, value: String)? {
    // No attribute of a property list is as long.
    let rest = bytes[offset...].prefix(64)
    guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), equals + 1 < rest.endIndex,
      rest[..<equals].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }), equals > offset
    else { return nil }
    let quote = rest[equals + 1]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = rest[(equals + 2)...].firstIndex(of: quote)
    else { return nil }
    let name = String(decoding: rest[..<equals], as: UTF8.self)
    let value = String(decoding: rest[(equals + 2)..<end], as: UTF8.self)
    offset = end + 1
    skipSpaces()
    return (name, value)
  }

  /// Appends the text up to an end tag to `content`. Returns the range of the text in `content`.
  mutating func text(until name: String) throws(ImportError) -> Range<Int> {
    let start = content.count
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "&") {
        try entity()
      } else if byte != UInt8(ascii: "<") {
        content.append(byte)
        offset += 1
      } else if begins(with: "<![CDATA[") {
        offset += 9
        let first = offset
        try skip(past: "]]>", "a CDATA section")
        content += bytes[first..<offset - 3]
      } else if begins(with: "<!--") {
        offset += 4
        try skip(past: "-->", "a comment")
      } else {
        let end = try tag()
        guard end.isEnd, end.name == name else {
          throw malformed(
            "the tag <\(end.isEnd ? "/" : "")\(end.name)>", "the tag </\(name)>", at: end.offset)
        }
        return start..<content.count
      }
    }
    throw malformed("the end of the file", "the tag </\(name)>", at: offset)
  }

  /// Appends the character that an entity represents.
  private mutating func entity() throws(ImportError) {
    let start = offset
    guard let end = bytes[offset...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw malformed("'&' without an entity", "'&amp;'", at: start)
    }
    let name = String(decoding: bytes[offset + 1..<end], as: UTF8.self)
    let named: [String: String] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    var text = named[name]
    if name.hasPrefix("#x") {
      text = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map(String.init)
    }
    if text == nil, name.hasPrefix("#") {
      text = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init).map(String.init)
    }
    guard let text else {
      throw malformed(
        "the entity '&\(printable(name));'", "&lt;, &gt;, &amp;, &quot;, &apos; or the number of a character",
        at: start)
    }
    content += text.utf8
    offset = end + 1
  }

  /// Removes text from the end of `content` after it was converted.
  mutating func removeContent(_ range: Range<Int>) { content.removeSubrange(range.lowerBound...) }

  /// Replaces base64 text at the end of `content` with the decoded bytes. Ignores white space.
  ///
  /// Returns the number of bytes.
  mutating func decodeBase64(_ range: Range<Int>, at offset: Int) throws(ImportError) -> Int {
    var (bits, bitCount, paddingCount, digitCount): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
    var end = range.lowerBound
    for index in range {
      let byte = content[index]
      if Self.isSpace(byte) { continue }
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let digit = Self.base64Digit(byte) else {
        throw malformed("data that is not base64", "data in base64", at: offset)
      }
      digitCount += 1
      bits = bits << 6 | UInt32(digit)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        // Writing never overtakes reading, because four digits become three bytes.
        content[end] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
        end += 1
      }
    }
    guard paddingCount <= 2, (digitCount + paddingCount) % 4 == 0 else {
      throw malformed("data that is not base64", "groups of four base64 digits", at: offset)
    }
    content.removeSubrange(end...)
    return end - range.lowerBound
  }

  private static func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

// Numbers in the notation of property lists.

extension XMLScanner {
  /// Returns a text without the white space around it.
  static func trimmed(_ text: String) -> Substring {
    var rest = text.utf8[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return Substring(rest)
  }

  /// Returns an integer of at most 128 bits, in decimal notation or with the prefix `0x`. Nil for other
  /// text.
  static func integer(_ text: String) -> Int128? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else { return nil }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    guard number.utf8.count <= 40, number.utf8.first != UInt8(ascii: "-"),
      number.utf8.first != UInt8(ascii: "+")
    else { return nil }
    return Int128((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10)
  }

  /// Returns the number of seconds from 2001-01-01 to a date. The year may be negative, and may have more or
  /// fewer than four digits. Nil if the text is not a date.
  static func date(_ text: String) -> Double? {
    if let seconds = DateNotation.seconds(text) { return seconds }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let parts = digits.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count - digits.count <= 1, parts.count == 3, 1...9 ~= parts[0].count,
      let number = String(parts[0]).flatMap({ Int($0) }), let rest = String(parts[2]),
      let month = String(parts[1]).flatMap({ Int($0) }), parts[1].count == 2, rest.utf8.count == 12,
      let day = Int(rest.prefix(2)),
      // A date of the year 2000 has the same time of day.
      let time = DateNotation.seconds("2000-01-01" + rest.dropFirst(2)),
      let first = DateNotation.seconds("2000-01-01T00:00:00Z"),
      let date = CivilDate(year: text.hasPrefix("-") ? -number : number, month: month, day: day)
    else { return nil }
    return Double(date.daysSince2001) * 86_400 + time - first
  }

  /// Returns a real, which may be infinite or NaN. Nil for other text.
  static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    guard !text.isEmpty, text.utf8.count <= 400,
      text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) })
    else { return nil }
    return Double(text)
  }
}
