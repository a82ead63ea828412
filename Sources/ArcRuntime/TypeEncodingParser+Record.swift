extension TypeEncodingParser {
  /// Reads the name and the fields of a record, and its closer.
  mutating func record(
    closer: UInt8, openedAt opener: Int, requiresNames: Bool = false
  ) throws(TypeEncodingError) -> (name: String, fields: [TypeEncoding.Field]?) {
    let name = try recordName(closer: closer, openedAt: opener)
    guard next == UInt8(ascii: "=") else {
      index += 1  // the closer: a name ends nowhere else
      return (name, nil)
    }
    index += 1
    let namedRecordCloser = next == UInt8(ascii: "\"") ? closer : nil
    var fields: [TypeEncoding.Field] = []
    while let byte = next, byte != closer {
      let start = index
      let fieldName = byte == UInt8(ascii: "\"") ? try quotedWord() : nil
      if requiresNames, fieldName == nil {
        throw failure(.missingName, at: start, expected: "a case name in quotes")
      }
      let type = try type(inNamedRecord: namedRecordCloser)
      guard fieldName != nil || type != nil else {
        throw failure(.unexpectedCharacter, at: start, expected: "a field or \(Self.spelling(of: closer))")
      }
      fields.append(.init(name: fieldName, type: type))
    }
    guard next == closer else {
      throw failure(.unclosedBracket, at: opener, expected: Self.spelling(of: closer))
    }
    index += 1
    return (name, fields)
  }

  /// Reads up to `=` or the closer outside of template arguments.
  ///
  /// A `<` that nothing closes (`{F<&Op::operator<=i}`) is a character like any other.
  private mutating func recordName(closer: UInt8, openedAt opener: Int) throws(TypeEncodingError) -> String {
    let start = index
    while let byte = next {
      if byte == closer || byte == UInt8(ascii: "=") { return string(start..<index) }
      index += 1
      if byte == UInt8(ascii: "<"), let closing = closingAngleBracket(of: index - 1) { index = closing + 1 }
    }
    throw failure(.unclosedBracket, at: opener, expected: "= or \(Self.spelling(of: closer))")
  }

  private mutating func closingAngleBracket(of opener: Int) -> Int? {
    if let angleBrackets { return angleBrackets.closer(ofOpenerAt: opener) }
    let found = AngleBrackets(in: bytes)
    angleBrackets = found
    return found.closer(ofOpenerAt: opener)
  }

  private static func spelling(of closer: UInt8) -> String { String(Unicode.Scalar(closer)) }
}

/// Which `<` of a text belongs to which `>`, as C++ and Swift type names use them.
///
/// The pair of an opener depends only on what follows it, so one pass over the text answers for every name in
/// it and parsing stays linear, also where nothing closes. The `>` of an arrow and brackets in character
/// literals (`Ch<'>'>`) do not count.
struct AngleBrackets {
  private var closers: [Int: Int] = [:]

  init(in bytes: [UInt8]) {
    var openers: [Int] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "'"): index = Self.endOfCharacterLiteral(startingAt: index, in: bytes) - 1
      case UInt8(ascii: "<"): openers.append(index)
      case UInt8(ascii: ">") where index == 0 || bytes[index - 1] != UInt8(ascii: "-"):
        if let opener = openers.popLast() { closers[opener] = index }
      default: break
      }
      index += 1
    }
  }

  func closer(ofOpenerAt index: Int) -> Int? { closers[index] }

  /// The index behind the literal, or behind the quote where it starts none.
  private static func endOfCharacterLiteral(startingAt start: Int, in bytes: [UInt8]) -> Int {
    let longestLiteralByteCount = 12  // '\U0010FFFF'
    let end = min(bytes.count, start + longestLiteralByteCount)
    var index = start + 1
    var characterCount = 0
    while index < end {
      if bytes[index] == UInt8(ascii: "'"), characterCount > 0 { return index + 1 }
      let isEscape = bytes[index] == UInt8(ascii: "\\")
      let isContinuation = bytes[index] & 0xC0 == 0x80
      if !isContinuation { characterCount += 1 }
      // Only an escape has more than one character between its quotes.
      if characterCount > 1, bytes[start + 1] != UInt8(ascii: "\\") { break }
      index += isEscape ? 2 : 1
    }
    return start + 1
  }
}
