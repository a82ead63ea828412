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
      fields.append(
        try field(closer: closer, inNamedRecord: namedRecordCloser, requiresName: requiresNames))
    }
    try expectEnd(of: closer, openedAt: opener)
    return (name, fields)
  }

  private mutating func field(
    closer: UInt8, inNamedRecord namedRecordCloser: UInt8?, requiresName: Bool
  ) throws(TypeEncodingError) -> TypeEncoding.Field {
    let start = index
    let name = try fieldName(isRequired: requiresName)
    let type = try type(inNamedRecord: namedRecordCloser)
    try expectProgress(since: start, closedBy: closer)
    return TypeEncoding.Field(name: name, type: type)
  }

  private mutating func fieldName(isRequired: Bool) throws(TypeEncodingError) -> String? {
    if next == UInt8(ascii: "\"") { return string(try quotedWord()) }
    if isRequired { throw failure(.missingName, at: index, expected: "a case name in quotes") }
    return nil
  }

  private func expectProgress(since start: Int, closedBy closer: UInt8) throws(TypeEncodingError) {
    guard index == start else { return }
    throw failure(
      .unexpectedCharacter, at: index, expected: "a field or \(Self.spelling(of: closer))")
  }

  private mutating func expectEnd(of closer: UInt8, openedAt opener: Int) throws(TypeEncodingError) {
    guard next == closer else {
      throw failure(.unclosedBracket, at: opener, expected: Self.spelling(of: closer))
    }
    index += 1
  }

  /// Reads up to `=` or the closer outside of template arguments. Spec: 09-encodings, rule N1.
  ///
  /// A `<` that nothing closes (`{F<&Op::operator<=i}`) is a character like any other.
  private mutating func recordName(closer: UInt8, openedAt opener: Int) throws(TypeEncodingError) -> String {
    let start = index
    while let byte = next {
      if byte == closer || byte == UInt8(ascii: "=") { return string(start..<index) }
      index += 1
      if byte == UInt8(ascii: "<"), let closing = closingAngleBracket(of: index - 1) { index = closing + 1 }
    }
    throw failure(.unclosedBracket, at: opener, expected: "'=' or \(Self.spelling(of: closer))")
  }

  private mutating func closingAngleBracket(of opener: Int) -> Int? {
    if let angleBrackets { return angleBrackets.closer(ofOpenerAt: opener) }
    let found = AngleBrackets(in: bytes, rule: nameRule)
    angleBrackets = found
    return found.closer(ofOpenerAt: opener)
  }

  private static func spelling(of closer: UInt8) -> String { "'\(Unicode.Scalar(closer))'" }
}

extension TypeEncodingParser {
  /// Where the name of a record with template arguments ends. A C++ name does not tell this in every case:
  /// `operator<`, a string with a bracket in it, braces. Spec: 09-encodings, rules N1, N2 and N3.
  enum NameRule: CaseIterable {
    /// Angle brackets pair, those of operators and in literals do not count: `F<&Op::operator<=>>`.
    case withOperators
    /// As `withOperators`, but where two operators are possible the shorter one is meant:
    /// `Box<F<&Op::operator<=>>`.
    case withShortOperators
    /// Angle brackets pair, all but those in character literals.
    case pairs
    /// The first `=` or closer ends the name.
    case firstSign
  }

  /// Reads with the first rule for names by which the text can be read, and throws the first rule's error
  /// where there is none. Spec: 09-encodings, rule N3.
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
        var other = TypeEncodingParser(text, grammar: grammar)
        other.index = start
        other.nameRule = rule
        // Another rule may read what this rule rejects.
        guard let result = try? body(&other) else { continue }
        self = other
        return result
      }
      throw error
    }
  }
}
