extension PropertyAttributes {
  /// Parses an attribute string by the rules of Apple's runtime.
  ///
  ///     let attributes = try PropertyAttributes(parsing: "Tq,N,Vage")
  ///
  /// Unlike in Apple's runtime, commas within the type belong to the type. Unknown attributes are preserved.
  /// Spec: 03-classes, rules P1 and P3.
  ///
  /// - Parameter text: the attribute string.
  /// - Complexity: O(*n*) in the length of the text.
  /// - Throws: ``TypeEncodingError`` if the value of the first attribute `T` is not a type encoding. All
  ///   other attributes are accepted.
  public init(parsing text: String) throws(TypeEncodingError) {
    try self.init(parsing: text, grammar: .runtime)
  }

  /// Parses the attributes of a column of an archive.
  ///
  /// The grammar of column types determines where the names in the type end. If the type is not a column
  /// type, the full grammar parses it, so that an error can describe the type. Spec: 03-classes, rule E1;
  /// 09-encodings, rule N3.
  /// - Complexity: O(*n*) in the length of the text.
  /// - Throws: ``TypeEncodingError`` if the type is not a type encoding.
  package init(parsingColumn text: String) throws(TypeEncodingError) {
    // If this grammar rejects the text, the full grammar reads it or throws the error.
    if let attributes = try? PropertyAttributes(parsing: text, grammar: .columns) {
      self = attributes
    } else {
      try self.init(parsing: text)
    }
  }

  private init(parsing text: String, grammar: TypeEncodingParser.Grammar) throws(TypeEncodingError) {
    var attributes: [Attribute] = []
    attributes.reserveCapacity(6)
    var type: TypeEncoding?
    var parser = TypeEncodingParser(text, grammar: grammar)
    while !parser.isAtEnd {
      // Only the first type counts. Parsing further types could take quadratic time.
      if parser.next == UInt8(ascii: "T"), type == nil {
        parser.index += 1
        let start = parser.index
        type = try parser.propertyType()
        attributes.append(Attribute(letter: UInt8(ascii: "T"), value: parser.string(start..<parser.index)))
      } else {
        attributes.append(parser.attribute())
      }
      guard parser.next == UInt8(ascii: ",") else { break }
      parser.index += 1
      // A comma at the end of the text is followed by an empty attribute.
      if parser.isAtEnd { attributes.append(Attribute(longName: "", value: "", quoting: .none)) }
    }
    self.init(attributes: attributes, type: type)
  }
}

extension TypeEncodingParser {
  /// Reads the value of `T`.
  ///
  /// The value ends where the type ends. If neither a comma nor the end of the text follows the type, the
  /// value ends at the first comma. Spec: 03-classes, rule P1; 09-encodings, rule N3.
  fileprivate mutating func propertyType() throws(TypeEncodingError) -> TypeEncoding {
    let start = index
    do throws(TypeEncodingError) {
      return try tryingNameRules { parser throws(TypeEncodingError) in
        let type = try parser.type()
        guard parser.isAtEnd || parser.next == UInt8(ascii: ",") else {
          throw parser.failure(.trailingText, at: parser.index, expected: "a comma or the end of the text")
        }
        return type
      }
    } catch {
      // The type may have ended after the comma, for example because of an unbalanced template name.
      let end = indexOfNextComma(from: start)
      // If the text up to the comma is not a type either, the first error is thrown.
      guard let type = try? TypeEncoding(parsing: string(start..<end), grammar: grammar) else { throw error }
      index = end
      return type
    }
  }

  private func indexOfNextComma(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
    return end
  }

  /// Reads an attribute other than the type, up to the comma.
  fileprivate mutating func attribute() -> PropertyAttributes.Attribute {
    let start = index
    let end = indexOfNextComma(from: start)
    index = end
    guard start < end else { return .init(longName: "", value: "", quoting: .none) }
    let first = bytes[start]
    if first == UInt8(ascii: "\"") { return longAttribute(start + 1..<end) }
    guard first == 0 || first >= 0x80 else {
      return .init(letter: first, value: end - start == 1 ? "" : string(start + 1..<end))
    }
    // The name is one character, which may have several bytes.
    var valueStart = start + 1
    while valueStart < end, bytes[valueStart] & 0xC0 == 0x80 { valueStart += 1 }
    return .init(longName: string(start..<valueStart), value: string(valueStart..<end), quoting: .none)
  }

  private func longAttribute(_ range: Range<Int>) -> PropertyAttributes.Attribute {
    guard let quote = bytes[range].firstIndex(of: UInt8(ascii: "\"")) else {
      return .init(longName: string(range), value: "", quoting: .unclosed)
    }
    return .init(
      longName: string(range.lowerBound..<quote), value: string(quote + 1..<range.upperBound),
      quoting: .quoted)
  }
}
