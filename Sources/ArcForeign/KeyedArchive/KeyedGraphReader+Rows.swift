import ArcFormat

// Objects as rows: what is under their keys, and what collections contain.

extension KeyedGraphReader {
  /// The nodes of an object's contents.
  struct Contents {
    /// Those of a list, or the keys and values of a dictionary; nil for an object without.
    var keyNodes: [UInt32]?
    var nodes: [UInt32]?
    /// What stands beside.
    var rest: [(key: Int, node: Int)] = []
  }

  /// The node of an object, and its UID if it has one.
  func place(_ object: Int) -> (node: Int, uid: Int?) {
    object < objects.count ? (Int(objects[object]), object) : (object - objects.count, nil)
  }

  mutating func row(of object: Int) throws(ImportError) -> ImportedRow {
    let (node, uid) = place(object)
    var classIndex = 0
    do throws(ImportError) {
      let contents: Contents
      let members = try KeyedMembers(graph.list, node, &keys)
      if let uid, let members, let description = members[classKey] {
        classIndex = try self.classIndex(ofClassNode: description, uid: uid)
        contents = try self.contents(members, classIndex)
      } else {
        (classIndex, contents) = plainContents(node)
      }
      let fields = try self.fields(contents, classIndex)
      let start = graph.fields.count
      graph.fields += fields
      return ImportedRow(
        classIndex: classIndex, fields: start..<graph.fields.count, uid: uid,
        byteOffset: graph.list.byteOffsets[node])
    } catch {
      let name = classIndex < graph.classes.count ? graph.classes[classIndex].name : nil
      throw error.located(byteOffset: graph.list.byteOffsets[node], objectUID: uid, className: name)
    }
  }

  /// The contents of a container of the notation in place of an object, and the class for such.
  mutating func plainContents(_ node: Int) -> (classIndex: Int, Contents) {
    if !objects.isEmpty { report.note(.plainContainer, "byte \(graph.list.byteOffsets[node])") }
    func index(_ name: String) -> Int { addClass(ImportedClass(name: name, superclasses: [])) }
    if let (keys, values) = graph.list.entries(node) {
      return (index(FoundationNames.plainDictionary), Contents(keyNodes: Array(keys), nodes: Array(values)))
    }
    let elements = graph.list.elements(node).map(Array.init) ?? []
    if case .set = graph.list.nodes[node] {
      return (index(FoundationNames.plainSet), Contents(nodes: elements))
    }
    return (index(FoundationNames.plainArray), Contents(nodes: elements))
  }

  mutating func contents(
    _ members: KeyedMembers, _ classIndex: Int
  ) throws(ImportError) -> Contents {
    var contents = Contents(rest: members.items.filter { $0.key != classKey })
    let shape = shapes[classIndex]
    guard shape != .object else { return contents }
    let (keyNode, node) = (member("NS.keys", members), member("NS.objects", members))
    let nodes = node.flatMap { graph.list.elements($0) }.map(Array.init)
    if shape == .list, let nodes {
      contents.nodes = nodes
      remove(["NS.objects"], from: &contents)
    } else if shape == .dictionary, let nodes, let keyNodes = keyNode.flatMap({ graph.list.elements($0) }) {
      guard keyNodes.count == nodes.count else {
        throw ImportError(
          .malformedKeyedArchive,
          found: "a dictionary of \(plural(keyNodes.count, "key")) and \(plural(nodes.count, "value"))",
          expected: "as many values as keys", key: "NS.keys")
      }
      (contents.keyNodes, contents.nodes) = (Array(keyNodes), nodes)
      remove(["NS.keys", "NS.objects"], from: &contents)
    } else {
      takeNumbered(&contents, isDictionary: shape == .dictionary, classIndex)
    }
    return contents
  }

  private mutating func remove(_ names: [String], from contents: inout Contents) {
    let taken = names.map { keys.number(of: $0) }
    contents.rest.removeAll { taken.contains($0.key) }
  }

  /// Takes the contents of a collection that was written element by element: `NS.object.0`, `NS.key.0`, ….
  private mutating func takeNumbered(_ contents: inout Contents, isDictionary: Bool, _ classIndex: Int) {
    let nodes = Dictionary(contents.rest.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    var (keyNodes, objectNodes, taken): ([UInt32], [UInt32], Set<Int>) = ([], [], [])
    for position in 0..<nodes.count {
      let objectKey = keys.number(of: "NS.object.\(position)")
      guard let object = nodes[objectKey] else { break }
      if isDictionary {
        let keyKey = keys.number(of: "NS.key.\(position)")
        guard let key = nodes[keyKey] else { break }
        keyNodes.append(UInt32(truncatingIfNeeded: key))
        taken.insert(keyKey)
      }
      objectNodes.append(UInt32(truncatingIfNeeded: object))
      taken.insert(objectKey)
    }
    guard !taken.isEmpty || contents.rest.isEmpty else { return }
    if !taken.isEmpty { report.note(.oldCollection, "class '\(graph.classes[classIndex].name)'") }
    contents.nodes = objectNodes
    if isDictionary { contents.keyNodes = keyNodes }
    contents.rest.removeAll { taken.contains($0.key) }
  }

  private mutating func fields(
    _ contents: Contents, _ classIndex: Int
  ) throws(ImportError) -> [ImportedField] {
    var fields: [ImportedField] = []
    if let nodes = contents.nodes {
      let isDictionary = contents.keyNodes != nil
      let name = isDictionary ? "entries" : "objects"
      var values = try self.values(contents.keyNodes ?? [])
      if isDictionary { try checkDistinct(values) }
      values += try self.values(nodes)
      // The name is free, but for a subclass with a key like that.
      let short = keys.number(of: name)
      let key = contents.rest.contains { $0.key == short } ? keys.number(of: "NS." + name) : short
      fields.append(ImportedField(key: key, value: try collect(isDictionary ? .dictionary : .list, values)))
    }
    let programClass = programClasses[classIndex]
    for (key, node) in contents.rest {
      do throws(ImportError) {
        var value = try fieldValue(node)
        if let guide, let programClass, let shape = guide.shape(ofKey: keys.keys[key], inClass: programClass)
        {
          value = try fitted(value, to: shape)
        }
        try charge(value)
        fields.append(ImportedField(key: key, value: value))
      } catch {
        throw error.located(key: keys.keys[key])
      }
    }
    return fields
  }

  /// The value of a key: an array of the notation is a list of values.
  private mutating func fieldValue(_ node: Int) throws(ImportError) -> ImportedValue {
    guard let elements = graph.list.elements(node) else { return try value(ofNode: node) }
    return try collect(.list, try values(Array(elements)))
  }

  mutating func values(_ nodes: [UInt32]) throws(ImportError) -> [ImportedValue] {
    var values: [ImportedValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try value(ofNode: Int(node))) }
    return values
  }

  /// Refuses equal keys of a dictionary: of two values one would be lost.
  private func checkDistinct(_ keys: [ImportedValue]) throws(ImportError) {
    var seen: Set<DictionaryKey> = []
    seen.reserveCapacity(keys.count)
    for key in keys {
      guard seen.insert(DictionaryKey(key, graph)).inserted else {
        throw ImportError(
          .duplicateKey, found: "two equal keys in a dictionary", expected: "distinct keys", key: "NS.keys")
      }
    }
  }
}
