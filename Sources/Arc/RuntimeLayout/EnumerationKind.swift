extension RuntimeLayout {
  /// Whether a type is an enumeration. After a wrong answer, either every value would be checked when it is
  /// written, or only the first of some.
  @inlinable static func isEnumeration(_ type: Any.Type) -> Bool {
    enumerationKind != 0 && kind(of: type) == enumerationKind
  }

  /// The first word of a type's metadata is its kind (swift/docs/ABI, TypeMetadata).
  @inlinable static func kind(of type: Any.Type) -> UInt {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }

  /// The kind that enumerations have; 0, which no type of values has, where metadata does not tell.
  @usableFromInline static let enumerationKind: UInt = {
    enum One { case a, b }
    enum Other: String { case a, b, c }
    struct Structure { var a = 1 }
    final class Object {}
    guard isTrusted, kind(of: One.self) == kind(of: Other.self),
      kind(of: One.self) != kind(of: Structure.self),
      kind(of: One.self) != kind(of: Object.self), kind(of: One.self) != kind(of: Int.self)
    else { return 0 }
    return kind(of: One.self)
  }()

  /// All cases of an enumeration of bytes, none of which has associated values, in the order of their
  /// declaration; none for any other type, and where metadata does not tell. For errors.
  static func cases<Value>(of type: Value.Type) -> [Value] {
    guard tellsCases, MemoryLayout<Value>.size == 1, isEnumeration(type) else { return [] }
    let counts = caseCounts(of: type)
    guard counts.withPayload == 0, 2...256 ~= counts.plain else { return [] }
    // The bytes of such cases are their numbers.
    return (0..<counts.plain).map { unsafe unsafeBitCast(UInt8($0), to: Value.self) }
  }

  /// How many cases an enumeration has with associated values, and without.
  private static func caseCounts(of type: Any.Type) -> (withPayload: UInt32, plain: UInt32) {
    // The second word of the metadata leads to the description of the type, whose sixth and seventh numbers
    // of 32 bits these are (swift/docs/ABI, TypeMetadata; TargetEnumDescriptor).
    let description = unsafe unsafeBitCast(type, to: UnsafePointer<UnsafePointer<UInt32>>.self)[1]
    return unsafe (description[5] & 0xFF_FFFF, description[6])
  }

  /// Whether metadata tells the cases of enumerations as it is taken to.
  private static let tellsCases: Bool = {
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
