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
    fields.reserveCapacity(4)  // growing one by one costs more than the rest of a short record
    while let byte = next, byte != closer {
      let start = index
      let fieldName = byte == UInt8(ascii: "\"") ? string(try quotedWord()) : nil
      if requiresNames, fieldName == nil {
        throw failure(.missingName, at: start, expected: "a case name in quotes")
      }
      let type = try type(inNamedRecord: namedRecordCloser)
      guard index > start else {
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
    let found = AngleBrackets(in: bytes, rule: nameRule)
    angleBrackets = found
    return found.closer(ofOpenerAt: opener)
  }

  private static func spelling(of closer: UInt8) -> String { String(Unicode.Scalar(closer)) }
}

extension TypeEncodingParser {
  /// Where the name of a record with template arguments ends. A C++ name does not tell this in every case:
  /// `operator<`, a string with a bracket in it, braces.
  enum NameRule: CaseIterable {
    /// Angle brackets pair, those of operators and in literals do not count: `F<&Op::operator<=>>`.
    case withOperators
    /// The same, but where two operators are possible the shorter one is meant: `Box<F<&Op::operator<=>>`.
    case withShortOperators
    /// Angle brackets pair, all but those in character literals.
    case pairs
    /// The first `=` or closer ends the name.
    case firstSign
  }

  /// Reads with the first rule for names by which the text can be read, and throws the first rule's error
  /// where there is none.
  ///
  /// - Complexity: four times that of `body` at most.
  mutating func reconsideringNames<Result>(
    _ body: (inout TypeEncodingParser) throws(TypeEncodingError) -> Result
  ) throws(TypeEncodingError) -> Result {
    let start = index
    do throws(TypeEncodingError) {
      return try body(&self)
    } catch {
      guard angleBrackets != nil else { throw error }
      for rule in NameRule.allCases.dropFirst() {
        var other = TypeEncodingParser(text)
        other.index = start
        other.nameRule = rule
        guard let result = try? body(&other) else { continue }
        self = other
        return result
      }
      throw error
    }
  }
}
