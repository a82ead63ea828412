/// A collection to which an update adds the elements of a JSON value.
protocol MergeableCollection {
  /// Returns the collection with the elements of another collection of the same type. Nil if `other` has
  /// another type.
  func adding(_ other: Any) -> Any?
}

extension Array: MergeableCollection {
  /// Returns the elements, then the elements of the other array.
  ///
  /// The result contains each object once. An object of the other array replaces the first object with the
  /// same identity.
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

  /// Returns the object that an element is. Nil if the element is a value or an empty optional.
  private func object(_ element: Element) -> AnyObject? {
    guard let value = ObjectKey.unwrapped(element), type(of: value) is AnyClass else { return nil }
    return value as AnyObject
  }
}

extension Set: MergeableCollection {
  /// Returns the union.
  func adding(_ other: Any) -> Any? { (other as? Set).map(union) }
}

extension Dictionary: MergeableCollection {
  /// Returns the entries of both dictionaries. If both have a key, the value of `other` wins.
  func adding(_ other: Any) -> Any? { (other as? [Key: Value]).map { merging($0) { $1 } } }
}
