package import ArcFormat
import ArcRuntime

/// A value together with its column, which shows whether a reference is weak.
package struct TypedValue {
  /// The value; never an optional that could be looked into further.
  package let value: ArchiveValue
  /// The layout of the column.
  package let layout: ColumnLayout
  /// The node of the value in the layout, inside all optionals unless the value is nil.
  package let node: Int
  /// Whether nil means that the structure around the value has no value for the field.
  let isAbsentIfNil: Bool

  /// Creates a value of a node.
  package init(_ value: ArchiveValue, layout: ColumnLayout, node: Int) {
    self.value = value
    self.layout = layout
    isAbsentIfNil = layout.nodes[node].isAbsentIfNil
    var node = node
    if case .null = value {
      self.node = node
      return
    }
    // The type in an optional may be a mention of a type around it.
    while layout.nodes[node].kind == .optional, let wrapped = layout.nodes[node].children.first {
      node = wrapped
    }
    self.node = node
  }

  /// Creates a reference to an object, or a computed value, that belongs to no column.
  package init(_ value: ArchiveValue) {
    self.init(value, layout: Self.noColumn, node: 0)
  }

  /// The layout for values that belong to no column: neither optional nor weak.
  private static let noColumn: ColumnLayout = {
    var layout = ColumnLayout()
    // Any type without others in it would do.
    try? layout.append(.object(className: nil, protocols: []))
    return layout
  }()

  /// Whether the value is a reference that does not keep its target.
  package var isWeak: Bool { layout.nodes[node].kind == .weak }

  /// Whether the value is the only associated value of a case, which paths do not name.
  package var isOnlyValueOfCase: Bool { value.hasOnlyField }

  /// Whether the value is an array, a set or a dictionary.
  package var isCollection: Bool { value.elementCount != nil }

  /// The name of a structure or enumeration, or the class that a reference declares; otherwise nil.
  var typeName: String? { layout.nodes[node].name }

  // MARK: Children

  /// The values directly inside a value, in order, each with the step to it.
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

    /// The value at a position in the sequence; nil after the last value.
    subscript(position: Int) -> (step: ValueStep, value: TypedValue)? {
      values[position].map { ($0.step, parent.inside($0.value, $0.step)) }
    }
  }

  /// The values directly inside the value, in order.
  package var children: Children { Children(self, value.children) }

  /// The values directly inside the value, with the keys of a dictionary in another order or without them.
  package func children(keys: ArchiveValue.Children.Keys) -> Children {
    Children(self, value.children(keys: keys))
  }

  /// The value with others directly inside it, as `ArchiveValue.mapChildren` returns it.
  package func mapChildren<Failure: Error>(
    _ transform: (ValueStep, TypedValue) throws(Failure) -> ArchiveValue?
  ) throws(Failure) -> ArchiveValue {
    try value.mapChildren { step, value throws(Failure) in try transform(step, inside(value, step)) }
  }

  private func inside(_ value: ArchiveValue, _ step: ValueStep) -> TypedValue {
    // A value that belongs to no column has no nodes for the values inside it.
    let position = layout.position(of: step, in: node)
    return TypedValue(value, layout: layout, node: position.map { layout.nodes[node].children[$0] } ?? node)
  }

  /// The number of values directly inside: elements, entries, fields, or the associated values of a case as
  /// one.
  package var childCount: Int { value.childCount }

  /// The element, field, payload or value of an entry at an index below `childCount`.
  package func child(_ index: Int) -> TypedValue { children(keys: .none)[index]?.value ?? self }

  /// The element, field, payload or value of an entry that a step of the value leads to.
  package func child(at step: ValueStep) -> TypedValue { child(step.index) }

  /// The key of the entry at an index of a dictionary; nil for another value.
  package func key(_ index: Int) -> TypedValue? {
    value.containerKind == .dictionary ? children[2 * index]?.value : nil
  }

  // MARK: Walks

  /// Calls `body` with every reference in the value that refers to an object.
  ///
  /// Recursive over the value, which nests as deep as `ArchiveLimits.nesting`, not over objects.
  func forEachReference(_ body: (ObjectID, TypedValue) -> Void) {
    if case .reference(let id?) = value { return body(id, self) }
    // Most values have none inside.
    guard value.containerKind != nil else { return }
    for (_, child) in children { StackExtension.step { child.forEachReference(body) } }
  }

  /// The value without the fields that its structures do not have, for comparing it with a value of another
  /// type.
  package var withoutAbsentFields: ArchiveValue {
    layout.nodes.contains { $0.isAbsentIfNil } ? removingAbsentFields : value
  }

  /// Recursive over the value, as deep as values nest.
  private var removingAbsentFields: ArchiveValue {
    mapChildren { _, child in
      guard child.isAbsentIfNil else { return StackExtension.step { child.removingAbsentFields } }
      return child.value.unwrapped.map { value in
        StackExtension.step { TypedValue(value, layout: layout, node: child.node).removingAbsentFields }
      }
    }
  }
}
