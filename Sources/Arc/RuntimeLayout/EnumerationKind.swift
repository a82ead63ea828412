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
}
