/// Arrays of references to objects. An array consists of one reference to its storage, and each element is
/// one word, so arrays of all classes have the same layout.
package enum ObjectArray {
  /// The objects of an array. `Value` must be an array of references to objects of a class.
  @unsafe @inlinable @inline(__always) package static func objects<Value>(of array: Value) -> [AnyObject] {
    unsafe unsafeBitCast(array, to: [AnyObject].self)
  }

  /// The array of objects that have the class `Element`.
  @unsafe @inlinable @inline(__always)
  package static func array<Element>(of objects: [AnyObject], as type: Element.Type) -> [Element] {
    unsafe unsafeBitCast(objects, to: [Element].self)
  }

  /// Calls `body` with the addresses of the objects of each index in two arrays until `body` returns false.
  ///
  /// - Returns: whether the arrays have the same count and `body` never returned false.
  @inlinable @inline(__always) package static func allElements(
    of ones: [AnyObject], _ others: [AnyObject], satisfy body: (UInt, UInt) -> Bool
  ) -> Bool {
    unsafe ones.withUnsafeBytes { ones in
      unsafe others.withUnsafeBytes { others in
        guard ones.count == others.count else { return false }
        return stride(from: 0, to: ones.count, by: MemoryLayout<UInt>.size).allSatisfy { offset in
          unsafe body(
            ones.load(fromByteOffset: offset, as: UInt.self),
            others.load(fromByteOffset: offset, as: UInt.self))
        }
      }
    }
  }
}
