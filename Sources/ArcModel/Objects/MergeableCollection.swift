/// A collection to which an update can add what a text has.
protocol MergeableCollection {
  /// The collection with what another one of the same type has; nil for anything else.
  func adding(_ other: Any) -> Any?
}

extension Array: MergeableCollection {
  /// The elements, then those of the other one, but for objects that are there already.
  func adding(_ other: Any) -> Any? {
    guard let other = other as? [Element] else { return nil }
    func object(_ element: Element) -> ObjectIdentifier? {
      type(of: element as Any) is AnyClass ? ObjectIdentifier(element as AnyObject) : nil
    }
    var known = Set(compactMap(object))
    return self + other.filter { element in object(element).map { known.insert($0).inserted } ?? true }
  }
}

extension Set: MergeableCollection {
  /// The union.
  func adding(_ other: Any) -> Any? { (other as? Set).map(union) }
}

extension Dictionary: MergeableCollection {
  /// The entries of both, of equal keys the other one's.
  func adding(_ other: Any) -> Any? { (other as? [Key: Value]).map { merging($0) { $1 } } }
}
