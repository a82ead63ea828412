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
    for (index, element) in enumerated() {
      guard let object = object(element) else { continue }
      objects.insert(ObjectIdentifier(object))
      if let key = ObjectKey(ofAny: object), identities[key] == nil { identities[key] = index }
    }
    var elements = self
    for element in other {
      let object = object(element)
      if let object, !objects.insert(ObjectIdentifier(object)).inserted { continue }
      let key = object.flatMap(ObjectKey.init(ofAny:))
      if let index = key.flatMap({ identities[$0] }) {
        elements[index] = element
      } else {
        if let key { identities[key] = elements.count }
        elements.append(element)
      }
    }
    return elements
  }

  /// The object that an element is; nil for a value, and for an optional without an object.
  private func object(_ element: Element) -> AnyObject? {
    guard let value = ObjectKey.unwrapped(element), type(of: value) is AnyClass else { return nil }
    return value as AnyObject
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
