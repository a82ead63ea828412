import ArcFormat

// Conversion of values to the shapes that the program declares.

extension KeyedGraphReader {
  /// Converts a value to the form that a property with this shape requires.
  ///
  /// If an object is a list or dictionary, its contents replace the object. Nil replaces `NSNull`. Recursion
  /// is at most as deep as the shape.
  mutating func fitted(
    _ value: ImportedValue, to shape: ImportGuide.Shape
  ) throws(ImportError) -> ImportedValue {
    if value.kind == .null { return ImportedValue(.nothing) }
    switch shape {
    case .value: return value
    case .list(let element):
      guard let values = try listElements(of: value) else { return value }
      var fittedValues: [ImportedValue] = []
      for value in values { fittedValues.append(try fitted(value, to: element)) }
      return try collect(.list, fittedValues)
    case .dictionary(let key, let inner):
      guard let (keys, values) = try dictionaryEntries(of: value) else { return value }
      var fittedValues: [ImportedValue] = []
      for value in keys { fittedValues.append(try fitted(value, to: key)) }
      for value in values { fittedValues.append(try fitted(value, to: inner)) }
      return try collect(.dictionary, fittedValues)
    }
  }

  /// Returns the elements of a list, or of an object that contains only a list. Nil for other values.
  private mutating func listElements(of value: ImportedValue) throws(ImportError) -> [ImportedValue]? {
    if value.kind == .list { return Array(graph.elements[graph.collections[Int(value.index)]]) }
    guard let contents = try contents(of: value), contents.keyNodes == nil, let nodes = contents.nodes else {
      return nil
    }
    return try values(nodes)
  }

  private mutating func dictionaryEntries(
    of value: ImportedValue
  ) throws(ImportError) -> (keys: [ImportedValue], values: [ImportedValue])? {
    guard let contents = try contents(of: value), let keyNodes = contents.keyNodes, let nodes = contents.nodes
    else { return nil }
    return (try values(keyNodes), try values(nodes))
  }

  private mutating func contents(of value: ImportedValue) throws(ImportError) -> Contents? {
    guard value.kind == .object else { return nil }
    let (node, uid) = location(Int(value.index))
    try charge(elements: 1 + (graph.list.entries(node)?.keys.count ?? 0), at: node)
    let members = try KeyedMembers(graph.list, node, &keys)
    guard let uid, let members, let description = members[classKey] else { return plainContents(node).1 }
    let contents = try self.contents(members, try classIndex(ofClassNode: description, uid: uid))
    return contents.rest.isEmpty ? contents : nil
  }
}
