import ArcFormat

// Converting the nodes of a property list to values of an archive.

extension KeyedGraphReader {
  /// Returns the node of the member with a key. Nil if there is none.
  mutating func member(_ key: String, _ members: KeyedMembers) -> Int? { members[keys.number(of: key)] }

  /// Returns the node of the object with a UID. `node` is the node that contains the UID. Errors report the
  /// offset of this node.
  func objectNode(_ uid: UInt64, at node: Int) throws(ImportError) -> Int {
    guard uid < UInt64(objects.count) else {
      throw ImportError(
        .danglingReference, found: "the UID \(uid)",
        expected: "a UID below \(objects.count), the number of objects",
        byteOffset: graph.list.byteOffsets[node])
    }
    return Int(objects[Int(uid)])
  }

  /// Returns the node of the object to which a UID node refers, and marks the object as part of a value.
  /// Returns any other node itself. Nil if the UID is invalid.
  mutating func plainNode(_ node: Int) -> Int? {
    guard case .uid(let uid) = graph.list.nodes[node] else { return node }
    guard uid < UInt64(objects.count) else { return nil }
    isUsed[Int(uid)] = true
    return Int(objects[Int(uid)])
  }

  /// Whether a node is the string `$null`, which represents nil.
  func isNull(_ node: Int) -> Bool {
    guard case .string(let start, 5, .ascii) = graph.list.nodes[node] else {
      guard case .string(let start, 5, .utf8) = graph.list.nodes[node] else { return false }
      return graph.list.content[start..<start + 5].elementsEqual("$null".utf8)
    }
    return graph.list.content[start..<start + 5].elementsEqual("$null".utf8)
  }

  /// Whether a node is null, or the UID of `$null`.
  func isNothing(_ node: Int) -> Bool {
    switch graph.list.nodes[node] {
    case .null: true
    case .uid(let uid): uid < UInt64(objects.count) && isNull(Int(objects[Int(uid)]))
    default: false
    }
  }

  /// Returns the value of a node that is not a UID. Containers become objects.
  mutating func scalar(_ node: Int) -> ImportedValue {
    switch graph.list.nodes[node] {
    case .null: ImportedValue(.nothing)
    // Only in a list that is not a keyed archive, where a UID refers to nothing.
    case .uid: ImportedValue(.integer, node)
    case .bool: ImportedValue(.bool, node)
    case .integer: ImportedValue(.integer, node)
    case .real: ImportedValue(.real, node)
    case .date: ImportedValue(.date, node)
    case .data: ImportedValue(.data, node)
    case .string: ImportedValue(.string, node)
    case .array, .set, .dictionary: ImportedValue(.object, object(ofNode: node))
    }
  }

  mutating func value(ofNode node: Int) throws(ImportError) -> ImportedValue {
    guard case .uid(let uid) = graph.list.nodes[node], !objects.isEmpty else {
      noteContent(node)
      return scalar(node)
    }
    return try value(ofObject: uid, at: node)
  }

  mutating func value(ofObject uid: some BinaryInteger, at node: Int) throws(ImportError) -> ImportedValue {
    let target = try objectNode(UInt64(truncatingIfNeeded: uid), at: node)
    let uid = Int(uid)
    if let known = resolved[uid] { return known }
    let value = try newValue(ofObject: uid, target)
    resolved[uid] = value
    return value
  }

  private mutating func newValue(ofObject uid: Int, _ node: Int) throws(ImportError) -> ImportedValue {
    if isNull(node) { return ImportedValue(.nothing) }
    if case .uid = graph.list.nodes[node] {
      throw ImportError(
        .malformedKeyedArchive, found: "a UID as an element of '$objects'", expected: "an object",
        byteOffset: graph.list.byteOffsets[node], objectUID: number(ofUID: uid))
    }
    noteContent(node)
    guard graph.list.isContainer(node) else { return scalar(node) }
    do throws(ImportError) {
      if let members = try KeyedMembers(graph.list, node, &keys), let description = members[classKey] {
        let index = try classIndex(ofClassNode: description, uid: uid)
        if guide != nil { classOfUID[uid] = index }
        let name = graph.classes[index].name
        if let value = try self.value(name, members, uid: uid) { return value }
        let isOrdinary =
          !FoundationNames.values.contains(name) || (name.contains("Mutable") && referenceCounts[uid] > 1)
        let number = number(ofUID: uid)
        if !isOrdinary { report.note(.irregularValue, "object \(number), class '\(name)'") }
      }
    } catch {
      throw error.located(objectUID: number(ofUID: uid))
    }
    return ImportedValue(.object, object(ofUID: uid))
  }

  /// Adds notes for unpaired surrogates in a string, and for data that contains a keyed archive.
  private mutating func noteContent(_ node: Int) {
    // Once per node, because many references may share a long string.
    guard !isNoted[node] else { return }
    isNoted[node] = true
    if case .data = graph.list.nodes[node] { noteNesting(node) }
    guard case .string(_, _, .utf16) = graph.list.nodes[node], graph.list.text(of: node)?.isRepaired ?? false
    else { return }
    report.note(.replacedSurrogate, "string at byte \(graph.list.byteOffsets[node])")
  }
}
