package import ArcFormat
import ArcRuntime

/// A value together with its node in a column's layout, which shows for example whether a reference is weak.
package struct TypedValue {
  /// The value inside all optionals, or nil.
  package let value: ArchiveValue
  /// The layout of the column.
  package let layout: ColumnLayout
  /// The index of the value's node in the layout. It is the node inside all optionals, unless the value is
  /// nil.
  package let node: Int
  /// Whether nil means that the enclosing structure has no value for this field.
  let isAbsentIfNil: Bool

  /// Creates a value. `node` is the node of the value in the layout, or the node of an optional around the
  /// value.
  package init(_ value: ArchiveValue, layout: ColumnLayout, node: Int) {
    self.value = value
    self.layout = layout
    isAbsentIfNil = layout.nodes[node].isAbsentIfNil
    var node = node
    if case .null = value {
      self.node = node
      return
    }
    // The type inside an optional may be a back reference to an enclosing type.
    while layout.nodes[node].kind == .optional, let wrapped = layout.nodes[node].children.first {
      node = wrapped
    }
    self.node = node
  }

  /// Creates a value that belongs to no column: a reference to an object, or a computed value.
  package init(_ value: ArchiveValue) {
    self.init(value, layout: Self.noColumn, node: 0)
  }

  /// The layout for values that belong to no column: neither optional nor weak.
  private static let noColumn: ColumnLayout = {
    var layout = ColumnLayout()
    // Any type without nested types can be used.
    try? layout.append(.object(className: nil, protocols: []))
    return layout
  }()

  /// Whether the value is a weak reference, which does not retain its target.
  package var isWeak: Bool { layout.nodes[node].kind == .weak }

  /// Whether the value is the payload of an enumeration case whose only associated value has no label. Paths
  /// have no step for this associated value.
  package var isOnlyValueOfCase: Bool { value.hasOnlyField }

  /// Whether the value is an array, a set or a dictionary.
  package var isCollection: Bool { value.elementCount != nil }

  /// The name of a structure or enumeration, or of the class that a reference declares. Nil for other values.
  var typeName: String? { layout.nodes[node].name }

  // MARK: Children

  /// The values nested directly in a value, in order, each with the step to it.
  package struct Children: Sequence, IteratorProtocol {
    private let parent: TypedValue
    private var values: ArchiveValue.Children

    fileprivate init(_ parent: TypedValue, _ values: ArchiveValue.Children) {
      (self.parent, self.values) = (parent, values)
    }

    /// Returns the next value. Nil after the last value.
    package mutating func next() -> (step: ValueStep, value: TypedValue)? {
      guard let (step, value) = values.next() else { return nil }
      return (step, parent.inside(value, step))
    }

    /// The value at a position in the sequence. Nil after the last value.
    subscript(position: Int) -> (step: ValueStep, value: TypedValue)? {
      values[position].map { ($0.step, parent.inside($0.value, $0.step)) }
    }
  }

  /// The values nested directly in the value, in order. Each key of a dictionary precedes its value.
  package var children: Children { Children(self, value.children) }

  /// Returns the values nested directly in the value. `keys` determines the order of a dictionary's keys and
  /// values, or omits the keys.
  package func children(keys: ArchiveValue.Children.Keys) -> Children {
    Children(self, value.children(keys: keys))
  }

  /// Returns the value with each directly nested value replaced, as `ArchiveValue.mapChildren` does.
  package func mapChildren<Failure: Error>(
    _ transform: (ValueStep, TypedValue) throws(Failure) -> ArchiveValue?
  ) throws(Failure) -> ArchiveValue {
    try value.mapChildren { step, value throws(Failure) in try transform(step, inside(value, step)) }
  }

  private func inside(_ value: ArchiveValue, _ step: ValueStep) -> TypedValue {
    // If the value belongs to no column, the layout has no nodes for nested values. Then the value's own node
    // is used.
    let position = layout.position(of: step, in: node)
    return TypedValue(value, layout: layout, node: position.map { layout.nodes[node].children[$0] } ?? node)
  }

  /// The number of directly nested values: elements, entries or fields. The associated values of a case count
  /// as one value.
  package var childCount: Int { value.childCount }

  /// Returns the element, field, payload or entry's value at an index below `childCount`.
  package func child(_ index: Int) -> TypedValue { children(keys: .none)[index]?.value ?? self }

  /// Returns the element, field, payload or entry's value that a step selects.
  package func child(at step: ValueStep) -> TypedValue { child(step.index) }

  /// Returns the key of the entry at an index of a dictionary. Nil for other values.
  package func key(_ index: Int) -> TypedValue? {
    value.containerKind == .dictionary ? children[2 * index]?.value : nil
  }

  // MARK: Walks

  /// Calls `body` with every non-nil reference in the value.
  ///
  /// Recursive over the value, whose nesting is at most `ArchiveLimits.nesting`, but not over objects.
  func forEachReference(_ body: (ObjectID, TypedValue) -> Void) {
    if case .reference(let id?) = value { return body(id, self) }
    // Most values contain no other values, so this check saves time.
    guard value.containerKind != nil else { return }
    for (_, child) in children { StackExtension.step { child.forEachReference(body) } }
  }

  /// The value without the absent fields of its structures. Used to compare the value with a value of another
  /// type.
  package var withoutAbsentFields: ArchiveValue { withoutAbsentFields { _, _ in false } }

  /// Returns the value without the absent fields of its structures, and without each field for which `omits`
  /// returns true. The arguments of `omits` are a structure and the index of a field in it. `omits` is called
  /// only if the column has marks of absent fields.
  func withoutAbsentFields(omitting omits: (_ structure: TypedValue, _ field: Int) -> Bool) -> ArchiveValue {
    layout.nodes.contains { $0.isAbsentIfNil } ? removingAbsentFields(omits) : value
  }

  /// Returns the value without the absent fields of all nested structures. Recursive over the value, whose
  /// nesting is at most `ArchiveLimits.nesting`.
  private func removingAbsentFields(_ omits: (TypedValue, Int) -> Bool) -> ArchiveValue {
    mapChildren { step, child in
      if case .field(let index, _) = step, omits(self, index) { return nil }
      guard child.isAbsentIfNil else { return StackExtension.step { child.removingAbsentFields(omits) } }
      return child.value.unwrapped.map { value in
        StackExtension.step {
          TypedValue(value, layout: layout, node: child.node).removingAbsentFields(omits)
        }
      }
    }
  }
}
