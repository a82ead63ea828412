import ArcFormat

extension ArchiveValue {
  /// The value as the content of one more optional. Only nil shows how many optionals there are.
  var wrapped: ArchiveValue {
    switch self {
    case .null: .nestedNull(depth: 1)
    case .nestedNull(let depth): .nestedNull(depth: depth + 1)
    default: self
    }
  }

  /// The content of an optional with this value; nil if it has none.
  var unwrapped: ArchiveValue? {
    switch self {
    case .null: Optional.none
    case .nestedNull(let depth): depth > 1 ? .nestedNull(depth: depth - 1) : .null
    default: self
    }
  }

  /// Calls `body` with every object to which the value of a node refers, and whether weakly.
  func forEachReference(_ layout: ColumnLayout, node index: Int, _ body: (ObjectID, _ isWeak: Bool) -> Void) {
    forEachReferenceAndNode(layout, node: index) { id, node in body(id, node.kind == .weak) }
  }

  /// Calls `body` with every object to which the value of a node refers, and the node of the reference.
  func forEachReferenceAndNode(
    _ layout: ColumnLayout, node index: Int, _ body: (ObjectID, ColumnLayout.Node) -> Void
  ) {
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int) {
      StackExtension.step { value.forEachReferenceAndNode(layout, node: node.children[position], body) }
    }
    switch self {
    case .reference(let id):
      // A keyed column has an optional in front, which the value does not show.
      if node.kind == .optional { return child(self, 0) }
      if let id { body(id, node) }
    case _ where node.kind == .optional: if self != .null { child(self, 0) }
    case .array(let elements), .set(let elements): for element in elements { child(element, 0) }
    case .dictionary(let entries):
      for entry in entries {
        child(entry.key, 0)
        child(entry.value, 1)
      }
    case .structure(_, let fields):
      for (position, field) in fields.enumerated() { child(field.value, position) }
    case .enumeration(_, let name, let payload?):
      if let position = node.labels.firstIndex(of: name), let inner = node.payloads[position] {
        child(payload, inner)
      }
    default: break
    }
  }
}
