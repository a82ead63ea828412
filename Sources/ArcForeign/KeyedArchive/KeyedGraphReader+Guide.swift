import ArcFormat

// Conversion of values to the shapes that the program declares.

extension KeyedGraphReader {
  /// Converts a value to the form that a property with this shape requires.
  ///
  /// Objects of lists and dictionaries are replaced with their contents, objects of Foundation with the
  /// values that they represent, and `NSNull` with nil. If the value does not fit the shape, it is returned
  /// unchanged, so that reading the archive reports the mismatch. Recursion is at most as deep as the shape.
  mutating func fitted(
    _ value: ImportedValue, to shape: ImportGuide.Shape
  ) throws(ImportError) -> ImportedValue {
    if value.kind == .null { return ImportedValue(.nothing) }
    var value = value
    if !shape.acceptsData {
      while value.kind == .data, let root = try innerRoot(ofData: Int(value.index)) { value = root }
    }
    switch shape.unwrapped {
    case .value(.string): return try text(of: value) ?? value
    case .value(.data): return try data(of: value) ?? value
    case .value(.number) where value.kind == .string && graph.list.notation == .openStep:
      return number(ofText: value) ?? value
    case .value, .optional: return value
    case .reference(nil): return try boxed(value)
    case .reference(let name?): return try object(of: value, asClass: name) ?? value
    case .structure(let form): return try structure(of: value, form) ?? value
    case .list(let element):
      if case .value(.number) = element, let data = try data(of: value) { return data }
      guard let values = try listElements(of: value, element) else { return value }
      var fittedValues: [ImportedValue] = []
      for value in values { fittedValues.append(try fittedElement(value, to: element)) }
      return try collect(.list, fittedValues)
    case .dictionary(let key, let inner):
      guard let (keys, values) = try dictionaryEntries(of: value) else { return value }
      var fittedValues: [ImportedValue] = []
      for value in keys { fittedValues.append(try fittedElement(value, to: key)) }
      for value in values { fittedValues.append(try fittedElement(value, to: inner)) }
      return try collect(.dictionary, fittedValues)
    }
  }

  /// Converts a string of an OpenStep property list to the number or Boolean that it denotes. These lists
  /// contain only strings and data. Nil if the string denotes neither.
  private mutating func number(ofText value: ImportedValue) -> ImportedValue? {
    let (index, offset) = (Int(value.index), graph.list.byteOffsets[Int(value.index)])
    guard graph.list.contentByteCount(index) <= NumberText.maximumByteCount,
      let text = graph.list.string(index)
    else { return nil }
    if let flag = ["YES": true, "NO": false][text] {
      return ImportedValue(.bool, graph.list.append(.bool(flag), at: offset))
    }
    if let number = XMLScanner.integer(text) {
      return ImportedValue(.integer, graph.list.append(.integer(number), at: offset))
    }
    return XMLScanner.real(text).map { ImportedValue(.real, graph.list.append(.real($0), at: offset)) }
  }

  /// Returns an element of a collection in the form that a shape requires. If the elements have the type
  /// `Any`, `NSNull` gets a box.
  private mutating func fittedElement(
    _ value: ImportedValue, to shape: ImportGuide.Shape
  ) throws(ImportError) -> ImportedValue {
    if value.kind == .null, case .reference(nil) = shape { return try boxed(value) }
    return try fitted(value, to: shape)
  }

  /// Returns the elements of a list, or of an object that represents a list, such as an array, a set or an
  /// index set. Nil for other values.
  private mutating func listElements(
    of value: ImportedValue, _ element: ImportGuide.Shape
  ) throws(ImportError) -> [ImportedValue]? {
    if value.kind == .list { return Array(graph.elements[graph.collections[Int(value.index)]]) }
    if let elements = try foundationElements(of: value, element) { return elements }
    guard let contents = try contents(of: value) else { return nil }
    guard contents.keyNodes == nil, let nodes = contents.nodes else {
      try charge(contents)
      return nil
    }
    return try values(nodes)
  }

  /// Returns the keys and values of a dictionary object, or the elements and counts of a counted set. Nil for
  /// other values.
  private mutating func dictionaryEntries(
    of value: ImportedValue
  ) throws(ImportError) -> (keys: [ImportedValue], values: [ImportedValue])? {
    if let object = try archivedObject(value), object.kind == .countedSet {
      return (try numberedValues("NS.object", object), try numberedValues("NS.count", object))
    }
    guard let contents = try contents(of: value) else { return nil }
    guard let keyNodes = contents.keyNodes, let nodes = contents.nodes else {
      try charge(contents)
      return nil
    }
    return (try values(keyNodes), try values(nodes))
  }

  /// Returns the contents of a collection object. Nil for other values, and for objects with members that do
  /// not belong to a collection.
  mutating func contents(of value: ImportedValue) throws(ImportError) -> Contents? {
    guard value.kind == .object else { return nil }
    let object = Int(value.index)
    switch sources[object] {
    case .properties, .box: return nil
    case .archived, .container: break
    }
    let node = node(ofObject: object)
    try charge(elements: 1 + (graph.list.entries(node)?.keys.count ?? 0), at: node)
    let contents = try contents(ofObject: object).contents
    return contents.nodes != nil && contents.rest.isEmpty ? contents : nil
  }

  /// Charges the elements of a collection that was read but is not stored. This is necessary because any
  /// number of values may refer to the collection.
  mutating func charge(_ contents: Contents) throws(ImportError) {
    try charge(elements: contents.nodes?.count ?? 0, at: graph.list.top)
  }

  /// Converts a dictionary to an object of a program's class, whose properties are the entries of the
  /// dictionary. Nil if the value is not a dictionary, or if the value is already an object of a class of the
  /// program.
  private mutating func object(
    of value: ImportedValue, asClass name: String
  ) throws(ImportError) -> ImportedValue? {
    guard value.kind == .object, let guide, guide.hasClass(name), !isProgramObject(value) else { return nil }
    let classIndex = addClass(ImportedClass(name: name, superclasses: []))
    let source = ObjectSource.properties(ofObject: Int(value.index), classIndex: classIndex)
    if convertedObjects[ConvertedObject(value: value, classIndex: classIndex)] == nil {
      guard let contents = try contents(of: value) else { return nil }
      try charge(contents)
      guard contents.keyNodes != nil else { return nil }
    }
    return ImportedValue(.object, object(source, from: value, classIndex: classIndex))
  }

  /// Whether a value is an archived object of a class that the program has.
  func isProgramObject(_ value: ImportedValue) -> Bool {
    guard value.kind == .object, case .archived(let uid) = sources[Int(value.index)] else { return false }
    return classOfUID[uid].map { programClasses[$0] != nil } ?? false
  }

  /// Returns the members of an object whose properties are the entries of a dictionary.
  mutating func properties(ofDictionary object: Int) throws(ImportError) -> Contents {
    let contents = try contents(ofObject: object).contents
    var members: [(key: Int, node: Int)] = []
    var seen: Set<Int> = []
    for (keyNode, node) in zip(contents.keyNodes ?? [], contents.nodes ?? []) {
      guard let text = plainNode(Int(keyNode)), let key = keys.number(ofNode: text, in: graph.list) else {
        throw ImportError(
          .typeMismatch, found: "a dictionary with a key that is not a string",
          expected: "the keys of properties, which are strings")
      }
      guard seen.insert(key).inserted else {
        throw ImportError(
          .duplicateKey, found: "two equal keys in a dictionary", expected: "distinct keys",
          key: keys.keys[key])
      }
      members.append((key, Int(node)))
    }
    return Contents(rest: members)
  }
}
