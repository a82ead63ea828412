/// Describes which values of one column contain other values in the file, and what the program does with the
/// values of each node.
///
/// The layout combines the nodes that the program reads with nodes of the file that the program does not
/// read: payloads of unknown cases, and fields that the program no longer has. The unread nodes of a
/// recursive type matter because they contain values of nodes that the program reads.
struct SieveLayout {
  /// A node of the column.
  struct Node {
    let kind: ColumnKind
    /// How each value contains other values. Arrays that are stored as bytes contain no other values.
    let nesting: ColumnKind.Nesting
    /// The node in the program's layout; nil if the program does not read the values.
    let wanted: Int?
    /// If the program has no column for the values, their node in the file's layout. Otherwise nil: the
    /// values are read from the column of the program's node.
    let file: Int?
    /// Whether the node stores no values of its own, so that all its values are in nested nodes.
    let isTransparent: Bool
    /// The nested nodes that have values, in the order of the file. For an enumeration, the payloads of its
    /// cases.
    var parts: [Int] = []
    /// The indices of `parts` in the order of the program. Nil if the program has the order of the file.
    var order: [Int]?
    /// For each case of the file, the case of the program. Nil if the program does not have the case.
    var cases: [Int?] = []
    /// For each case of the file, the index of its payload in `parts`. Nil if the case has no payload.
    var payloads: [Int?] = []
    /// Whether the node is an optional in the file but not in the program, which reads the nested value
    /// directly.
    var isUnwrapped = false
    /// The nested nodes that the program does not read when it reads this node, as indices in `parts`.
    var skippedParts: Set<Int> = []

    /// Whether the program also reads the nested node at index `part` of `parts` when it reads this node.
    func isRead(_ part: Int) -> Bool { skippedParts.isEmpty || !skippedParts.contains(part) }
  }

  private(set) var nodes: [Node] = []
  /// The nodes of the root in the program's layout.
  let wantedNodes: Range<Int>
  /// Whether the program reads values in a different order than the file's order. Also true if the program
  /// drops a value that contains values which the program reads.
  private(set) var isRearranged = false

  private let wanted: ColumnLayout
  private let sources: [ResolvedColumn]
  private let fileLayout: ColumnLayout
  // The nodes by the program's node, and by the file's node.
  private var nodeOfWanted: [Int: Int] = [:]
  private var nodeOfFile: [Int: Int] = [:]
  /// For each node of the file that has the same kind as the program's node that reads it, the program's
  /// node.
  private var reader: [Int: Int] = [:]

  /// Combines the nodes of a root with nodes of the file that the program does not read. `sources` contains
  /// the source of each node of `wanted`.
  init(root: Int, of wanted: ColumnLayout, sources: [ResolvedColumn], file: ColumnLayout) {
    self.wanted = wanted
    self.sources = sources
    fileLayout = file
    wantedNodes = wanted.nodes(ofRoot: root)
    for node in wantedNodes {
      if let source = sources[node].node, wanted.nodes[node].kind == file.nodes[source].kind {
        reader[source] = node
      }
    }
    _ = add(wanted: wantedNodes.lowerBound)
    removeEmptyParts()
  }

  /// Adds a node of the program and its nested nodes, and returns its index. Recursive over the type, whose
  /// nesting is limited.
  private mutating func add(wanted index: Int) -> Int {
    if let known = nodeOfWanted[index] { return known }
    let (node, source) = (wanted.nodes[index], sources[index])
    let nesting = source.isBytes ? .none : node.kind.nesting
    let new = nodes.count
    nodeOfWanted[index] = new
    nodes.append(
      Node(
        kind: node.kind, nesting: nesting, wanted: index, file: nil,
        isTransparent: source.isAlwaysPresent || node.kind.storage.isNone, cases: source.cases))
    switch nesting {
    case .none: break
    case .payload: addPayloads(of: index, to: new)
    case .fields where !source.fieldPositions.isEmpty: addFields(of: index, to: new)
    case .fields, .elements: nodes[new].parts = node.children.map { add(wanted: $0) }
    }
    return new
  }

