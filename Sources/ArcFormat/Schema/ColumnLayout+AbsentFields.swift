package import ArcRuntime

// Fields that some structures of a column lack, because a release that does not have the fields added the
// structures. Spec: 06-evolution, section 5.

extension ColumnLayout {
  /// Creates the nodes of a column's values, including the marks of absent fields.
  package init(valuesOf attributes: PropertyAttributes) throws(ArchiveError) {
    try self.init(attributes, isKeyed: false)
  }

  /// Creates the nodes of a column, including the marks of absent fields.
  init(_ attributes: PropertyAttributes, isKeyed: Bool) throws(ArchiveError) {
    self.init()
    try append(attributes.type ?? .uncoded, isWeak: attributes.flags.contains(.weak), isKeyed: isKeyed)
    markAbsentFields(attributes.nodesOfAbsentFields, ofRoot: 0, isKeyed: isKeyed)
  }

  /// The nodes of the column's fields that are marked as absent if nil. The nodes are counted from the first
  /// node of the column's values.
  func nodesOfAbsentFields(ofRoot root: Int, isKeyed: Bool) -> [Int] {
    let first = valueNode(ofRoot: root, isKeyed: isKeyed)
    return nodes(ofRoot: root).filter { nodes[$0].isAbsentIfNil }.map { $0 - first }
  }

  /// Marks fields of a column as absent if they are nil. `absent` are the nodes of the fields, counted from
  /// the first node of the column's values. Nodes that are not optional fields are skipped.
  package mutating func markAbsentFields(_ absent: [Int], ofRoot root: Int, isKeyed: Bool) {
    guard !absent.isEmpty else { return }
    let (column, first) = (nodes(ofRoot: root), valueNode(ofRoot: root, isKeyed: isKeyed))
    let fields = Set(
      column.flatMap { index in
        nodes[index].kind == .structure ? nodes[index].children.filter { $0 > index } : []
      })
    for offset in absent where offset >= 0 && offset < column.upperBound - first {
      let node = first + offset
      if fields.contains(node), nodes[node].kind == .optional { nodes[node].isAbsentIfNil = true }
    }
  }

  /// The contribution of a source column to the values of a node in a column that combines several sources.
  enum Contribution {
    /// The values of these nodes of the source.
    case nodes([Int])
    /// Nothing: the node is for associated values, and the matching cases of the source have none.
    case nothing
  }

  /// Marks the fields that are absent if nil, in a column that combines the values of other columns.
  ///
  /// A field is marked if some structure of a source lacks the field or marks it, and if the field has more
  /// levels of optionals than its values in the sources. All layouts have a single root that is not keyed.
  ///
  /// - Parameters:
  ///   - sources: the layouts of the source columns.
  ///   - partners: returns the nested nodes of a source's node that contribute to the nested node of this
  ///     layout's node `own` at `position`.
  mutating func markAbsentFields(
    from sources: [ColumnLayout],
    partners: (_ source: ColumnLayout, _ node: Int, _ own: Node, _ position: Int) -> Contribution
  ) {
    guard !nodes.isEmpty else { return }
    var isSeen: Set<Int> = []
    var pending = [(node: 0, parts: sources.map { _ in Contribution.nodes([0]) })]
    while let (index, parts) = pending.popLast() {
      guard isSeen.insert(index).inserted else { continue }
      let node = nodes[index]
      for (position, child) in node.children.enumerated() {
        var inner: [Contribution] = []
        var (isAbsent, depth) = (false, 0)
        for (source, part) in zip(sources, parts) {
          guard case .nodes(let own) = part else {
            isAbsent = true
            inner.append(.nodes([]))
            continue
          }
          let found = own.map { partners(source, source.unwrapped($0, toKind: node.kind), node, position) }
          var nested: [Int] = []
          var isLacking = false
          for case .nodes(let some) in found {
            nested += some
            isAbsent = isAbsent || some.isEmpty || some.contains { source.nodes[$0].isAbsentIfNil }
            depth = some.reduce(depth) { max($0, source.optionalDepth($1)) }
          }
          for case .nothing in found { isLacking = true }
          inner.append(nested.isEmpty && isLacking ? .nothing : .nodes(nested))
        }
        if node.kind == .structure, child > index, isAbsent, optionalDepth(child) > depth {
          nodes[child].isAbsentIfNil = true
        }
        pending.append((child, inner))
      }
    }
  }

  /// Returns the node. If the node is an optional and `kind` is another kind, returns the node that it wraps.
  private func unwrapped(_ node: Int, toKind kind: ColumnKind) -> Int {
    kind != .optional && nodes[node].kind == .optional ? nodes[node].children[0] : node
  }

  /// The number of optionals around the values of a field. The optional that marks absent fields is not
  /// counted.
  private func optionalDepth(_ field: Int) -> Int {
    var (node, depth) = (field, nodes[field].isAbsentIfNil ? -1 : 0)
    while nodes[node].kind == .optional { (node, depth) = (nodes[node].children[0], depth + 1) }
    return depth
  }
}
