/// The columns that a program reads, with an optional around each field that structures of the file may lack.
///
/// The program's layout has no nodes for these optionals. Spec: 06-evolution, section 6.
struct FieldPresence {
  private(set) var layout: ColumnLayout
  private(set) var sources: [ResolvedColumn]
  /// For each node of the program's layout, the corresponding node of `layout`.
  private(set) var nodes: [Int]
  /// The optionals that were added around fields, as nodes of `layout`.
  private(set) var fields: [Int] = []

  /// Adds the optionals to a copy of `wanted`. Returns nil if no structure of the file may lack a field.
  init?(_ wanted: ColumnLayout, sources: [ResolvedColumn]) {
    guard sources.contains(where: { !$0.fieldPresence.isEmpty }) else { return nil }
    layout = ColumnLayout()
    self.sources = []
    nodes = Array(repeating: 0, count: wanted.nodes.count)
    for root in wanted.roots {
      layout.roots.append(layout.nodes.count)
      _ = add(root, of: wanted, sources)
    }
  }

  /// Adds a node and its nested nodes, and returns its index. Recursive over the type, whose nesting is
  /// limited.
  private mutating func add(_ index: Int, of wanted: ColumnLayout, _ wantedSources: [ResolvedColumn]) -> Int {
    let new = layout.nodes.count
    nodes[index] = new
    layout.nodes.append(wanted.nodes[index])
    sources.append(wantedSources[index])
    sources[new].fieldPresence = [:]
    for (position, child) in wanted.nodes[index].children.enumerated() {
      let presence = wantedSources[index].fieldPresence[position]
      let optional = layout.nodes.count
      if let presence {
        layout.nodes.append(ColumnLayout.Node(kind: .optional))
        sources.append(presence)
      }
      let own = child > index ? add(child, of: wanted, wantedSources) : nodes[child]
      layout.nodes[new].children[position] = presence == nil ? own : optional
      guard presence != nil else { continue }
      fields.append(optional)
      layout.nodes[optional].children = [own]
      layout.nodes[optional].isRecursive =
        wanted.nodes[index].isRecursive && wanted.contains(index, inside: child)
    }
    return new
  }
}

extension ColumnLayout {
  /// Whether `other` is equal to `node`, or is nested in `node` at any depth.
  fileprivate func contains(_ other: Int, inside node: Int) -> Bool {
    var isSeen = Set([node])
    var pending = [node]
    while let next = pending.popLast() {
      if next == other { return true }
      pending += nodes[next].children.filter { isSeen.insert($0).inserted }
    }
    return false
  }
}
