/// A collection to which an update can add the elements of a JSON array or object.
protocol MergeableCollection {
  /// Returns this collection with the elements of `other` added. Nil if `other` has another type.
  func adding(_ other: Any) -> Any?
}

extension Array: MergeableCollection {
  /// Returns an array with the elements of this array, followed by the elements of `other`.
  ///
  /// The result contains each object once. An object of `other` replaces the first object of this array that
  /// has the same identity.
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

  /// Returns an element as an object. Nil if the element is a value or an empty optional.
  private func object(_ element: Element) -> AnyObject? {
    guard let value = ObjectKey.unwrapped(element), type(of: value) is AnyClass else { return nil }
    return value as AnyObject
  }
}

extension Set: MergeableCollection {
  /// Returns the union of both sets. Nil if `other` has another type.
  func adding(_ other: Any) -> Any? { (other as? Set).map(union) }
}

extension Dictionary: MergeableCollection {
  /// Returns a dictionary with the entries of both dictionaries. If both dictionaries contain a key, the
  /// result has the value of `other`. Nil if `other` has another type.
  func adding(_ other: Any) -> Any? { (other as? [Key: Value]).map { merging($0) { $1 } } }
}
