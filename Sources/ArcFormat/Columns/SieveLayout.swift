/// How the values of one column contain each other in the file, with what the program does with each node.
///
/// Nodes that the program reads are joined with nodes of the file that it does not read: the payloads of
/// unknown cases and the fields that it dropped. These matter where a type is recursive, because such parts
/// contain values of nodes that the program reads.
struct SieveLayout {
  /// How the values of a node contain others.
  enum Shape { case leaf, record, optional, list, dictionary, enumeration }

  /// A node of the column.
  struct Node {
    let shape: Shape
    let kind: ColumnKind
    /// The node of the program; nil if the program does not read the values.
    let wanted: Int?
    /// The node of the file with the values; nil for a node of the program, which has its own.
    let file: Int?
    /// Whether it has no values of its own but those in it.
    let isTransparent: Bool
    /// The nested nodes that have values, in the file's order; for an enumeration, the payloads.
    var parts: [Int] = []
    /// The positions in `parts` in the program's order; nil if this is the file's order.
    var order: [Int]?
    /// For each case of the file the program's case.
    var cases: [Int?] = []
    /// For each case of the file the position of its payload in `parts`; nil if it has no payload.
    var payloads: [Int?] = []
    /// Whether it is an optional of the file whose value the program has without it.
    var isUnwrapped = false
    /// The positions in `parts` of nodes that the program does not read there.
    var skippedParts: Set<Int> = []

    /// Whether the program reads the values of a nested node, if it reads those of this one.
    func isRead(_ part: Int) -> Bool { skippedParts.isEmpty || !skippedParts.contains(part) }
  }

  private(set) var nodes: [Node] = []
  /// The nodes of the program, which are those of one root.
  let wantedNodes: Range<Int>
  /// Whether the program reads values in another order than the file's, or not all in which there are values
  /// that it reads.
  private(set) var isRearranged = false

  private let wanted: ColumnLayout
  private let sources: [ResolvedColumn]
  private let fileLayout: ColumnLayout
  /// The nodes by the program's node, and by the file's node.
  private var nodeOfWanted: [Int: Int] = [:]
  private var nodeOfFile: [Int: Int] = [:]
  /// For each node of the file that the program reads as it is the program's node.
  private var reader: [Int: Int] = [:]

  /// Joins the nodes of a root with those of the file. `sources` has all nodes of `wanted`.
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

  private static func shape(of kind: ColumnKind) -> Shape {
    switch kind {
    case .structure, .url: .record
    case .optional: .optional
    case .array, .set: .list
    case .dictionary: .dictionary
    case .enumeration: .enumeration
    default: .leaf
    }
  }

  /// Adds a node of the program and those in it. Recursive over the type, whose nesting is limited.
  private mutating func add(wanted index: Int) -> Int {
    if let known = nodeOfWanted[index] { return known }
    let (node, source) = (wanted.nodes[index], sources[index])
    let shape = source.isBytes ? .leaf : Self.shape(of: node.kind)
    let place = nodes.count
    nodeOfWanted[index] = place
    nodes.append(
      Node(
        shape: shape, kind: node.kind, wanted: index, file: nil,
        isTransparent: source.isAlwaysPresent || node.kind.storage.isNone, cases: source.cases))
    switch shape {
    case .leaf: break
    case .enumeration: addPayloads(of: index, to: place)
    case .record where !source.fieldPositions.isEmpty: addFields(of: index, to: place)
    case .record, .optional, .list, .dictionary: nodes[place].parts = node.children.map { add(wanted: $0) }
    }
    return place
  }

  /// Adds the fields of a recursive structure in the file's order.
  private mutating func addFields(of index: Int, to place: Int) {
    let (node, source) = (wanted.nodes[index], sources[index])
    guard let have = source.node.map({ fileLayout.nodes[$0] }) else { return }
    var parts: [Int] = []
    var positions: [Int?] = Array(repeating: nil, count: node.children.count)
    for (position, child) in have.children.enumerated() {
      if let field = source.fieldPositions.firstIndex(of: position) {
        positions[field] = parts.count
        parts.append(add(field: node.children[field], child))
      } else if containsReadValues(child) {
        nodes[place].skippedParts.insert(parts.count)
        parts.append(add(skipped: child))
      }
    }
    nodes[place].parts = parts
    let order = positions.compactMap { $0 }
    if order != Array(parts.indices) {
      nodes[place].order = order
      isRearranged = true
    }
  }

  /// Adds a field, with an optional of the file around it that the program does not have.
  private mutating func add(field wantedChild: Int, _ fileChild: Int) -> Int {
    let optional = fileLayout.nodes[fileChild]
    guard optional.kind == .optional, optional.isRecursive, wanted.nodes[wantedChild].kind != .optional else {
      return add(wanted: wantedChild)
    }
    isRearranged = true
    let place = nodes.count
    nodes.append(
      Node(
        shape: .optional, kind: .optional, wanted: nil, file: fileChild, isTransparent: false,
        isUnwrapped: true))
    nodes[place].parts = [add(wanted: wantedChild)]
    return place
  }

  /// Adds the payloads of an enumeration by the cases of the file.
  private mutating func addPayloads(of index: Int, to place: Int) {
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
          nodes[place].skippedParts.insert(parts.count)
          if known != nil { isRearranged = true }
        }
      }
      payloads.append(part.map { _ in parts.count })
      if let part { parts.append(part) }
    }
    (nodes[place].parts, nodes[place].payloads) = (parts, payloads)
  }

  /// Whether values of a node of the file can contain values of an enclosing node.
  private func containsReadValues(_ node: Int) -> Bool { fileLayout.reaches(from: node) { $0.isRecursive } }

  /// Adds a node of the file that the program does not read, and those in it, some of which it may read
  /// elsewhere. Recursive over the type, whose nesting is limited.
  private mutating func add(skipped index: Int) -> Int {
    if let wanted = reader[index] { return add(wanted: wanted) }
    if let known = nodeOfFile[index] { return known }
    let node = fileLayout.nodes[index]
    let place = nodes.count
    nodeOfFile[index] = place
    nodes.append(
      Node(
        shape: Self.shape(of: node.kind), kind: node.kind, wanted: nil, file: index,
        isTransparent: node.kind.storage.isNone, cases: node.labels.map { _ in nil }, payloads: node.payloads)
    )
    nodes[place].parts = node.children.map { add(skipped: $0) }
    return place
  }

  /// Removes nested nodes without any values: fields that the file does not have, structures without fields.
  private mutating func removeEmptyParts() {
    var hasValues = nodes.map { node in
      !node.isTransparent && !(node.wanted.map { sources[$0].isMissing } ?? false)
    }
    // Parents come before their parts, except for mentions: some of these need another pass.
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