  /// Adds the fields of a recursive structure in the file's order.
  private mutating func addFields(of index: Int, to new: Int) {
    let (node, source) = (wanted.nodes[index], sources[index])
    guard let have = source.node.map({ fileLayout.nodes[$0] }) else { return }
    var parts: [Int] = []
    var positions: [Int?] = Array(repeating: nil, count: node.children.count)
    for (position, child) in have.children.enumerated() {
      if let field = source.fieldPositions.firstIndex(of: position) {
        positions[field] = parts.count
        parts.append(add(field: node.children[field], child))
      } else if containsReadValues(child) {
        nodes[new].skippedParts.insert(parts.count)
        parts.append(add(skipped: child))
      }
    }
    nodes[new].parts = parts
    let order = positions.compactMap { $0 }
    if order != Array(parts.indices) {
      nodes[new].order = order
      isRearranged = true
    }
  }

  /// Adds a field. If the file's field is an optional and the program's field is not, also adds the optional.
  private mutating func add(field wantedChild: Int, _ fileChild: Int) -> Int {
    let optional = fileLayout.nodes[fileChild]
    guard optional.kind == .optional, optional.isRecursive, wanted.nodes[wantedChild].kind != .optional else {
      return add(wanted: wantedChild)
    }
    isRearranged = true
    let new = nodes.count
    nodes.append(
      Node(
        kind: .optional, nesting: .elements, wanted: nil, file: fileChild, isTransparent: false,
        isUnwrapped: true))
    nodes[new].parts = [add(wanted: wantedChild)]
    return new
  }

  /// Adds the payloads of the enumeration's cases, as the file declares them.
  private mutating func addPayloads(of index: Int, to new: Int) {
    let node = wanted.nodes[index]
    guard let have = sources[index].node.map({ fileLayout.nodes[$0] }) else { return }
    var (parts, payloads): ([Int], [Int?]) = ([], [])
    for (fileCase, known) in sources[index].cases.enumerated() {
      var part: Int?
      if let child = have.payloads[fileCase].map({ have.children[$0] }) {
        if let payload = known.flatMap({ node.payloads[$0] }) {
          part = add(wanted: node.children[payload])
        } else if have.isRecursive, containsReadValues(child) {
          part = add(skipped: child)
          nodes[new].skippedParts.insert(parts.count)
          if known != nil { isRearranged = true }
        }
      }
      payloads.append(part.map { _ in parts.count })
      if let part { parts.append(part) }
    }
    (nodes[new].parts, nodes[new].payloads) = (parts, payloads)
  }

  /// Whether values of a recursive type can be nested in a node of the file. The program may read these
  /// nested values even if it skips the node.
  private func containsReadValues(_ node: Int) -> Bool { fileLayout.reaches(from: node) { $0.isRecursive } }

  /// Adds a node of the file that the program does not read, and the nodes nested in it, because the program
  /// may read these as parts of other values. Returns the index of the added node. Recursive over the type,
  /// whose nesting is limited.
  private mutating func add(skipped index: Int) -> Int {
    if let wanted = reader[index] { return add(wanted: wanted) }
    if let known = nodeOfFile[index] { return known }
    let node = fileLayout.nodes[index]
    let new = nodes.count
    nodeOfFile[index] = new
    nodes.append(
      Node(
        kind: node.kind, nesting: node.kind.nesting, wanted: nil, file: index,
        isTransparent: node.kind.storage.isNone, cases: node.labels.map { _ in nil }, payloads: node.payloads)
    )
    nodes[new].parts = node.children.map { add(skipped: $0) }
    return new
  }

  /// Removes nested nodes that have no values: fields that the file does not have, and structures without
  /// fields.
  private mutating func removeEmptyParts() {
    var hasValues = nodes.map { node in
      !node.isTransparent && !(node.wanted.map { sources[$0].isMissing } ?? false)
    }
    // Parents are before their parts, except for mentions, which may need another pass.
    var isSettled = false
    while !isSettled {
      isSettled = true
      for index in nodes.indices.reversed()
      where !hasValues[index] && nodes[index].isTransparent
        && nodes[index].parts.contains(where: { hasValues[$0] })
      {
        hasValues[index] = true
        isSettled = false
      }
    }
    for index in nodes.indices {
      let (parts, order) = (nodes[index].parts, nodes[index].order)
      var positions: [Int?] = []
      var count = 0
      for part in parts {
        positions.append(hasValues[part] ? count : nil)
        count += hasValues[part] ? 1 : 0
      }
      guard count < parts.count else { continue }
      nodes[index].parts = parts.filter { hasValues[$0] }
      nodes[index].order = order?.compactMap { positions[$0] }
      nodes[index].payloads = nodes[index].payloads.map { $0.flatMap { positions[$0] } }
      nodes[index].skippedParts = Set(nodes[index].skippedParts.compactMap { positions[$0] })
    }
    if let root = hasValues.first, !root { nodes = [] }
  }
}
