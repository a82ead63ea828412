/// A Swift type whose values are references or consist only of references. A program can write a column of
/// such values without having the objects of a graph.
package protocol ReferenceHolder {
  /// Calls a closure for each reference in the value.
  func forEachReference(_ body: (ObjectID) throws(ArchiveError) -> Void) throws(ArchiveError)
}

extension ReferenceHolder {
  /// Calls a closure for each reference in an array of values of this type. The closure receives the index of
  /// the value in the array, and the reference. Does nothing if `values` is not such an array.
  package static func forEachReference(
    in values: Any, _ body: (_ index: Int, ObjectID) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let values = values as? [Self] else { return }
    for index in values.indices {
      try values[index].forEachReference { id throws(ArchiveError) in try body(index, id) }
    }
  }
}

extension ObjectID: ReferenceHolder {
  package func forEachReference(_ body: (ObjectID) throws(ArchiveError) -> Void) throws(ArchiveError) {
    try body(self)
  }
}

extension Optional: ReferenceHolder where Wrapped: ReferenceHolder {
  package func forEachReference(_ body: (ObjectID) throws(ArchiveError) -> Void) throws(ArchiveError) {
    try self?.forEachReference(body)
  }
}

extension Array: ReferenceHolder where Element: ReferenceHolder {
  package func forEachReference(_ body: (ObjectID) throws(ArchiveError) -> Void) throws(ArchiveError) {
    for element in self { try element.forEachReference(body) }
  }
}
