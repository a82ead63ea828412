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

  /// Returns the nodes of the column's fields for which nil means that the field is absent. The nodes are
  /// numbered from the first node of the column's values.
  func nodesOfAbsentFields(ofRoot root: Int, isKeyed: Bool) -> [Int] {
    let first = valueNode(ofRoot: root, isKeyed: isKeyed)
    return nodes(ofRoot: root).filter { nodes[$0].isAbsentIfNil }.map { $0 - first }
  }

  /// Marks optional fields of a column: nil then means that the field is absent. `absent` contains the nodes
  /// of the fields, numbered from the first node of the column's values. Nodes that are not optional fields
  /// are skipped.
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

  /// The values that one source column contributes to a node of a column that combines several sources.
  enum Contribution {
    /// The values of these nodes of the source.
    case nodes([Int])
    /// No values. The node contains the associated values of a case, and the corresponding cases of the
    /// source have no associated values.
    case nothing
  }

  /// Marks fields of a column that combines several source columns. In a marked field, nil means that the
  /// field is absent.
  ///
  /// A field is marked if two conditions are true. First, structures of a source lack the field, or the field
  /// is marked in a source. Second, the field has more levels of optionals than its values in the sources.
  /// All layouts must have a single root that is not keyed.
  ///
  /// - Parameters:
  ///   - sources: the layouts of the source columns.
  ///   - partners: returns the contribution of a source's node to a nested node of this layout: the nested
  ///     node at `position` of the node `own`.
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

  /// Returns the node that an optional wraps, if `node` is an optional and `kind` is not. Otherwise returns
  /// `node`.
  private func unwrapped(_ node: Int, toKind kind: ColumnKind) -> Int {
    kind != .optional && nodes[node].kind == .optional ? nodes[node].children[0] : node
  }

  /// Returns the number of optionals around the values of a field. Does not count an optional that marks
  /// absent fields.
  private func optionalDepth(_ field: Int) -> Int {
    var (node, depth) = (field, nodes[field].isAbsentIfNil ? -1 : 0)
    while nodes[node].kind == .optional { (node, depth) = (nodes[node].children[0], depth + 1) }
    return depth
  }
}
