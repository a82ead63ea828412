import ArcFormat

extension ArchiveValue {
  /// The value, wrapped in an additional optional. Only nil changes, because other values do not record how
  /// many optionals contain them.
  var wrapped: ArchiveValue {
    switch self {
    case .null: .nestedNull(depth: 1)
    case .nestedNull(let depth): .nestedNull(depth: depth + 1)
    default: self
    }
  }

  /// The value inside the optional that this value represents. Nil if the optional is nil.
  var unwrapped: ArchiveValue? {
    switch self {
    case .null: Optional.none
    case .nestedNull(let depth): depth > 1 ? .nestedNull(depth: depth - 1) : .null
    default: self
    }
  }

  /// Calls `body` with every object to which the value refers, and whether the reference is weak. `node` is
  /// the value's node in `layout`.
  func forEachReference(_ layout: ColumnLayout, node: Int, _ body: (ObjectID, _ isWeak: Bool) -> Void) {
    guard layout.containsAnyReference(node) else { return }
    TypedValue(self, layout: layout, node: node).forEachReference { id, reference in
      body(id, reference.isWeak)
    }
  }
}
