/// The parser of type encodings: recursive descent over the UTF-8 bytes of the text.
///
/// Invariants: `0 <= index <= bytes.count`; a call of ``type(inNamedRecord:)`` either consumes at least one
/// byte or returns `.uncoded`. The bytes are valid UTF-8, and every range that becomes a string begins and
/// ends at an ASCII character or an end of the text, so the string is valid UTF-8 too.
struct TypeEncodingParser {
  /// The set of types that the parser accepts.
  enum Grammar {
    /// All types that Objective-C's runtimes write, and Arc's extension. Spec: appendix.
    case runtime
    /// The types that a column can contain. Spec: 03-classes, section 4.
    case columns
  }

  let text: String
  let grammar: Grammar
  let bytes: [UInt8]
  var index: Int
  private var depth = 0
  /// The rule that determines where the names of records end.
  var nameRule = NameRule.withOperators
  /// The pairs of angle brackets. Nil until the parser reads a name with template arguments, because most
  /// encodings contain no such name.
  var angleBrackets: AngleBrackets?

  init(_ text: String, grammar: Grammar = .runtime) {
    self.text = text
    self.grammar = grammar
    bytes = Array(text.utf8)
    index = 0
  }

  var isAtEnd: Bool { index >= bytes.count }

  /// The byte at `index`. Nil at the end.
  var next: UInt8? { isAtEnd ? nil : bytes[index] }

  /// Reads the type that begins at `index`.
  ///
  /// - Parameter closer: the closer of the enclosing record if the record's fields have names; otherwise nil.
  ///   In such a record, a quoted word after `@` may be the name of the next field.
  /// - Returns: the type. If `index` is at the end of the text, or at a closer, a quote, a digit or a comma,
  ///   the type is `.uncoded`.
  /// - Throws: ``TypeEncodingError`` if the type is malformed, or if no type can begin here.
  mutating func type(inNamedRecord closer: UInt8? = nil) throws(TypeEncodingError) -> TypeEncoding {
    guard let code = next, !Self.endsType(code) else { return .uncoded }
    try checkDepth()
    index += 1
    guard grammar == .runtime || Self.beginsColumn(code) else {
      throw failure(.unknownTypeCode, at: index - 1, expected: "the code of a type that a file can contain")
    }
    if let scalar = TypeEncoding.Scalar(rawValue: code) { return .scalar(scalar) }
    depth += 1
    defer { depth -= 1 }
    return try form(code, inNamedRecord: closer)
  }

