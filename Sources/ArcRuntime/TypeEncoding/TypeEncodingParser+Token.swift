extension TypeEncodingParser {
  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Reads a decimal number without leading zeros, as compilers write it. Returns nil if there is no digit.
  mutating func optionalNumber() throws(TypeEncodingError) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    while let byte = next, Self.isDigit(byte) {
      if index > start, value == 0 {
        throw failure(.leadingZero, at: start, expected: "a number without leading zeros")
      }
      let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !productOverflows, !sumOverflows else {
        throw failure(.numberTooLarge, at: start, expected: "a number below 2^64")
      }
      value = sum
      index += 1
    }
    return index > start ? value : nil
  }

  mutating func number() throws(TypeEncodingError) -> UInt64 {
    guard let value = try optionalNumber() else {
      throw failure(.missingNumber, at: index, expected: "a number")
    }
    return value
  }

  /// Reads a word in quotes. Requires `index` to be at the opening quote.
  ///
  /// - Returns: the range of the word without its quotes.
  mutating func quotedWord() throws(TypeEncodingError) -> Range<Int> {
    let opener = index
    var closer = opener + 1
    while closer < bytes.count, bytes[closer] != UInt8(ascii: "\"") { closer += 1 }
    guard closer < bytes.count else {
      throw failure(.unclosedQuote, at: opener, expected: "a closing quote")
    }
    index = closer + 1
    return opener + 1..<closer
  }

  /// Reads an ASCII character that closes or continues a form. Throws if another character follows.
  mutating func expect(_ character: Unicode.Scalar, openedAt opener: Int) throws(TypeEncodingError) {
    guard let byte = next else {
      throw failure(.unclosedBracket, at: opener, expected: "'\(character)'")
    }
    guard byte == UInt8(ascii: character) else {
      throw failure(.unexpectedCharacter, at: index, expected: "'\(character)'")
    }
    index += 1
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns an error at an index. Not inlined, because errors are rare and the frames of the parser must
  /// stay small.
  @inline(never)
  func failure(_ code: TypeEncodingError.Code, at index: Int, expected: String) -> TypeEncodingError {
    TypeEncodingError(code: code, text: text, byteOffset: index, expected: expected)
  }
}
