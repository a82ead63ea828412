package import ArcRuntime

/// The columns of a class and everything nested in them, as nodes in the order in which their chunks are
/// stored.
///
/// Nodes are in pre-order. A recursive type mentions itself (`{Tree="children"$[{Tree}]}`): the mention is no
/// node of its own but leads back to the enclosing one, whose values then include the nested ones in
/// pre-order.
///
/// Spec: 04-columns, section 5.
package struct ColumnLayout: Equatable, Sendable {
  /// A column of a class, or one nested in it.
  package struct Node: Equatable, Sendable {
    package var kind: ColumnKind
    /// Indices of the nested nodes.
    package var children: [Int] = []
    /// The name of a structure or enumeration, or the class that a reference declares; otherwise nil.
    package var name: String?
    /// The field names of a structure or the case names of an enumeration.
    package var labels: [String] = []
    /// For each case of an enumeration the index in `children` of its payload, nil if it has none.
    package var payloads: [Int?] = []
    /// Whether a value can contain a value of the same node.
    package var isRecursive = false
    /// Whether a mention inside the node leads back to it.
    package var isMentioned = false
    /// Whether nil in this field of a structure means that the structure has no value for the field.
    package var isAbsentIfNil = false
    /// The last children of a structure that is read: older fields, which the program converts and does not
    /// write.
    package var olderFields: [OlderField] = []
    /// Whether the node belongs to an older field.
    package var isOlder = false

    /// The number of fields of the structure, without older ones.
    package var fieldCount: Int { children.count - olderFields.count }
  }

  /// An older field whose nodes are added after all others of the column.
  private struct PendingOlderField: Equatable {
    let type: TypeEncoding
    let structure: Int
    var enclosing: [ExactName: Int]
    let path: [Int]
    let storing: Int
  }

  package internal(set) var nodes: [Node] = []
  /// The first node of each column of the class.
  package internal(set) var roots: [Int] = []

  /// The older fields whose nodes are not added yet; nil if such fields are not read.
  private var pendingOlderFields: [PendingOlderField]?

  package init() {}

  package init(_ description: ClassDescription) throws(ArchiveError) {
    for column in description.columns { try append(column, className: description.name) }
  }

  /// Makes the nodes of one column of a type.
  package init(
    of type: TypeEncoding, isKeyed: Bool = false, includesOlderFields: Bool = false
  ) throws(ArchiveError) {
    try append(type, isKeyed: isKeyed, includesOlderFields: includesOlderFields)
  }

  /// The nodes of a column of the class, which are contiguous.
  package func nodes(ofRoot root: Int) -> Range<Int> { roots[root]..<nodeCount(ofColumns: root + 1) }

  /// A node and the nodes in it, which are contiguous.
  ///
  /// - Complexity: O(nodes in the node).
  package func nodes(inside node: Int) -> Range<Int> {
    // A child before the node is a mention of a type that contains the node.
    node..<nodes[node].children.reduce(node + 1) { $1 > node ? max($0, nodes(inside: $1).upperBound) : $0 }
  }

  /// The nodes of a root whose values are strong, unowned or weak references.
  package func allReferenceNodes(ofRoot root: Int) -> [Int] {
    nodes(ofRoot: root).filter { nodes[$0].kind == .reference || nodes[$0].kind == .weak }
  }

  /// The first node of a column's values, inside of what says whether there is one if the column is keyed.
  package func valueNode(ofRoot root: Int, isKeyed: Bool) -> Int {
    isKeyed ? nodes[roots[root]].children[0] : roots[root]
  }

  /// The number of nodes that the first `count` columns have.
  package func nodeCount(ofColumns count: Int) -> Int { count < roots.count ? roots[count] : nodes.count }

  /// Adds the nodes of a column of the class. Of its attributes only type and weakness count.
  ///
  /// Spec: 03-classes, rules P1 and P3.
  package mutating func append(_ column: ColumnDescription, className: String) throws(ArchiveError) {
    guard let type = column.attributes.type else {
      throw ArchiveError(
        .malformedEncoding, found: "property attributes without a type",
        expected: "attributes with a type encoding",
        className: className, key: column.key
      )
    }
    do throws(ArchiveError) {
      try append(
        type, isWeak: column.attributes.flags.contains(.weak), isKeyed: column.flags.contains(.keyed))
    } catch {
      throw error.located(className: className, key: column.key)
    }
    markAbsentFields(
      column.attributes.nodesOfAbsentFields, ofRoot: roots.count - 1, isKeyed: column.flags.contains(.keyed))
  }

  /// Adds the nodes of a type. A keyed column has an optional node in front, for presence.
  ///
  /// If `includesOlderFields` is true, fields with names from `OlderField` are older fields of their
  /// structures. Their nodes follow all other nodes of the column, which keep their indices.
  package mutating func append(
    _ type: TypeEncoding, isWeak: Bool = false, isKeyed: Bool = false, includesOlderFields: Bool = false
  ) throws(ArchiveError) {
    let root = nodes.count
    var enclosing: [ExactName: Int] = [:]
    pendingOlderFields = includesOlderFields ? [] : nil
    defer { pendingOlderFields = nil }
    let encoding = isWeak ? TypeEncoding.weak(type) : type
    if isKeyed {
      nodes.append(Node(kind: .optional, children: [root + 1]))
    }
    _ = try add(encoding, &enclosing, path: [], storing: -1)
    var added = 0
    while let pending = pendingOlderFields, added < pending.count {
      var field = pending[added]
      let first = nodes.count
      let child = try add(field.type, &field.enclosing, path: field.path, storing: field.storing)
      for index in first..<nodes.count { nodes[index].isOlder = true }
      nodes[field.structure].children.append(child)
      added += 1
    }
    roots.append(root)
  }

  /// Adds the nodes of a type inside the nodes `path` and returns the first. `storing` is the innermost
  /// enclosing node with a chunk of its own, or -1. Spec: 03-classes, rules E2, E3 and E4.
  private mutating func add(
    _ type: TypeEncoding, _ enclosing: inout [ExactName: Int], path: [Int], storing: Int
  ) throws(ArchiveError) -> Int {
    // The parser limits the nesting of encodings; this limit stops one that was made by hand.
    guard path.count < 256 else { throw Self.unsupported(type) }
    if let mentioned = Self.mention(type), let node = enclosing[ExactName(mentioned)] {
      // Rule E4: a structure directly inside itself would have no end.
      guard storing >= node else { throw Self.unsupported(type) }
      for index in path where index >= node { nodes[index].isRecursive = true }
      nodes[node].isMentioned = true
      return node
    }
    guard let kind = Self.kind(of: type) else { throw Self.unsupported(type) }
    let index = nodes.count
    nodes.append(Node(kind: kind))
    let storing = kind.storage == .none ? storing : index
    let path = path + [index]
    func inner(_ type: TypeEncoding) throws(ArchiveError) -> Int {
      try add(type, &enclosing, path: path, storing: storing)
    }
    switch type {
    case .optional(let wrapped): nodes[index].children = [try inner(wrapped)]
    case .list(let element), .set(let element): nodes[index].children = [try inner(element)]
    case .dictionary(let key, let value): nodes[index].children = [try inner(key), try inner(value)]
    case .structure(let name, let fields?):
      try addMembers(fields, to: index, name: name, &enclosing, path: path, storing: storing)
    case .enumeration(let name, let cases?):
      try addMembers(cases, to: index, name: name, &enclosing, path: path, storing: storing)
    case .object where kind == .reference: nodes[index].name = type.qualifiedClassName
    case .weak(let target): nodes[index].name = target.qualifiedClassName
    default:
      if kind == .url {
        nodes[index].children = [index + 1, index + 2]
        nodes.append(Node(kind: .string))
        nodes.append(Node(kind: .optional, children: [index + 3]))
        nodes.append(Node(kind: .string))
      }
    }
    return index
  }

  /// Adds the nodes of a record's members. Spec: 03-classes, rules E2 and E3.
  private mutating func addMembers(
    _ members: [TypeEncoding.Field], to index: Int, name: String, _ enclosing: inout [ExactName: Int],
    path: [Int], storing: Int
  ) throws(ArchiveError) {
    nodes[index].name = name
    let isEnumeration = nodes[index].kind == .enumeration
    let mention = ExactName((isEnumeration ? "(" : "{") + name)
    let outer = enclosing[mention]
    if name != "?" { enclosing[mention] = index }
    defer { enclosing[mention] = outer }
    for member in members {
      if pendingOlderFields != nil, let (field, label) = OlderField.parsed(member.name ?? "") {
        nodes[index].labels.append(label)
        nodes[index].olderFields.append(field)
        pendingOlderFields?.append(
          PendingOlderField(
            type: member.type, structure: index, enclosing: enclosing, path: path, storing: storing))
        continue
      }
      guard isEnumeration || !member.type.isUncoded else {
        throw ArchiveError(
          .malformedEncoding,
          found: "the field '\(member.name ?? "")' without a type in the structure '\(name)'",
          expected: "a type encoding for each field")
      }
      var child: Int?
      if !member.type.isUncoded {
        child = try add(member.type, &enclosing, path: path, storing: storing)
      }
      nodes[index].labels.append(member.name ?? "")
      if let child { nodes[index].children.append(child) }
      if isEnumeration { nodes[index].payloads.append(child.map { _ in nodes[index].children.count - 1 }) }
    }
  }

  private static func unsupported(_ type: TypeEncoding) -> ArchiveError {
    ArchiveError(
      .malformedEncoding, found: "the type encoding '\(type)'",
      expected: "the encoding of a type that a column can hold")
  }

  /// The key in `enclosing` of the type that an encoding without members mentions; nil for other encodings.
  private static func mention(_ type: TypeEncoding) -> String? {
    switch type {
    case .structure(let name, nil): "{" + name
    case .enumeration(let name, nil): "(" + name
    default: nil
    }
  }

  /// The kind of a type; nil if no column holds it. Spec: 03-classes, rules E2 and P2.
  private static func kind(of type: TypeEncoding) -> ColumnKind? {
    switch type {
    case .scalar(let scalar): kind(of: scalar)
    case .object(let name?, _): kind(ofValueNamed: name) ?? .reference
    case .object: .reference
    case .weak(.object(let name, _)): name.map(isReserved) ?? false ? nil : .weak
    case .optional: .optional
    case .list: .array
    case .set: .set
    case .dictionary: .dictionary
    case .structure(_, _?): .structure
    case .enumeration(_, let cases?): cases.isEmpty ? nil : .enumeration
    default: nil
    }
  }

  private static func kind(of scalar: TypeEncoding.Scalar) -> ColumnKind? {
    switch scalar {
    case .bool: .bool
    case .character: .int8
    case .short: .int16
    case .int: .int32
    case .longLong: .int64
    case .unsignedCharacter: .uint8
    case .unsignedShort: .uint16
    case .unsignedInt: .uint32
    case .unsignedLongLong: .uint64
    case .int128: .int128
    case .unsignedInt128: .uint128
    case .half: .float16
    case .float: .float32
    case .double: .float64
    default: nil
    }
  }

  /// The kind of value that an Objective-C class name stands for; nil if it names a class.
  /// Spec: 03-classes, section 4.
  private static func kind(ofValueNamed name: String) -> ColumnKind? {
    switch name {
    case "NSString": .string
    case "NSData": .data
    case "NSDate": .date
    case "NSUUID": .uuid
    case "NSURL": .url
    case "NSDecimalNumber": .decimal
    default: nil
    }
  }

  /// Whether no archivable class may have a name, since it stands for values, with or without protocols, or
  /// begins with `$`.
  ///
  /// Spec: 03-classes, rule C6.
  package static func isReserved(_ className: String) -> Bool {
    if case .object(let name?, _) = TypeEncoding.object(named: className), kind(ofValueNamed: name) != nil {
      return true
    }
    return className.utf8.first == UInt8(ascii: "$") || className.isEmpty
  }

  /// Whether a value of the node can contain a reference, not counting weak ones.
  package func containsReference(_ node: Int) -> Bool {
    reaches(from: node) { $0.kind == .reference }
  }

  /// Whether a value of the node can contain a reference, weak or not.
  package func containsAnyReference(_ node: Int) -> Bool {
    reaches(from: node) { $0.kind == .reference || $0.kind == .weak }
  }

  /// Whether a value of the node can contain a set or dictionary with references in its keys: it is built
  /// only when the objects in it are complete.
  package func containsHashedReferences(_ node: Int) -> Bool {
    reaches(from: node, where: hashesReferences)
  }

  /// Whether the node itself is a set or dictionary with references in its keys.
  package func hashesReferences(_ node: Node) -> Bool {
    hashesReferences(node, ifKeyContains: containsReference)
  }

  /// The same, where `containsReference` tells which nodes can contain a reference.
  private func hashesReferences(_ node: Node, ifKeyContains containsReference: (Int) -> Bool) -> Bool {
    guard node.kind == .set || node.kind == .dictionary, let key = node.children.first else { return false }
    return containsReference(key)
  }

  /// For each node whether `containsReference` holds.
  ///
  /// - Complexity: O(*n* · *d*) for *n* nodes, where mentions are nested *d* deep.
  package func nodesThatContainReferences() -> [Bool] {
    var references = nodes.map { $0.kind == .reference }
    var isSettled = false
    while !isSettled {
      isSettled = true
      // Parents are before their children, so most nodes are settled by the first pass from the end.
      for index in nodes.indices.reversed() where !references[index] {
        guard nodes[index].children.contains(where: { references[$0] }) else { continue }
        references[index] = true
        isSettled = false
      }
    }
    return references
  }

  /// For each node whether its values take no bytes: structures without fields, and structures of such.
  package func nodesWithoutBytes() -> [Bool] {
    var isEmpty = [Bool](repeating: false, count: nodes.count)
    for (index, node) in nodes.enumerated().reversed() where node.kind == .structure {
      isEmpty[index] = node.children.allSatisfy { isEmpty[$0] }
    }
    return isEmpty
  }

  /// Whether `fits` holds for the node or one inside it; each is visited once.
  package func reaches(from node: Int, where fits: (Node) -> Bool) -> Bool {
    // Most columns have a single node.
    if nodes[node].children.isEmpty { return fits(nodes[node]) }
    // Mentions lead back to nodes of the same column only.
    let column = nodes(ofRoot: root(of: node))
    var isSeen = [Bool](repeating: false, count: column.count)
    isSeen[node - column.lowerBound] = true
    var pending = [node]
    while let next = pending.popLast() {
      if fits(nodes[next]) { return true }
      for child in nodes[next].children where !isSeen[child - column.lowerBound] {
        isSeen[child - column.lowerBound] = true
        pending.append(child)
      }
    }
    return false
  }

  /// Whether a node is the first of a column.
  func isRoot(_ node: Int) -> Bool {
    let root = roots.partitioningIndex { $0 >= node }
    return root < roots.count && roots[root] == node
  }

  /// The index of the column to which a node belongs.
  package func root(of node: Int) -> Int { max(roots.partitioningIndex { $0 > node } - 1, 0) }
}
