import Arc
import ArcFormat
import ArcJSON

// Finding objects and parts in JSON values.

extension JSONRowFiller {
  // MARK: Objects

  /// A JSON object from which an object will be built, and the node of the reference to this object.
  struct PendingObject {
    let index: Int
    let node: Int
  }

  /// Appends JSON objects in a value to `pending`, in the order of the text. Appends only JSON objects from
  /// which objects will be built.
  func findObjects(_ node: Int, _ index: Int, _ pending: inout [PendingObject]) throws {
    guard nodes[node].holdsReferences else { return }
    if nodes[node].buildsObjects {
      guard document.word(at: index).kind == .object else { return }
      if let tag = choice(ofReference: node)?.tag { noteTag(tag, index) }
      pending.append(PendingObject(index: index, node: node))
      return
    }
    guard nodes[node].canContainItself else { return try findObjectsInside(node, index, &pending) }
    try StackExtension.call { try findObjectsInside(node, index, &pending) }
  }

  private func findObjectsInside(_ node: Int, _ index: Int, _ pending: inout [PendingObject]) throws {
    switch nodes[node].kind {
    case .optional: try findObjects(nodes[node].child, index, &pending)
    case .array, .set:
      let (child, index) = (nodes[node].child, array(at: index))
      var element = index + 2
      for _ in 0..<document.elementCount(of: index) {
        try findObjects(child, element, &pending)
        element = document.end(of: element)
      }
    case .dictionary: try findObjects(inEntriesOf: node, index, &pending)
    case .structure:
      for field in shape.structures[node]?.fields ?? [] where nodes[field.node].holdsReferences {
        if let part = part(field, at: index) { try findObjects(field.node, part, &pending) }
      }
    case .enumeration where shape.codedPlans[node] == nil:
      if let (_, child, payload) = enumerationCase(node, index), let child, let payload {
        let location = payloadLocation(child, payload, hasTag: payload == index)
        try findObjects(location.node, location.index, &pending)
      }
    default: break
    }
  }

  /// Appends the JSON objects in the values of a dictionary to `pending`. If the dictionary is an array of
  /// pairs, also appends the JSON objects in the keys.
  private func findObjects(
    inEntriesOf node: Int, _ index: Int, _ pending: inout [PendingObject]
  ) throws {
    for key in document.keys(of: index) { try findObjects(nodes[node].secondChild, key + 1, &pending) }
    for pair in document.elements(of: index) {
      guard let (key, value) = keyAndValue(ofPair: pair) else { continue }
      try findObjects(nodes[node].child, key, &pending)
      try findObjects(nodes[node].secondChild, value, &pending)
    }
  }

  // MARK: Parts

  /// Returns the document indices of the key and the value in a pair. Returns nil if the JSON value is not an
  /// array of two elements.
  func keyAndValue(ofPair index: Int) -> (key: Int, value: Int)? {
    let word = document.word(at: index)
    guard word.kind == .array, word.length == 2 else { return nil }
    return (index + 2, document.end(of: index + 2))
  }

  /// Returns the case of a JSON value such as `"circle"` or `{"circle": {"radius": 2}}`. Returns nil if the
  /// value describes no case. `child` is the node of the associated values, or nil if the case has none.
  /// `payload` is the document index of their JSON value, or nil if the JSON is only a name.
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

  /// Returns the position of the case whose name is at the document index `key`. Returns nil if there is no
  /// such case.
  private func position(ofCaseAt key: Int, _ node: Int) -> Int? {
    if let position = shape.names[node].firstIndex(where: { document.isString(at: key, $0) }) {
      return position
    }
    return shape.otherCaseNames[node]?.firstIndex { $0.contains { document.isString(at: key, $0) } }
  }

  /// Returns the node and the document index at which a case's associated values are read. A single
  /// associated value without a label does not need `{"_0": …}` around it. If the JSON object also contains a
  /// tag, only structures and references can omit `_0`.
  func payloadLocation(_ child: Int, _ index: Int, hasTag: Bool = false) -> (node: Int, index: Int) {
    let fields = shape.descriptions[child]
    guard fields.kind == .structure, fields.children.count == 1, fields.labels == [""],
      document.word(at: index).kind != .object || document.member("_0", of: index) == nil
    else { return (child, index) }
    // Any other value would be searched in the same object again, without end.
    let kind = nodes[fields.children[0]].kind
    guard !hasTag || kind == .structure || kind == .reference else { return (child, index) }
    return (fields.children[0], index)
  }
}
