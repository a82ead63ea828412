/// Objects by their addresses, which columns and generated code carry as numbers, so that nothing is retained
/// for them.
///
/// Invariant: an address is 0 or that of an object that something keeps alive while it is used here.
enum ObjectMemory {
  /// The object at an address; nil for 0.
  @unsafe @inline(__always) static func object(at address: UInt) -> Unmanaged<AnyObject>? {
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The word of an object, or of the storage of an array, that begins `byteOffset` bytes after its beginning
  /// and ends within it; 0 where the address is.
  @unsafe @inline(__always) static func word(at byteOffset: Int, ofObjectAt address: UInt) -> UInt {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    return unsafe object.load(fromByteOffset: byteOffset, as: UInt.self)
  }

  /// Whether a reference that is stored in plain memory is the only strong one to its object.
  @unsafe @inline(__always) static func isOnlyReference(_ reference: inout Unmanaged<AnyObject>?) -> Bool {
    unsafe withUnsafeMutablePointer(to: &reference) {
      unsafe $0.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
        unsafe isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

extension Unmanaged {
  /// The address of the object.
  @inline(__always) var address: UInt { unsafe UInt(bitPattern: toOpaque()) }
}
