/// A collection to which an update can add what a text has.
protocol MergeableCollection {
  /// The collection with what another one of the same type has; nil for anything else.
  func adding(_ other: Any) -> Any?
}

extension Array: MergeableCollection {
  /// The elements, then the elements of the other array.
  ///
  /// The result contains each object once. An object replaces the first object with the same identity.
  func adding(_ other: Any) -> Any? {
    guard let other = other as? [Element] else { return nil }
    var (objects, identities): (Set<ObjectIdentifier>, [ObjectKey: Int]) = ([], [:])
    var elements = self
    func note(_ element: Element, at index: Int) {
      guard type(of: element as Any) is AnyClass else { return }
      objects.insert(ObjectIdentifier(element as AnyObject))
      guard let key = (element as? any ModelIdentifiable).flatMap(ObjectKey.init(of:)) else { return }
      if identities[key] == nil { identities[key] = index }
    }
    for (index, element) in enumerated() { note(element, at: index) }
    for element in other {
      if type(of: element as Any) is AnyClass {
        if objects.contains(ObjectIdentifier(element as AnyObject)) { continue }
        if let key = (element as? any ModelIdentifiable).flatMap(ObjectKey.init(of:)),
          let index = identities[key]
        {
          elements[index] = element
          objects.insert(ObjectIdentifier(element as AnyObject))
          continue
        }
      }
      note(element, at: elements.count)
      elements.append(element)
    }
    return elements
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
