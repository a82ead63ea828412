/// Arrays of references to objects. An array consists of one reference to its storage, and each element is
/// one word, so arrays of all classes have the same layout.
package enum ObjectArray {
  /// Returns the objects of an array. `Value` must be an array of references to objects of a class.
  @unsafe @inlinable @inline(__always) package static func objects<Value>(of array: Value) -> [AnyObject] {
    unsafe unsafeBitCast(array, to: [AnyObject].self)
  }

  /// Returns an array of the objects, which must have the class `Element`.
  @unsafe @inlinable @inline(__always)
  package static func array<Element>(of objects: [AnyObject], as type: Element.Type) -> [Element] {
    unsafe unsafeBitCast(objects, to: [Element].self)
  }
}
