import ArcFormat

// Values in properties of type `Any`. An archive stores such a value in a box: an object whose class has the
// name of the value's type, and whose only property is the value.

extension KeyedGraphReader {
  /// The structure without fields that represents `NSNull`.
  private static let null = Structure(name: "Foundation.NSNull", fields: [])

  /// Returns the box of a value for a property of type `Any`. Only collections and single values, such as
  /// numbers and strings, get a box. Nil, objects of classes and other values are returned unchanged.
  ///
  /// The content of a box is read when the walk reaches the box, so nested collections need no recursion.
  mutating func boxed(_ value: ImportedValue) throws(ImportError) -> ImportedValue {
    if let known = boxes[value] { return known }
    let original = value
    var value = value
    var name: String
    switch value.kind {
    case .nothing, .missing, .structure, .list, .dictionary: return value
    case .null: name = Self.null.name
    case .bool: name = "Bool"
    case .integer: name = integerName(value)
    case .real: name = "Double"
    case .date: name = "Date"
    case .string: name = "String"
    case .data: name = "Data"
    case .uuid: name = "UUID"
    case .url: name = "URL"
    case .decimal: name = "Decimal"
    case .object:
      if isProgramObject(value) || isConverted(value) { return value }
      if let object = try archivedObject(value), object.kind == .string || object.kind == .data {
        let single = object.kind == .string ? try text(of: value) : try data(of: value)
        guard let single else { return value }
        value = single
        name = object.kind == .string ? "String" : "Data"
        break
      }
      guard let contents = try contents(of: value) else { return value }
      try charge(contents)
      name = try collectionName(contents, of: value)
    }
    let classIndex = addClass(ImportedClass(name: name, superclasses: []))
    let box = object(.box(value, classIndex: classIndex), from: value, classIndex: classIndex)
    boxes[original] = ImportedValue(.object, box)
    return ImportedValue(.object, box)
  }

  private func isConverted(_ value: ImportedValue) -> Bool {
    switch sources[Int(value.index)] {
    case .properties, .box: true
    case .archived, .container: false
    }
  }

  private func integerName(_ value: ImportedValue) -> String {
    guard case .integer(let number) = graph.list.nodes[Int(value.index)] else { return "Int" }
    if Int64(exactly: number) != nil { return "Int" }
    return UInt64(exactly: number) != nil ? "UInt64" : "Int128"
  }

  /// Returns the name of the Swift type for a collection of values of any types.
  private mutating func collectionName(
    _ contents: Contents, of value: ImportedValue
  ) throws(ImportError) -> String {
    guard let keyNodes = contents.keyNodes else {
      let object = try archivedObject(value)
      let names = object.map {
        [graph.classes[$0.classIndex].name] + graph.classes[$0.classIndex].superclasses
      }
      return names?.contains("NSSet") ?? false ? "Set<AnyHashable>" : "Array<Any>"
    }
    var areStrings = true
    for key in try values(keyNodes) where areStrings {
      let isText = key.kind == .string ? true : try text(of: key) != nil
      areStrings = isText
    }
    return "Dictionary<\(areStrings ? "String" : "AnyHashable"), Any>"
  }

  /// Returns the value of the only property of a box.
  mutating func content(ofBox value: ImportedValue) throws(ImportError) -> ImportedValue {
    switch value.kind {
    case .null: return try structure(Self.null, [])
    case .object:
      guard let contents = try contents(of: value) else { return value }
      guard contents.keyNodes != nil else { return try fitted(value, to: .list(.reference(nil))) }
      let hasStrings = try collectionName(contents, of: value).hasPrefix("Dictionary<String")
      return try fitted(
        value, to: .dictionary(hasStrings ? .value(.string) : .reference(nil), .reference(nil)))
    default:
      try charge(value)
      return value
    }
  }

  /// Throws if boxes are nested more deeply than the limit, because releasing such a value would exhaust the
  /// stack of a program. Called with the row of each object, after the rows of the boxes in it.
  mutating func checkDepth(of object: Int, _ row: ImportedRow) throws(ImportError) {
    guard case .box = sources[object] else { return }
    var depth = 1
    for field in graph.fields[row.fields] where field.value.kind == .list || field.value.kind == .dictionary {
      for element in graph.elements[graph.collections[Int(field.value.index)]] where element.kind == .object {
        depth = max(depth, 1 + (boxDepths[Int(element.index)] ?? 0))
      }
    }
    boxDepths[object] = depth
    try ImportError.check(depth, within: budget.limits.nesting, "nesting", byteOffset: row.byteOffset)
  }
}
