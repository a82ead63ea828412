import Arc
import ArcFormat
import ArcJSON

// What is inside of a JSON value, as the columns of a row have it.

extension RowFiller {
  // MARK: Objects

  /// A JSON object that is to become an object, and the node of the reference to it.
  struct FoundObject {
    let index: Int
    let node: Int
  }

  /// Appends the JSON objects in a value that are to become objects, in the order of the text.
  func findObjects(_ node: Int, _ index: Int, _ found: inout [FoundObject]) throws {
    guard nodes[node].holdsReferences else { return }
    guard nodes[node].isMentioned else { return try findObjectsInside(node, index, &found) }
    try StackExtension.call { try findObjectsInside(node, index, &found) }
  }

  private func findObjectsInside(_ node: Int, _ index: Int, _ found: inout [FoundObject]) throws {
    switch nodes[node].kind {
    case .reference:
      if document.word(at: index).kind == .object, nodes[node].leadsToObjects {
        found.append(FoundObject(index: index, node: node))
      }
    case .optional: try findObjects(nodes[node].child, index, &found)
    case .array, .set:
      for element in document.elements(of: index) { try findObjects(nodes[node].child, element, &found) }
    case .dictionary: try findObjects(inEntriesOf: node, index, &found)
    case .structure:
      for (position, child) in descriptions[node].children.enumerated() where nodes[child].holdsReferences {
        if let part = part(position, of: node, at: index) { try findObjects(child, part, &found) }
      }
    case .enumeration:
      if let (_, child, payload) = enumerationCase(node, index), let child, let payload {
        let place = placeOfPayload(child, payload)
        try findObjects(place.node, place.index, &found)
      }
    default: break
    }
  }

  /// Appends those in the values of a dictionary, and in its keys where it is an array of pairs.
  private func findObjects(
    inEntriesOf node: Int, _ index: Int, _ found: inout [FoundObject]
  ) throws {
    for key in document.keys(of: index) { try findObjects(nodes[node].secondChild, key + 1, &found) }
    for pair in document.elements(of: index) {
      guard let (key, value) = keyAndValue(ofPair: pair) else { continue }
      try findObjects(nodes[node].child, key, &found)
      try findObjects(nodes[node].secondChild, value, &found)
    }
  }

  // MARK: Parts

  /// Whether the values of a node are structures, or optional ones, with named fields.
  func isStructure(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .optional: isStructure(nodes[node].child)
    case .structure: descriptions[node].labels.allSatisfy { !$0.isEmpty }
    default: false
    }
  }

  /// The names of the members that a structure, or an optional one, is made of.
  func memberNames(_ node: Int) -> [String] {
    nodes[node].kind == .optional ? memberNames(nodes[node].child) : names[node]
  }

  /// The key and the value of an entry that is an array of both; nil for any other.
  func keyAndValue(ofPair index: Int) -> (key: Int, value: Int)? {
    let word = document.word(at: index)
    guard word.kind == .array, word.length == 2 else { return nil }
    return (index + 2, document.end(of: index + 2))
  }

  /// The value of a member; of members of one name the last one, unless the document says otherwise.
  private func member(_ name: String, of index: Int) -> Int? {
    document.member(name, of: index, takesLast: document.duplicateKeys != .first)
  }

  /// The value of a field: the member with its name, or of an array the element with its number.
  func part(_ position: Int, of node: Int, at index: Int) -> Int? {
    switch document.word(at: index).kind {
    case .object:
      let name = names[node][position]
      return member(name.isEmpty ? "_\(position)" : name, of: index)
    case .array: return document.element(position, of: index)
    default: return nil
    }
  }

  /// The case of a JSON value, the node of its associated values if it has some, and their value: `"circle"`,
  /// or `{"circle": {"radius": 2}}`.
  func enumerationCase(_ node: Int, _ index: Int) -> (position: Int, child: Int?, payload: Int?)? {
    let key: Int
    var payload: Int?
    if case .tagged(let name)? = formats[node]?.kind {
      guard let tag = member(name, of: index), document.word(at: tag).kind.isString else { return nil }
      return enumerationCase(node, named: tag, payload: index)
    }
    let word = document.word(at: index)
    if word.kind.isString {
      key = index
    } else if word.kind == .object, word.length == 1 {
      key = index + 2
      payload = key + 1
    } else {
      return nil
    }
    return enumerationCase(node, named: key, payload: payload)
  }

  private func enumerationCase(
    _ node: Int, named key: Int, payload: Int?
  ) -> (position: Int, child: Int?, payload: Int?)? {
    let description = descriptions[node]
    guard let position = description.labels.firstIndex(where: { document.isString(at: key, $0) }) else {
      return nil
    }
    return (position, description.payloads[position].map { description.children[$0] }, payload)
  }

  /// Which node has the associated values of a case that an entry has: a single one without a name needs no
  /// `{"_0": …}` around it.
  func placeOfPayload(_ child: Int, _ index: Int) -> (node: Int, index: Int) {
    let fields = descriptions[child]
    guard fields.kind == .structure, fields.children.count == 1, fields.labels == [""],
      document.word(at: index).kind != .object || member("_0", of: index) == nil
    else { return (child, index) }
    return (fields.children[0], index)
  }
}
