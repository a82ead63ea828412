extension RuntimeLayout {
  /// Returns whether a type is an enumeration. Returns false for every type if the kinds of types are
  /// unknown.
  ///
  /// An enumeration without associated values has a fixed raw value per case, so the writer checks the raw
  /// value of each case only once. For other types, the writer checks each value.
  @inlinable package static func isEnumeration(_ type: Any.Type) -> Bool {
    enumerationKind != 0 && TypeKind(of: type).word == enumerationKind
  }

  /// The number of the kind of enumerations. 0 if other types have the same kind, so that enumerations cannot
  /// be recognized. No value type has the kind 0.
  @usableFromInline static let enumerationKind: UInt = {
    enum One { case a, b }
    enum Other: String { case a, b, c }
    struct Structure { var a = 1 }
    final class Object {}
    let kind = TypeKind(of: One.self)
    guard isTrusted, kind == TypeKind(of: Other.self), kind != TypeKind(of: Structure.self),
      kind != TypeKind(of: Object.self), kind != TypeKind(of: Int.self)
    else { return 0 }
    return kind.word
  }()

  /// Returns all cases of an enumeration, in the order of their declaration, for error messages. Empty if
  /// values have more than one byte, if a case has associated values, or if the descriptions of types cannot
  /// be read.
  package static func cases<Value>(of type: Value.Type) -> [Value] {
    guard areCasesKnown, MemoryLayout<Value>.size == 1, isEnumeration(type) else { return [] }
    let counts = caseCounts(of: type)
    guard counts.withPayload == 0, 2...256 ~= counts.plain else { return [] }
    // The byte of such a case is its index.
    return (0..<counts.plain).map { unsafe unsafeBitCast(UInt8($0), to: Value.self) }
  }

  /// Returns two numbers of an enumeration: the number of cases with associated values, and the number of
  /// cases without.
  private static func caseCounts(of type: Any.Type) -> (withPayload: UInt32, plain: UInt32) {
    // The second word of the metadata is the address of the description of the type. The numbers are its
    // sixth and seventh words of 32 bits (swift/docs/ABI, TypeMetadata; TargetEnumDescriptor).
    let description = unsafe unsafeBitCast(type, to: UnsafePointer<UnsafePointer<UInt32>>.self)[1]
    return unsafe (description[5] & 0xFF_FFFF, description[6])
  }

  /// Whether the descriptions of three enumerations contain the right numbers of cases.
  private static let areCasesKnown: Bool = {
    #if _ptrauth(_arm64e)
      return false
    #else
      enum Two { case a, b }
      enum Three: String { case a, b, c }
      enum Mixed {
        case number(Int)
        case a, b
      }
      guard isEnumeration(Two.self), isEnumeration(Three.self), isEnumeration(Mixed.self) else {
        return false
      }
      return caseCounts(of: Two.self) == (0, 2) && caseCounts(of: Three.self) == (0, 3)
        && caseCounts(of: Mixed.self) == (1, 2)
    #endif
  }()
}
