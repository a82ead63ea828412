/// A field in the memory of an object, which is read and set without the getter, the setter and the observers
/// of its property.
///
/// Weak and unowned fields contain more than the bits of their references. The value of such a field is a
/// reference to an object, or nil, followed by the witnesses of a protocol if the property is an existential.
///
/// Invariant: the object has a field at the offset, whose values are of type `Value`. `StoredField.all(of:)`
/// returns the offset and the type. The object outlives the `ObjectField`.
@safe package struct ObjectField<Value> {
  private struct Weak { weak var object: AnyObject? }
  private struct Unowned { unowned var object: AnyObject? }

  @usableFromInline let address: UnsafeMutableRawPointer

  /// Refers to the field at an offset of an object. The caller keeps the object alive.
  @unsafe @inlinable package init(of object: AnyObject, at offset: Int) {
    unsafe address = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
  }

  /// Traps, as Swift does, if the property of the field is being changed.
  package func trapIfChanging() { unsafe ExclusivityCheck.trapIfChanging(address) }

  /// The value of a strong field.
  @inlinable package var value: Value {
    get { unsafe address.assumingMemoryBound(to: Value.self).pointee }
    nonmutating set { unsafe address.assumingMemoryBound(to: Value.self).pointee = newValue }
  }

  /// Returns the value of a weak or unowned field.
  package func reference(isWeak: Bool) -> Value {
    let object =
      unsafe isWeak
      ? address.assumingMemoryBound(to: Weak.self).pointee.object
      : address.assumingMemoryBound(to: Unowned.self).pointee.object
    if MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size {
      return unsafe unsafeBitCast(object, to: Value.self)
    }
    let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { unsafe value.deallocate() }
    let bytes = UnsafeMutableRawPointer(value)
    unsafe bytes.copyMemory(from: address, byteCount: MemoryLayout<Value>.size)
    unsafe bytes.initializeMemory(as: AnyObject?.self, to: object)
    return unsafe value.move()
  }

  /// Sets the value of a weak or unowned field.
  package func setReference(_ value: Value, isWeak: Bool) {
    unsafe withUnsafeBytes(of: value) { bytes in
      guard let first = bytes.baseAddress, bytes.count >= MemoryLayout<AnyObject?>.size else { return }
      let object = unsafe first.assumingMemoryBound(to: AnyObject?.self).pointee
      if isWeak {
        unsafe address.assumingMemoryBound(to: Weak.self).pointee.object = object
      } else {
        unsafe address.assumingMemoryBound(to: Unowned.self).pointee.object = object
      }
      let size = MemoryLayout<AnyObject?>.size
      unsafe (address + size).copyMemory(from: first + size, byteCount: bytes.count - size)
    }
  }
}
