/// The kind of a type, such as structure or enumeration: the first word of its metadata
/// (swift/docs/ABI/TypeMetadata.rst). Arc only compares the kinds of types with each other, and does not
/// assume the number of any kind.
@usableFromInline package struct TypeKind: Equatable {
  @usableFromInline let word: UInt

  @inlinable @inline(__always) package init(of type: Any.Type) {
    word = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
  }
}
