/// Weak and unowned fields in the memory of objects, which hold more than the bits of their references.
///
/// Invariant: an address is that of a weak or unowned field whose value is a `Value`: a reference to an
/// object, or nil, followed by the witnesses of a protocol if the property is an existential.
enum ReferenceField<Value> {
  private struct Weak { weak var object: AnyObject? }
  private struct Unowned { unowned var object: AnyObject? }

  /// Returns the value of a field.
  @unsafe static func value(isWeak: Bool, at address: UnsafeMutableRawPointer) -> Value {
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

  /// Gives a field another value.
  @unsafe static func set(_ value: Value, isWeak: Bool, at address: UnsafeMutableRawPointer) {
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
