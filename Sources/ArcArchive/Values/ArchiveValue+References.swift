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
  func forEachReference(_ layout: ColumnLayout, node: Int, _ body: (ObjectID, _ isWeak: Bool) -> Void) {
    guard layout.containsAnyReference(node) else { return }
    TypedValue(self, layout: layout, node: node).forEachReference { id, reference in
      body(id, reference.isWeak)
    }
  }
}
