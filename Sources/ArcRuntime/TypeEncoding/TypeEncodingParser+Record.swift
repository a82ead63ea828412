extension TypeEncodingParser {
  /// Reads the name, the fields and the closer of a record, after its opener.
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

  /// Reads a name. The name ends before the first `=`, or before the bracket that closes the record. Both
  /// count only outside template arguments. Spec: 09-encodings, rule N1.
  ///
  /// A `<` without a partner, as in `{F<&Op::operator<=i}`, is an ordinary character.
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
    let brackets = AngleBrackets(in: bytes, rule: nameRule)
    angleBrackets = brackets
    return brackets.closer(ofOpenerAt: opener)
  }

  private static func spelling(of closer: UInt8) -> String { "'\(Unicode.Scalar(closer))'" }
}

extension TypeEncodingParser {
  /// A rule that determines where the name of a record with template arguments ends.
  ///
  /// A C++ name can be ambiguous because of `operator<`, a string that contains a bracket, or braces. Spec:
  /// 09-encodings, rules N1, N2 and N3.
  enum NameRule: CaseIterable {
    /// Angle brackets form pairs, except in operators and literals: `F<&Op::operator<=>>`.
    case withOperators
    /// The same as `withOperators`, except that the shorter of two possible operators is used:
    /// `Box<F<&Op::operator<=>>`.
    case withShortOperators
    /// Angle brackets form pairs, except in character literals.
    case pairs
    /// The name ends at the first `=` or closer, even within angle brackets.
    case firstSign
  }

  /// Calls `body` once for each rule for names, until `body` does not throw. If `body` throws for every rule,
  /// throws the error for the first rule. If the text contains no name with template arguments, only the
  /// first rule is used, because all rules are then equivalent.
  ///
  /// Spec: 09-encodings, rule N3.
  ///
  /// - Complexity: at most four times the complexity of `body`.
  mutating func tryingNameRules<Result>(
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
        // If this rule rejects the text, the next rule may accept it.
        guard let result = try? body(&other) else { continue }
        self = other
        return result
      }
      throw error
    }
  }
}
