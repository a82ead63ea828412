import ArcFormat
import ArcRuntime

/// Reads the class descriptions of a keyed archive, each description once.
extension KeyedGraphReader {
  /// Returns the index of the class to which a value of `$class` refers.
  mutating func classIndex(ofClassNode node: Int, uid: Int?) throws(ImportError) -> Int {
    func malformed(_ found: String, _ expected: String, _ key: String, at node: Int) -> ImportError {
      ImportError(
        .malformedKeyedArchive, found: found, expected: expected, byteOffset: graph.list.byteOffsets[node],
        objectUID: uid.map { number(ofUID: $0) }, key: key)
    }
    guard case .uid(let number) = graph.list.nodes[node] else {
      throw malformed("\(graph.list.words(node)) as a class", "the UID of a class", "$class", at: node)
    }
    let target = try objectNode(number, at: node)
    if let known = classOfObject[Int(number)] { return known }
    let description = try KeyedMembers(graph.list, target, &keys)
    let nameNode = description.flatMap { member("$classname", $0) }
    // Charged per description, because many descriptions may have the same name and each copies it.
    if let nameNode { try charge(ImportedValue(.string, nameNode)) }
    guard let members = description, let name = nameNode.flatMap({ graph.list.string($0) }), !name.isEmpty
    else {
      throw malformed(
        "an object that is not a class", "a dictionary with '$classname'", "$class", at: target)
    }
    var names: [String] = []
    if let chain = member("$classes", members) {
      guard let elements = graph.list.elements(chain) else {
        throw malformed(
          "\(graph.list.words(chain)) as the superclasses", "an array of class names", "$classes", at: chain)
      }
      try charge(elements: elements.count, at: chain)
      for element in elements {
        try charge(ImportedValue(.string, Int(element)))
        guard let text = graph.list.string(Int(element)), !text.isEmpty else {
          throw malformed(
            "\(graph.list.words(Int(element))) as a superclass", "the name of a class", "$classes", at: chain)
        }
        names.append(text)
      }
    }
    if member("$classhints", members) != nil { report.note(.classHints, "class '\(name)'") }
    return addClass(name, names, ofObject: Int(number))
  }

  private mutating func addClass(_ name: String, _ chain: [String], ofObject object: Int) -> Int {
    // Foundation writes one description per class. `ImportCatalog` compares several descriptions of a class.
    var seen: Set = [ExactName(name), ExactName("NSObject")]
    let superclasses = chain.filter { seen.insert(ExactName($0)).inserted }
    let index = addClass(ImportedClass(name: name, superclasses: superclasses))
    classOfObject[object] = index
    return index
  }

  mutating func addClass(_ description: ImportedClass) -> Int {
    if let known = classIndices[description] { return known }
    graph.classes.append(description)
    let lineage = Set([description.name] + description.superclasses)
    shapes.append(
      lineage.isDisjoint(with: ["NSArray", "NSSet", "NSOrderedSet"])
        ? lineage.contains("NSDictionary") ? .dictionary : .object : .list)
    kinds.append(FoundationKind(description))
    programClasses.append(guide?.className(for: description.name))
    classIndices[description] = graph.classes.count - 1
    return graph.classes.count - 1
  }

  /// Returns the class name in an object's members. Nil if they contain no `$class`.
  mutating func className(of members: KeyedMembers) throws(ImportError) -> String? {
    guard let node = member("$class", members) else { return nil }
    return graph.classes[try classIndex(ofClassNode: node, uid: nil)].name
  }
}

/// The form in which the objects of a class store their contents.
enum KeyedShape {
  /// Each property as a member with the key of the property.
  case object
  /// Elements under `NS.objects`.
  case list
  /// Keys under `NS.keys` and values under `NS.objects`.
  case dictionary
}
