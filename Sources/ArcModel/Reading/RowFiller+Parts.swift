import Arc
import ArcFormat
import ArcJSON

// What is inside of a JSON value, as the columns of a row have it.

extension RowFiller {
  // MARK: Objects

  /// Calls `body` with each JSON object that is to become an object, and its class, in the order of the text.
  func forEachObject(
    _ node: Int, _ index: Int, _ body: (Int, any Archivable.Type) throws -> Void
  ) throws {
    guard holdsReferences[node] else { return }
    guard nodes[node].isMentioned else { return try forEachObjectInside(node, index, body) }
    try StackExtension.call { try forEachObjectInside(node, index, body) }
  }

  private func forEachObjectInside(
    _ node: Int, _ index: Int, _ body: (Int, any Archivable.Type) throws -> Void
  ) throws {
    let description = nodes[node]
    switch description.kind {
    case .optional: try forEachObject(description.children[0], index, body)
    case .array, .set:
      for element in document.elements(of: index) {
        try forEachObject(description.children[0], element, body)
      }
    case .dictionary:
      for key in document.keys(of: index) { try forEachObject(description.children[1], key + 1, body) }
    case .structure:
      for (position, child) in description.children.enumerated() where holdsReferences[child] {
        if let part = part(position, of: node, at: index) { try forEachObject(child, part, body) }
      }
    case .enumeration:
      if let found = enumerationCase(node, index), let child = found.child, let payload = found.payload {
        let place = placeOfPayload(child, payload)
        try forEachObject(place.node, place.index, body)
      }
    case .reference:
      if document.word(at: index).kind == .object, let type = type(ofReference: node) {
        try body(index, type)
      }
    default: break
    }
  }

  /// The class of the objects that are made for references; nil if none are.
  func type(ofReference node: Int) -> (any Archivable.Type)? {
    columns.detachedNodes.contains(node) ? nil : nodes[node].name.flatMap(columns.reachedClass)
  }

  /// The row of the object that a JSON object becomes: each has two entries of its own.
  static func row(ofObjectAt index: Int) -> Int { index / 2 + 1 }

  // MARK: Parts

  /// The value of a member; of members of one name the last one.
  private func member(_ name: String, of index: Int) -> Int? {
    document.member(name, of: index, takesLast: true)
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
    let description = nodes[node]
    let key: Int
    var payload: Int?
    let word = document.word(at: index)
    if word.kind.isString {
      key = index
    } else if word.kind == .object, word.length == 1 {
      key = index + 2
      payload = key + 1
    } else {
      return nil
    }
    guard let position = description.labels.firstIndex(where: { document.isString(at: key, $0) }) else {
      return nil
    }
    return (position, description.payloads[position].map { description.children[$0] }, payload)
  }

  /// Which node has the associated values of a case that an entry has: a single one without a name needs no
  /// `{"_0": …}` around it.
  func placeOfPayload(_ child: Int, _ index: Int) -> (node: Int, index: Int) {
    let fields = nodes[child]
    guard fields.kind == .structure, fields.children.count == 1, fields.labels == [""],
      document.word(at: index).kind != .object || member("_0", of: index) == nil
    else { return (child, index) }
    return (fields.children[0], index)
  }
}
