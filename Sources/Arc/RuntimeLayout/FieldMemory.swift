/// A stored property in the memory of objects: how its value is copied to a new object, exchanged with
/// another one's, and let go.
///
/// Invariant: objects are of the class whose field it is, and the addresses that it is given are those of
/// their beginnings; what it is copied to has no value there yet.
@safe struct FieldMemory {
  /// Where its bytes are in an object.
  let range: Range<Int>
  let alignment: Int
  /// Which way of copying values its type has.
  let form: Form
  private let copyValue: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  private let destroyValue: (UnsafeMutableRawPointer) -> Void
  private let exchangeValues: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  /// Ways of copying a value.
  enum Form {
    /// A copy of the bytes is a copy of the value.
    case plain
    /// A text, or an optional one.
    case text
    /// A reference to one object of Swift's runtime, or to the storage of an array, which is one; or nil.
    case reference
    /// As the type says.
    case other
  }

  /// The memory of a field of a type that only the runtime knows.
  init(of type: Any.Type, at offset: Int) {
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

  /// Copies the value of one object to another one.
  @unsafe func copy(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    unsafe copyValue(source, target)
  }

  /// Lets go of the value of an object, which has none then.
  @unsafe func destroy(in object: UnsafeMutableRawPointer) {
    let field = unsafe object + range.lowerBound
    switch form {
    case .plain: break
    case .text: unsafe field.assumingMemoryBound(to: String?.self).deinitialize(count: 1)
    case .reference: unsafe field.assumingMemoryBound(to: AnyObject?.self).deinitialize(count: 1)
    case .other: unsafe destroyValue(object)
    }
  }

  /// Gives two objects each other's value.
  @unsafe func exchange(_ one: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer) {
    let first = range.lowerBound
    switch (form, range.count) {
    // Those that may be moved as their bytes are.
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

/// What is a reference to one object and nothing else, where there are no objects of Objective-C.
private protocol OneReference {}
extension Array: OneReference {}
extension Optional: OneReference where Wrapped: AnyObject {}

/// Where a stored property is in the memory of objects of a class, for those who read many of them.
///
/// Invariant: objects are of the class that has the field there, or of a subclass.
@usableFromInline @safe package struct FieldPlace {
  /// The type of the property.
  package let type: Any.Type
  @usableFromInline let offset: Int
  @usableFromInline let texts = TextMemory()

  init(of field: StoredField) { (type, offset) = (field.type, field.offset) }

  /// The value of an object, as the property's type or one with the same layout: integers of as many bytes,
  /// and `AnyObject` for any class, in an optional and in an array too.
  @unsafe @inlinable @inline(__always) package func value<Value>(
    _ type: Value.Type, of object: AnyObject, _ check: ExclusivityCheck
  ) -> Value {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe field.assumingMemoryBound(to: Value.self).pointee
  }

  /// Calls `body` with the UTF-8 of an object's text, which the property must be, or an optional one that is
  /// not nil. Nothing may change the property meanwhile.
  @unsafe @inlinable @inline(__always) package func withUTF8<Result>(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe try texts.withUTF8(at: field, body)
  }

  /// Calls `body` with the UTF-8 of one of the texts that an object has in an array.
  @inlinable @inline(__always) package func withUTF8<Result>(
    ofElement index: Int, in array: [String], _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    try texts.withUTF8(of: index, in: array, body)
  }

  /// Calls `body` with the object that an object refers to, or nil for none. The property must be a reference
  /// or an optional one, and must keep the object alive until `body` returns.
  @unsafe @inlinable @inline(__always) package func withObject<Result>(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (AnyObject?) throws -> Result
  ) rethrows -> Result {
    let address = unsafe value(UInt.self, of: object, check)
    guard let target = unsafe UnsafeRawPointer(bitPattern: address) else { return try body(nil) }
    return unsafe try Unmanaged<AnyObject>.fromOpaque(target)._withUnsafeGuaranteedRef(body)
  }

  /// Whether an object has nil for its optional text, which the property must be.
  @unsafe @inlinable @inline(__always) package func isNilText(
    of object: AnyObject, _ check: ExclusivityCheck
  ) -> Bool {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe texts.isNil(at: field)
  }
}
