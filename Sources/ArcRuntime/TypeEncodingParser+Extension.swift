extension TypeEncodingParser {
  /// Reads what stands behind the `$` of Arc's extension.
  mutating func extensionForm(inNamedRecord closer: UInt8?) throws(TypeEncodingError) -> TypeEncoding {
    let form = index
    let code = next
    index = min(index + 1, bytes.count)
    switch code {
    case UInt8(ascii: "?"): return .optional(try requiredType(inNamedRecord: closer))
    case UInt8(ascii: "~"): return .weak(try requiredType(inNamedRecord: closer))
    case UInt8(ascii: "["):
      let element = try requiredType()
      try expect("]", openedAt: form)
      return .list(element)
    case UInt8(ascii: "<"):
      let element = try requiredType()
      guard next == UInt8(ascii: ":") else {
        try expect(">", openedAt: form)
        return .set(element)
      }
      index += 1
      let value = try requiredType()
      try expect(">", openedAt: form)
      return .dictionary(key: element, value: value)
    case UInt8(ascii: "("):
      let record = try record(closer: UInt8(ascii: ")"), openedAt: form, requiresNames: true)
      return .enumeration(name: record.name, cases: record.fields)
    default:
      throw failure(.unexpectedCharacter, at: form, expected: "one of ? [ < ( ~ behind $")
    }
  }

  private mutating func requiredType(
    inNamedRecord closer: UInt8? = nil
  ) throws(TypeEncodingError) -> TypeEncoding {
    let type = try type(inNamedRecord: closer)
    guard type != .uncoded else { throw failure(.missingType, at: index, expected: "a type") }
    return type
  }
}
