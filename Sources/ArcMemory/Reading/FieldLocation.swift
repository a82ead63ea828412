/// The location of a stored property in the objects of a class. The location is used to read the property of
/// many objects.
///
/// Invariant: objects belong to the class that has the field, or to a subclass.
@usableFromInline @safe package struct FieldLocation {
  /// The type of the property.
  package let type: Any.Type
  @usableFromInline let offset: Int
  @usableFromInline let texts = TextMemory()

  /// Creates the location of a field.
  package init(of field: StoredField) { (type, offset) = (field.type, field.offset) }

  /// Returns the value of the property in an object. `Value` is the property's type or a type with the same
  /// layout: another integer type of the same size, or a type with `AnyObject` instead of a class, such as
  /// `[AnyObject]`.
  @unsafe @inlinable @inline(__always) package func value<Value>(
    _ type: Value.Type, of object: AnyObject, _ check: ExclusivityCheck
  ) -> Value {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe field.assumingMemoryBound(to: Value.self).pointee
  }

  /// Sets the value of the property in an object, without the setter and the observers of the property.
  /// `Value` must satisfy the requirements of `value(_:of:_:)`.
  @unsafe package func set<Value>(_ value: Value, of object: AnyObject) {
    unsafe ObjectField<Value>(of: object, at: offset).value = value
  }

  /// Calls `body` with the UTF-8 bytes of the string that the property of an object contains. The property
  /// must be a `String`, or a `String?` that is not nil. No code may change the property during the call.
  @unsafe @inlinable @inline(__always) package func withUTF8<Result>(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe try texts.withUTF8(at: field, body)
  }

  /// Calls `body` with the UTF-8 bytes of the string at an index of an array. The array is the value of the
  /// property in an object.
  @inlinable @inline(__always) package func withUTF8<Result>(
    ofElement index: Int, in array: [String], _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    try texts.withUTF8(of: index, in: array, body)
  }

  /// Calls `body` with the object to which the property of an object refers, or with nil. The property must
  /// be a reference or an optional reference, and must keep the object alive until `body` returns.
  @unsafe @inlinable @inline(__always) package func withObject<Result>(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (AnyObject?) throws -> Result
  ) rethrows -> Result {
    let address = unsafe value(UInt.self, of: object, check)
    guard let target = unsafe UnsafeRawPointer(bitPattern: address) else { return try body(nil) }
    return unsafe try Unmanaged<AnyObject>.fromOpaque(target)._withUnsafeGuaranteedRef(body)
  }

  /// Returns whether the property of an object is nil. The property must be a `String?`.
  @unsafe @inlinable @inline(__always) package func isNilText(
    of object: AnyObject, _ check: ExclusivityCheck
  ) -> Bool {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    if check.isNeeded { unsafe ExclusivityCheck.trapIfChanging(field) }
    return unsafe texts.isNil(at: field)
  }
}
