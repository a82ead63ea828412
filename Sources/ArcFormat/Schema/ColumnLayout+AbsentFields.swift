package import ArcRuntime

// Fields that structures of a column may be without, because a release that lacks the fields added the
// structures. Spec: 06-evolution, section 5.

extension ColumnLayout {
  /// Creates the nodes of a column's values, with its marks of absent fields.
  package init(valuesOf attributes: PropertyAttributes) throws(ArchiveError) {
    try self.init(attributes, isKeyed: false)
  }

  /// Creates the nodes of a column with its marks of absent fields.
  init(_ attributes: PropertyAttributes, isKeyed: Bool) throws(ArchiveError) {
    self.init()
    try append(attributes.type ?? .uncoded, isWeak: attributes.flags.contains(.weak), isKeyed: isKeyed)
    markAbsentFields(attributes.nodesOfAbsentFields, ofRoot: 0, isKeyed: isKeyed)
  }

  /// The fields of a column that are absent where they are nil, by node, counted from the first node of the
  /// column's values.
  func nodesOfAbsentFields(ofRoot root: Int, isKeyed: Bool) -> [Int] {
    let first = valueNode(ofRoot: root, isKeyed: isKeyed)
    return nodes(ofRoot: root).filter { nodes[$0].isAbsentIfNil }.map { $0 - first }
  }

  /// Marks fields of a column as absent where they are nil. Skips nodes that are not optional fields.
  /// `absent` are the nodes of the fields, counted from the first node of the column's values.
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

  /// What a column contributes to the values of a node of another column.
  enum Contribution {
    /// The values of some nodes.
    case nodes([Int])
    /// Cases without associated values, where the node is for the associated values.
    case nothing
  }

  /// Marks the fields that are absent where they are nil, in a column that holds the values of other columns.
  ///
  /// A field is marked if some structure of the other columns lacks or marks it, and if it is more optional
  /// than the field's values in the other columns. All layouts have a single root without presence.
  ///
  /// - Parameters:
  ///   - sources: the layouts of the other columns.
  ///   - partners: returns the nested nodes of a node of a source whose values are those of this layout's
  ///     node, at a position among its nested nodes.
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

  /// The node itself, or the node inside it if it is an optional and the other node is of another kind.
  private func unwrapped(_ node: Int, toKind kind: ColumnKind) -> Int {
    kind != .optional && nodes[node].kind == .optional ? nodes[node].children[0] : node
  }

  /// The number of optionals around the values of a field, without the optional that marks absent fields.
  private func optionalDepth(_ field: Int) -> Int {
    var (node, depth) = (field, nodes[field].isAbsentIfNil ? -1 : 0)
    while nodes[node].kind == .optional { (node, depth) = (nodes[node].children[0], depth + 1) }
    return depth
  }
}
