import ArcFormat

// Reading objects as rows: their members, and the elements of collections.

extension KeyedGraphReader {
  /// The contents of an object: the elements of a collection, and all other members.
  struct Contents {
    /// The nodes of a dictionary's keys. Nil for other objects.
    var keyNodes: [UInt32]?
    /// The nodes of a list's elements or of a dictionary's values. Nil for other objects.
    var nodes: [UInt32]?
    /// The members that do not contain elements, keys or values of a collection.
    var rest: [(key: Int, node: Int)] = []
  }

  /// Reads an object as a row.
  mutating func row(of object: Int) throws(ImportError) -> ImportedRow {
    var classIndex = 0
    let start = graph.fields.count
    do throws(ImportError) {
      let fields: [ImportedField]
      switch sources[object] {
      case .archived, .container:
        let found = try contents(ofObject: object)
        classIndex = found.classIndex
        fields = try self.fields(found.contents, classIndex)
      case .properties(let dictionary, let index):
        classIndex = index
        fields = try self.fields(try properties(ofDictionary: dictionary), index)
      case .box(let value, let index):
        classIndex = index
        fields = [ImportedField(key: keys.number(of: "value"), value: try content(ofBox: value))]
      }
      graph.fields += fields
      return ImportedRow(
        classIndex: classIndex, fields: start..<graph.fields.count, uid: uid(ofObject: object),
        byteOffset: byteOffset(of: object))
    } catch {
      let name = classIndex < graph.classes.count ? graph.classes[classIndex].name : nil
      throw error.located(
        byteOffset: byteOffset(of: object), objectUID: uid(ofObject: object), className: name)
    }
  }

  /// Returns the class and the contents of an object of the file.
  mutating func contents(ofObject object: Int) throws(ImportError) -> (classIndex: Int, contents: Contents) {
    let node = node(ofObject: object)
    let members = try KeyedMembers(graph.list, node, &keys)
    guard case .archived(let uid) = sources[object], let members, let description = members[classKey] else {
      return plainContents(node)
    }
    let classIndex = try self.classIndex(ofClassNode: description, uid: uid)
    return (classIndex, try contents(members, classIndex))
  }

  /// Returns the class and the contents of an array, set or dictionary that the file stores without an
  /// object.
  mutating func plainContents(_ node: Int) -> (classIndex: Int, contents: Contents) {
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
      readNumbered(&contents, isDictionary: shape == .dictionary, classIndex)
    }
    return contents
  }

  private mutating func remove(_ names: [String], from contents: inout Contents) {
    let usedKeys = names.map { keys.number(of: $0) }
    contents.rest.removeAll { usedKeys.contains($0.key) }
  }

  /// Reads a collection that was written element by element, with keys such as `NS.object.0` and `NS.key.0`.
  private mutating func readNumbered(_ contents: inout Contents, isDictionary: Bool, _ classIndex: Int) {
    let nodes = Dictionary(contents.rest.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    var (keyNodes, objectNodes, usedKeys): ([UInt32], [UInt32], Set<Int>) = ([], [], [])
    for position in 0..<nodes.count {
      let objectKey = keys.number(of: "NS.object.\(position)")
      guard let object = nodes[objectKey] else { break }
      if isDictionary {
        let keyKey = keys.number(of: "NS.key.\(position)")
        guard let key = nodes[keyKey] else { break }
        keyNodes.append(UInt32(truncatingIfNeeded: key))
        usedKeys.insert(keyKey)
      }
      objectNodes.append(UInt32(truncatingIfNeeded: object))
      usedKeys.insert(objectKey)
    }
    guard !usedKeys.isEmpty || contents.rest.isEmpty else { return }
    if !usedKeys.isEmpty { report.note(.oldCollection, "class '\(graph.classes[classIndex].name)'") }
    contents.nodes = objectNodes
    if isDictionary { contents.keyNodes = keyNodes }
    contents.rest.removeAll { usedKeys.contains($0.key) }
  }

  mutating func fields(
    _ contents: Contents, _ classIndex: Int
  ) throws(ImportError) -> [ImportedField] {
    var fields: [ImportedField] = []
    if let nodes = contents.nodes {
      let isDictionary = contents.keyNodes != nil
      let name = isDictionary ? "entries" : "objects"
      var values = try self.values(contents.keyNodes ?? [])
      if isDictionary { try checkDistinct(values) }
      values += try self.values(nodes)
      // The name has the prefix "NS." only if a subclass has a member with the short name.
      let short = keys.number(of: name)
      let key = contents.rest.contains { $0.key == short } ? keys.number(of: "NS." + name) : short
      fields.append(ImportedField(key: key, value: try collect(isDictionary ? .dictionary : .list, values)))
    }
    let programClass = programClasses[classIndex]
    for (key, node) in contents.rest {
      do throws(ImportError) {
        var value = try fieldValue(node)
        if let guide, let programClass {
          if let shape = guide.shape(ofKey: keys.keys[key], inClass: programClass) {
            value = try fitted(value, to: shape)
          } else if !guide.reads(key: keys.keys[key], inClass: programClass) {
            report.noteUnread(key: keys.keys[key], className: programClass)
          }
        }
        try charge(value)
        fields.append(ImportedField(key: key, value: value))
      } catch {
        throw error.located(key: keys.keys[key])
      }
    }
    return fields
  }

  /// Returns the value of a member. If the file stores an array directly in the member, not as an object, the
  /// value is a list.
  mutating func fieldValue(_ node: Int) throws(ImportError) -> ImportedValue {
    guard let elements = graph.list.elements(node) else { return try value(ofNode: node) }
    return try collect(.list, try values(Array(elements)))
  }

  mutating func values(_ nodes: [UInt32]) throws(ImportError) -> [ImportedValue] {
    var values: [ImportedValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try value(ofNode: Int(node))) }
    return values
  }

  /// Throws if two keys of a dictionary are equal, because one of their values would be lost.
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
