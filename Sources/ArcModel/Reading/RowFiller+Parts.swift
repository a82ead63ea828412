import Arc
import ArcFormat
import ArcJSON

// What is inside of a JSON value, as the columns of a row have it.

extension RowFiller {
  // MARK: Objects

  /// A JSON object that is to become an object, and the node of the reference to it.
  struct PendingObject {
    let index: Int
    let node: Int
  }

  /// Appends the JSON objects in a value that are to become objects, in the order of the text.
  func findObjects(_ node: Int, _ index: Int, _ found: inout [PendingObject]) throws {
    guard nodes[node].holdsReferences else { return }
    if nodes[node].leadsToObjects {
      guard document.word(at: index).kind == .object else { return }
      if let tag = choice(ofReference: node)?.tag { noteTag(tag, index) }
      found.append(PendingObject(index: index, node: node))
      return
    }
    guard nodes[node].isMentioned else { return try findObjectsInside(node, index, &found) }
    try StackExtension.call { try findObjectsInside(node, index, &found) }
  }

  private func findObjectsInside(_ node: Int, _ index: Int, _ found: inout [PendingObject]) throws {
    switch nodes[node].kind {
    case .optional: try findObjects(nodes[node].child, index, &found)
    case .array, .set:
      let (child, index) = (nodes[node].child, array(at: index))
      var element = index + 2
      for _ in 0..<document.elementCount(of: index) {
        try findObjects(child, element, &found)
        element = document.end(of: element)
      }
    case .dictionary: try findObjects(inEntriesOf: node, index, &found)
    case .structure:
      for field in shape.structures[node]?.fields ?? [] where nodes[field.node].holdsReferences {
        if let part = part(field, at: index) { try findObjects(field.node, part, &found) }
      }
    case .enumeration where shape.codedPlans[node] == nil:
      if let (_, child, payload) = enumerationCase(node, index), let child, let payload {
        let place = placeOfPayload(child, payload, isBesideTag: payload == index)
        try findObjects(place.node, place.index, &found)
      }
    default: break
    }
  }

  /// Appends those in the values of a dictionary, and in its keys where it is an array of pairs.
  private func findObjects(
    inEntriesOf node: Int, _ index: Int, _ found: inout [PendingObject]
  ) throws {
    for key in document.keys(of: index) { try findObjects(nodes[node].secondChild, key + 1, &found) }
    for pair in document.elements(of: index) {
      guard let (key, value) = keyAndValue(ofPair: pair) else { continue }
      try findObjects(nodes[node].child, key, &found)
      try findObjects(nodes[node].secondChild, value, &found)
    }
  }

  // MARK: Parts

  /// The key and the value of an entry that is an array of both; nil for any other.
  func keyAndValue(ofPair index: Int) -> (key: Int, value: Int)? {
    let word = document.word(at: index)
    guard word.kind == .array, word.length == 2 else { return nil }
    return (index + 2, document.end(of: index + 2))
  }

  /// The case of a JSON value, the node of its associated values if it has some, and their value: `"circle"`,
  /// or `{"circle": {"radius": 2}}`.
  func enumerationCase(_ node: Int, _ index: Int) -> (position: Int, child: Int?, payload: Int?)? {
    let key: Int
    var payload: Int?
    if case .tagged(let name)? = shape.formats[node]?.kind {
      guard let tag = document.member(name, of: index), document.word(at: tag).isString else {
        return nil
      }
      noteTag(name, index)
      return enumerationCase(node, named: tag, payload: index)
    }
    let word = document.word(at: index)
    if word.isString {
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
    let description = shape.descriptions[node]
    guard let position = position(ofCaseAt: key, node) else { return nil }
    return (position, description.payloads[position].map { description.children[$0] }, payload)
  }

  /// The number of the case with a name.
  private func position(ofCaseAt key: Int, _ node: Int) -> Int? {
    if let position = shape.names[node].firstIndex(where: { document.isString(at: key, $0) }) {
      return position
    }
    return shape.otherCaseNames[node]?.firstIndex { $0.contains { document.isString(at: key, $0) } }
  }

  /// Which node has the associated values of a case that an entry has: a single one without a name needs no
  /// `{"_0": …}` around it. Beside the name of the case only what has members of its own needs none.
  func placeOfPayload(_ child: Int, _ index: Int, isBesideTag: Bool = false) -> (node: Int, index: Int) {
    let fields = shape.descriptions[child]
    guard fields.kind == .structure, fields.children.count == 1, fields.labels == [""],
      document.word(at: index).kind != .object || document.member("_0", of: index) == nil
    else { return (child, index) }
    // Any other would be looked for in the same object again, and so on without end.
    let kind = nodes[fields.children[0]].kind
    guard !isBesideTag || kind == .structure || kind == .reference else { return (child, index) }
    return (fields.children[0], index)
  }
}
