/// A stored property in the memory of objects. Its value can be copied to a new object, exchanged with the
/// value of another object, and destroyed.
///
/// Invariant: all addresses are the beginnings of objects of the class that has the field. The target of a
/// copy has no value in the field.
@safe package struct FieldMemory {
  /// The bytes of the field in an object.
  let range: Range<Int>
  let alignment: Int
  let form: Form
  private let copyValue: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  private let destroyValue: (UnsafeMutableRawPointer) -> Void
  private let exchangeValues: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  /// The method by which a value is copied and destroyed.
  enum Form {
    /// The value is copied by copying its bytes, and need not be destroyed.
    case plain
    /// `String` or `String?`.
    case text
    /// A reference to an object of Swift's runtime, or nil. Also an array, which is a reference to its
    /// storage.
    case reference
    /// The value is copied and destroyed by the functions of its type.
    case other
  }

  /// Describes a field that contains values of a type and begins at an offset of the object.
  package init(of type: Any.Type, at offset: Int) {
    func memory<Value>(_ type: Value.Type) -> FieldMemory { FieldMemory(type, at: offset) }
    self = _openExistential(type, do: memory)
  }

  private init<Value>(_ type: Value.Type, at offset: Int) {
    range = offset..<offset + MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    form = Self.form(of: type)
    unsafe copyValue = { source, target in
      unsafe (target + offset).initializeMemory(
        as: Value.self, from: (source + offset).assumingMemoryBound(to: Value.self), count: 1)
    }
    unsafe destroyValue = { object in
      unsafe (object + offset).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    unsafe exchangeValues = { one, other in
      unsafe swap(
        &(one + offset).assumingMemoryBound(to: Value.self).pointee,
        &(other + offset).assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Copies the value of the field from one object to another object.
  @unsafe func copy(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    unsafe copyValue(source, target)
  }

  /// Destroys the value of the field in an object.
  @unsafe func destroy(in object: UnsafeMutableRawPointer) {
    let field = unsafe object + range.lowerBound
    switch form {
    case .plain: break
    case .text: unsafe field.assumingMemoryBound(to: String?.self).deinitialize(count: 1)
    case .reference: unsafe field.assumingMemoryBound(to: AnyObject?.self).deinitialize(count: 1)
    case .other: unsafe destroyValue(object)
    }
  }

  /// Exchanges the values of the field in two objects.
  @unsafe func exchange(_ one: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer) {
    let first = range.lowerBound
    switch (form, range.count) {
    // Values that can be moved as bytes.
    case (.plain, 8), (.reference, 8): unsafe Self.exchange(UInt64.self, one + first, other + first)
    case (.plain, 1): unsafe Self.exchange(UInt8.self, one + first, other + first)
    case (.text, 16):
      unsafe Self.exchange(UInt64.self, one + first, other + first)
      unsafe Self.exchange(UInt64.self, one + first + 8, other + first + 8)
    default: unsafe exchangeValues(one, other)
    }
  }

  @inline(__always) private static func exchange<Bytes: BitwiseCopyable>(
    _ type: Bytes.Type, _ one: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer
  ) {
    let bytes = unsafe one.loadUnaligned(as: type)
    unsafe one.storeBytes(of: unsafe other.loadUnaligned(as: type), as: type)
    unsafe other.storeBytes(of: bytes, as: type)
  }

  private static func form<Value>(of type: Value.Type) -> Form {
    if _isPOD(type) { return .plain }
    if type == String.self || type == String?.self { return .text }
    #if !canImport(ObjectiveC)
      if type is AnyClass || type is any OneReference.Type { return .reference }
    #endif
    return .other
  }
}

/// A type whose values consist of one reference to an object of Swift's runtime, or nil.
private protocol OneReference {}
extension Array: OneReference {}
extension Optional: OneReference where Wrapped: AnyObject {}
