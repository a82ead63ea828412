extension PropertyAttributes {
  /// Reads an attribute string by the rules of Apple's runtime, but commas inside of the type are its own.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  /// - Throws: ``TypeEncodingError`` where the type is not an encoding. Nothing else is refused: what has no
  ///   meaning is kept.
  public init(parsing text: String) throws(TypeEncodingError) {
    var attributes: [Attribute] = []
    var type: TypeEncoding?
    var hasType = false
    var parser = TypeEncodingParser(text)
    while !parser.isAtEnd {
      // Only the first type counts; reading the others by the grammar too could take quadratic time.
      if parser.next == UInt8(ascii: "T"), !hasType {
        parser.index += 1
        let start = parser.index
        type = try parser.propertyType()
        hasType = true
        attributes.append(.init(letter: "T", value: parser.string(start..<parser.index)))
      } else {
        attributes.append(parser.attribute())
      }
      guard parser.next == UInt8(ascii: ",") else { break }
      parser.index += 1
      // A comma at the very end has an empty attribute behind it.
      if parser.isAtEnd { attributes.append(.init(letter: "")) }
    }
    self.init(attributes: attributes, type: type)
  }
}

extension TypeEncodingParser {
  /// Reads the value of `T`, which ends where the grammar ends it or, if that is not at a comma, at the first
  /// comma.
  fileprivate mutating func propertyType() throws(TypeEncodingError) -> TypeEncoding? {
    let start = index
    var longest = self
    let refusal: TypeEncodingError
    do throws(TypeEncodingError) {
      let parsed = try longest.type()
      if longest.isAtEnd || longest.next == UInt8(ascii: ",") {
        self = longest
        return parsed
      }
      refusal = failure(.trailingText, at: longest.index, expected: "a comma or the end")
    } catch {
      refusal = error
    }
    // The grammar may have run over the comma, as in an unbalanced template name.
    let end = indexOfNextComma
    guard let cut = try? TypeEncoding(parsing: string(start..<end)) else { throw refusal }
    index = end
    return cut
  }

  private var indexOfNextComma: Int { bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count }

  /// Reads an attribute other than the type, up to the comma.
  fileprivate mutating func attribute() -> PropertyAttributes.Attribute {
    let start = index
    let end = indexOfNextComma
    index = end
    guard start < end else { return .init(letter: "") }
    guard bytes[start] == UInt8(ascii: "\"") else {
      // The name is one character, which need not be one byte.
      var valueStart = start + 1
      while valueStart < end, bytes[valueStart] & 0xC0 == 0x80 { valueStart += 1 }
      return .init(letter: string(start..<valueStart), value: string(valueStart..<end))
    }
    let nameStart = start + 1
    guard let quote = bytes[nameStart..<end].firstIndex(of: UInt8(ascii: "\"")) else {
      return .init(name: string(nameStart..<end), value: "", quoting: .unclosed)
    }
    return .init(name: string(nameStart..<quote), value: string(quote + 1..<end), quoting: .quoted)
  }
}
