extension TypeEncodingParser {
  /// Reads a form of Arc's extension, after its `$`.
  mutating func extensionForm(inNamedRecord closer: UInt8?) throws(TypeEncodingError) -> TypeEncoding {
    let form = index
    let code = next
    index = min(index + 1, bytes.count)
    switch code {
    case UInt8(ascii: "?"): return .optional(try requiredType(inNamedRecord: closer))
    case UInt8(ascii: "~"): return .weak(try requiredType(inNamedRecord: closer))
    case UInt8(ascii: "["): return try list(openedAt: form)
    case UInt8(ascii: "<"): return try setOrDictionary(openedAt: form)
    case UInt8(ascii: "("): return try enumeration(openedAt: form)
    default: throw failure(.unexpectedCharacter, at: form, expected: "'?', '[', '<', '(' or '~' after '$'")
    }
  }

  private mutating func list(openedAt form: Int) throws(TypeEncodingError) -> TypeEncoding {
    let element = try requiredType()
    try expect("]", openedAt: form)
    return .list(element)
  }

  private mutating func setOrDictionary(openedAt form: Int) throws(TypeEncodingError) -> TypeEncoding {
    let element = try requiredType()
    guard next == UInt8(ascii: ":") else {
      try expect(">", openedAt: form)
      return .set(element)
    }
    index += 1
    let value = try requiredType()
    try expect(">", openedAt: form)
    return .dictionary(key: element, value: value)
  }

  private mutating func enumeration(openedAt form: Int) throws(TypeEncodingError) -> TypeEncoding {
    let record = try record(closer: UInt8(ascii: ")"), openedAt: form, requiresNames: true)
    return .enumeration(name: record.name, cases: record.fields)
  }

  private mutating func requiredType(
    inNamedRecord closer: UInt8? = nil
  ) throws(TypeEncodingError) -> TypeEncoding {
    let type = try type(inNamedRecord: closer)
    guard !type.isUncoded else { throw failure(.missingType, at: index, expected: "a type") }
    return type
  }
}