  /// Reads a type that begins with a code other than a scalar's. `index` is after the code.
  ///
  /// This function and its callees are small, because a function of a debug build reserves stack for all of
  /// its branches, at each level of a nested type.
  private mutating func form(
    _ code: UInt8, inNamedRecord closer: UInt8?
  ) throws(TypeEncodingError) -> TypeEncoding {
    switch code {
    case UInt8(ascii: "@"): return try object(inNamedRecord: closer)
    case UInt8(ascii: "b"): return try bitField()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "{"), UInt8(ascii: "("): return try record(code)
    case UInt8(ascii: "!"): return try vector()
    case UInt8(ascii: "$"): return try extensionForm(inNamedRecord: closer)
    default: return try prefixed(code, inNamedRecord: closer)
    }
  }

  private mutating func prefixed(
    _ code: UInt8, inNamedRecord closer: UInt8?
  ) throws(TypeEncodingError) -> TypeEncoding {
    if code == UInt8(ascii: "^") { return .pointer(to: try type(inNamedRecord: closer)) }
    guard let qualifier = TypeEncoding.Qualifier(rawValue: code) else {
      throw failure(.unknownTypeCode, at: index - 1, expected: "a type code")
    }
    return .qualified(qualifier, try type(inNamedRecord: closer))
  }

  private mutating func record(_ code: UInt8) throws(TypeEncodingError) -> TypeEncoding {
    let isStructure = code == UInt8(ascii: "{")
    let record = try record(
      closer: isStructure ? UInt8(ascii: "}") : UInt8(ascii: ")"), openedAt: index - 1)
    return isStructure
      ? .structure(name: record.name, fields: record.fields)
      : .union(name: record.name, fields: record.fields)
  }

  /// Throws if the nesting depth has reached its maximum. Spec: appendix, rule N7; 03-classes, rule E1.
  private func checkDepth() throws(TypeEncodingError) {
    guard depth >= TypeEncoding.maximumDepth else { return }
    throw failure(
      .tooDeep, at: index, expected: "at most \(TypeEncoding.maximumDepth) nested levels")
  }

  private static func beginsColumn(_ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "@"), UInt8(ascii: "{"), UInt8(ascii: "$"): true
    default: TypeEncoding.Scalar(rawValue: code)?.isColumnValue ?? false
    }
  }

  private static func endsType(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: ","), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private mutating func object(inNamedRecord closer: UInt8?) throws(TypeEncodingError) -> TypeEncoding {
    switch next {
    case UInt8(ascii: "?") where grammar == .runtime:
      index += 1
      return .block(signature: next == UInt8(ascii: "<") ? try blockSignature() : nil)
    case UInt8(ascii: "\""): return try namedObject(inNamedRecord: closer)
    default: return .object(className: nil, protocols: [])
    }
  }

  /// Reads `@` and the class name in quotes. If the quoted word is the name of the next field, reads only
  /// `@`. Spec: 09-encodings, rule N4.
  private mutating func namedObject(
    inNamedRecord closer: UInt8?
  ) throws(TypeEncodingError) -> TypeEncoding {
    let quoteIndex = index
    let word = try quotedWord()
    if let closer, word.isEmpty || !(next == UInt8(ascii: "\"") || next == closer) {
      index = quoteIndex
      return .object(className: nil, protocols: [])
    }
    return .object(named: bytes[word])
  }

  /// Reads `<`, the type of the result, `@?` for the block itself, the types of the arguments, and `>`.
  private mutating func blockSignature() throws(TypeEncodingError) -> [TypeEncoding] {
    let opener = index
    index += 1
    var types: [TypeEncoding] = []
    while let type = try typeOfSignature() { types.append(type) }
    try expect(">", openedAt: opener)
    Self.insertMissingResult(&types)
    return types
  }

  private mutating func typeOfSignature() throws(TypeEncodingError) -> TypeEncoding? {
    let type = try type()
    return type.isUncoded ? nil : type
  }

  /// Adds the type `.uncoded` as the result if a signature begins with the block itself, because the result
  /// then has no code.
  ///
  /// If the result is a block, it has a signature of its own, so a first type `@?` without a signature is the
  /// block itself. Spec: appendix, rule N6.
  private static func insertMissingResult(_ types: inout [TypeEncoding]) {
    let itself = TypeEncoding.block(signature: nil)
    if types.first == itself, types.count == 1 || types[1] != itself { types.insert(.uncoded, at: 0) }
  }

  private mutating func array() throws(TypeEncodingError) -> TypeEncoding {
    let opener = index - 1
    let count = try optionalNumber()
    let element = try type()
    try expect("]", openedAt: opener)
    return .array(count: count, of: element)
  }

  /// Reads `b<width>`, Apple's form of a bit-field, or `b<offset><type><width>`, GNU's form.
  ///
  /// In a record in Apple's form, no digit follows the code of an integer type. Therefore, if a digit follows
  /// an integer code after the first number, the form is GNU's. Spec: appendix, rule N5.
  private mutating func bitField() throws(TypeEncodingError) -> TypeEncoding {
    let first = try number()
    let widthIndex = index + 1
    guard let code = next, let type = TypeEncoding.Scalar(rawValue: code), type.isInteger,
      widthIndex < bytes.count, Self.isDigit(bytes[widthIndex])
    else { return .bitField(width: first, gnu: nil) }
    index = widthIndex
    return .bitField(width: try number(), gnu: .init(bitOffset: first, type: type))
  }

  private mutating func vector() throws(TypeEncodingError) -> TypeEncoding {
    let opener = index
    try expect("[", openedAt: opener)
    let byteSize = try number()
    try expect(",", openedAt: opener)
    let byteAlignment = try number()
    let element = try type()
    try expect("]", openedAt: opener)
    return .vector(byteSize: byteSize, byteAlignment: byteAlignment, of: element)
  }
}
