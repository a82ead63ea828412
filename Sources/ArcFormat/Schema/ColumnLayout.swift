package import ArcRuntime

/// The columns of a class and everything nested in them, as nodes in the order in which their chunks are
/// stored.
///
/// Nodes are in preorder. A recursive type contains a mention of itself (`{Tree="children"$[{Tree}]}`). The
/// mention does not get a node of its own: the enclosing node becomes its own descendant, and its values
/// include the nested values in preorder.
///
/// Spec: 04-columns, section 5.
package struct ColumnLayout: Equatable, Sendable {
  /// A column of a class, or a column nested in it.
  package struct Node: Equatable, Sendable {
    package var kind: ColumnKind
    /// Indices of the nested nodes.
    package var children: [Int] = []
    /// The name of a structure or enumeration, or the class name that a reference declares. Nil for other
    /// kinds of nodes.
    package var name: String?
    /// The names of a structure's fields or of an enumeration's cases.
    package var labels: [String] = []
    /// For each case of an enumeration, the index of its payload in `children`. Nil if the case has no
    /// payload.
    package var payloads: [Int?] = []
    /// Whether a value of the node can contain another value of the node.
    package var isRecursive = false
    /// Whether the type of this node is recursive, and a type nested in it mentions it by its name.
    package var canContainItself = false
    /// Whether nil in this field of a structure means that the structure lacks the field.
    package var isAbsentIfNil = false
    /// The older fields of a structure, which are its last children. The program converts the values of these
    /// fields when it reads them, and never writes them.
    package var olderFields: [OlderField] = []
    /// Whether the node belongs to an older field.
    package var isOlder = false

    /// The number of fields of the structure, without older fields.
    package var fieldCount: Int { children.count - olderFields.count }
  }

  /// An older field that was found in a structure. Its nodes are added after all other nodes of the column.
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

  /// The older fields whose nodes are not added yet. Nil if older fields are not read.
  private var pendingOlderFields: [PendingOlderField]?

  package init() {}

  package init(_ description: ClassDescription) throws(ArchiveError) {
    for column in description.columns { try append(column, className: description.name) }
  }

  /// Creates the nodes of one column of a type.
  package init(
    of type: TypeEncoding, isKeyed: Bool = false, includesOlderFields: Bool = false
  ) throws(ArchiveError) {
    try append(type, isKeyed: isKeyed, includesOlderFields: includesOlderFields)
  }

  /// Returns the nodes of a column, which are contiguous.
  package func nodes(ofRoot root: Int) -> Range<Int> { roots[root]..<nodeCount(ofColumns: root + 1) }

  /// Returns a node and the nodes nested in it, which are contiguous.
  ///
  /// - Complexity: O(nodes in the node).
  package func nodes(inside node: Int) -> Range<Int> {
    // A child before the node is a mention of an enclosing type.
    node..<nodes[node].children.reduce(node + 1) { $1 > node ? max($0, nodes(inside: $1).upperBound) : $0 }
  }

  /// Returns the nodes of a column whose values are references: strong, unowned or weak.
  package func allReferenceNodes(ofRoot root: Int) -> [Int] {
    nodes(ofRoot: root).filter { nodes[$0].kind == .reference || nodes[$0].kind == .weak }
  }

  /// Returns the first node of a column's values. In a keyed column, this node is the child of the node with
  /// the presence bits.
  package func valueNode(ofRoot root: Int, isKeyed: Bool) -> Int {
    isKeyed ? nodes[roots[root]].children[0] : roots[root]
  }

  /// Returns the number of nodes of the first `count` columns.
  package func nodeCount(ofColumns count: Int) -> Int { count < roots.count ? roots[count] : nodes.count }

  /// Appends the nodes of a column. The nodes depend only on the column's type, on whether the column is
  /// weak, and on its marks of absent fields.
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

  /// Appends the nodes of a type. If the column is keyed, its first node is an optional that contains the
  /// presence bits.
  ///
  /// If `includesOlderFields` is true, fields whose names were created by `OlderField` become older fields of
  /// their structures. Their nodes are appended after all other nodes of the column, so that the indices of
  /// the other nodes do not change.
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

  /// Adds the nodes of a type, and returns the first new node. `path` contains the enclosing nodes. `storing`
  /// is the innermost enclosing node that has a chunk, or -1. Spec: 03-classes, rules E2, E3 and E4.
  private mutating func add(
    _ type: TypeEncoding, _ enclosing: inout [ExactName: Int], path: [Int], storing: Int
  ) throws(ArchiveError) -> Int {
    // The parser limits the nesting of encodings. This check is for encodings that code creates.
    guard path.count < 256 else { throw Self.unsupported(type) }
    if let mentioned = Self.mention(type), let node = enclosing[ExactName(mentioned)] {
      // Rule E4: a structure that directly contains itself would be infinite.
      guard storing >= node else { throw Self.unsupported(type) }
      for index in path where index >= node { nodes[index].isRecursive = true }
      nodes[node].canContainItself = true
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

  /// Adds the nodes of a structure's fields or an enumeration's cases. Spec: 03-classes, rules E2 and E3.
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

  /// Returns the key of the enclosing type that `type` mentions, for a look-up in `enclosing`. A mention is a
  /// structure or enumeration without members that has the name of an enclosing type. Nil for any other type.
  private static func mention(_ type: TypeEncoding) -> String? {
    switch type {
    case .structure(let name, nil): "{" + name
    case .enumeration(let name, nil): "(" + name
    default: nil
    }
  }

  /// Returns the kind of a type. Nil if a column cannot contain the type. Spec: 03-classes, rules E2 and P2.
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

  /// Returns the kind of value that an Objective-C class name represents, such as `NSString`. Nil for the
  /// name of a class of objects. Spec: 03-classes, section 4.
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

  /// Whether a name is reserved, so that no archivable class can have it. A name is reserved if it represents
  /// values (with or without protocols), begins with `$`, or is empty.
  ///
  /// Spec: 03-classes, rule C6.
  package static func isReserved(_ className: String) -> Bool {
    if case .object(let name?, _) = TypeEncoding.object(named: className), kind(ofValueNamed: name) != nil {
      return true
    }
    return className.utf8.first == UInt8(ascii: "$") || className.isEmpty
  }

  /// Whether a value of the node can contain a strong or unowned reference.
  package func containsReference(_ node: Int) -> Bool {
    reaches(from: node) { $0.kind == .reference }
  }

  /// Whether a value of the node can contain a reference, including weak references.
  package func containsAnyReference(_ node: Int) -> Bool {
    reaches(from: node) { $0.kind == .reference || $0.kind == .weak }
  }

  /// Whether a value of the node can contain a set or dictionary with references in its keys. Such a set or
  /// dictionary is built only when the referenced objects are complete.
  package func containsHashedReferences(_ node: Int) -> Bool {
    reaches(from: node, where: hashesReferences)
  }

  /// Whether the node itself is a set or dictionary with references in its keys.
  package func hashesReferences(_ node: Node) -> Bool {
    hashesReferences(node, ifKeyContains: containsReference)
  }

  /// Whether the node is a set whose elements contain references, or a dictionary whose keys contain
  /// references. `containsReference` returns whether a node can contain references.
  private func hashesReferences(_ node: Node, ifKeyContains containsReference: (Int) -> Bool) -> Bool {
    guard node.kind == .set || node.kind == .dictionary, let key = node.children.first else { return false }
    return containsReference(key)
  }

  /// Returns the result of `containsReference` for each node.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the number of nodes and *d* is the nesting depth of mentions.
  package func nodesThatContainReferences() -> [Bool] {
    var references = nodes.map { $0.kind == .reference }
    var isSettled = false
    while !isSettled {
      isSettled = true
      // Parents precede their children, so the first pass from the end settles most nodes.
      for index in nodes.indices.reversed() where !references[index] {
        guard nodes[index].children.contains(where: { references[$0] }) else { continue }
        references[index] = true
        isSettled = false
      }
    }
    return references
  }

  /// Returns, for each node, whether its values take no bytes. This is true for a structure without fields,
  /// and for a structure whose fields all take no bytes.
  package func nodesWithoutBytes() -> [Bool] {
    var isEmpty = [Bool](repeating: false, count: nodes.count)
    for (index, node) in nodes.enumerated().reversed() where node.kind == .structure {
      isEmpty[index] = node.children.allSatisfy { isEmpty[$0] }
    }
    return isEmpty
  }

  /// Returns whether `fits` is true for the node or a node nested in it. Calls `fits` at most once per node.
  package func reaches(from node: Int, where fits: (Node) -> Bool) -> Bool {
    // Most columns have a single node.
    if nodes[node].children.isEmpty { return fits(nodes[node]) }
    // A mention refers to a node of the same column.
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

  /// Whether a node is the first node of a column.
  func isRoot(_ node: Int) -> Bool {
    let root = roots.partitioningIndex { $0 >= node }
    return root < roots.count && roots[root] == node
  }

  /// Returns the index of the column to which a node belongs.
  package func root(of node: Int) -> Int { max(roots.partitioningIndex { $0 > node } - 1, 0) }
}
