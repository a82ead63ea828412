/// The kind of a type, such as structure or enumeration: the first word of its metadata
/// (swift/docs/ABI/TypeMetadata.rst). Only kinds of types are compared, so no number is assumed.
@usableFromInline package struct TypeKind: Equatable {
  @usableFromInline let word: UInt

  @inlinable @inline(__always) package init(of type: Any.Type) {
    word = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }
}
