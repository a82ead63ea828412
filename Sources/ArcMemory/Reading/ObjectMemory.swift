/// Finds objects by their addresses. Columns and generated code store addresses as numbers, so that they need
/// not retain the objects.
///
/// Invariant: an address is 0, or it is the address of an object that the caller keeps alive during the call.
@usableFromInline package enum ObjectMemory {
  /// Returns the object at an address. Nil if the address is 0.
  @unsafe @inlinable @inline(__always) package static func object(at address: UInt) -> Unmanaged<AnyObject>? {
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Returns the word that begins `byteOffset` bytes after the beginning of an object or of the storage of an
  /// array. The word must be within the object. Returns 0 if the address is 0.
  @unsafe @inlinable @inline(__always)
  package static func word(at byteOffset: Int, ofObjectAt address: UInt) -> UInt {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    return unsafe object.load(fromByteOffset: byteOffset, as: UInt.self)
  }

  /// Returns whether a reference that is stored in plain memory is the only strong reference to its object.
  @unsafe @inlinable @inline(__always)
  package static func isOnlyReference(_ reference: inout Unmanaged<AnyObject>?) -> Bool {
    unsafe withUnsafeMutablePointer(to: &reference) {
      unsafe $0.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
        unsafe isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

extension Unmanaged {
  /// The address of the object.
  @inlinable @inline(__always) package var address: UInt { unsafe UInt(bitPattern: toOpaque()) }
}
