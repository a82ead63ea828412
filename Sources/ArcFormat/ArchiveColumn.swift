public import ArcRuntime

/// One column of one class in one segment: the values of a property, or of what is nested in it, one behind the other.
///
/// A nested type is a tree of columns, each with all of its values: an array is a column of lengths, and one of the
/// elements of all arrays (Spec: 04-columns, section 4).
///
///     let samples = try batch.column("samples")                  // $[d]
///     let lengths = try samples.lengths()                        // elements of each object's array
///     let sum = try samples.elements.withValues(as: Double.self) { numbers in   // of all objects, in place
///       numbers.indices.reduce(0) { $0 + numbers[$1] }
///     }
public struct ArchiveColumn {
  /// The type of a value.
  public let type: TypeEncoding
  /// How many values there are.
  public let count: Int

  private let tree: ColumnTree
  private let node: Int

  private init(_ tree: ColumnTree, node: Int, type: TypeEncoding, count: Int) {
    self.tree = tree
    self.node = node
    self.type = type
    self.count = count
  }

  init(
    _ segment: RowsSegment, _ rows: RowsSegment.ClassRows, position: Int, of file: ArchiveFile
  ) throws(ArchiveError) {
    let column = file.classes[rows.classIndex].columns[position]
    tree = try ColumnTree(segment, rows, position: position, of: file)
    node = 0
    count = rows.rowCount
    var type = column.attributes.type ?? .object(className: nil, protocols: [])
    if column.attributes.flags.contains(.weak) { type = .weak(type) }
    self.type = column.flags.contains(.keyed) ? .optional(type) : type
  }

  /// What the column holds.
  public var kind: ColumnKind { tree.layout.nodes[node].kind }

  /// The values. Throws `typeMismatch`, which names both types, where `Value` cannot hold every value of the column's
  /// type. O(values).
  public func values<Value: ColumnValue>(as type: Value.Type) throws -> [Value] {
    let cursor = tree.cursor(atStartOf: node)
    guard Value.__fits(cursor) else { throw mismatch(Value.__name) }
    return try Value.__read(count, from: cursor)
  }

  /// Calls `body` with the numbers: with those in the file's memory where they stand there as `Value` does, otherwise
  /// with a copy. Throws as `values(as:)`, or what `body` throws.
  ///
  /// They stand as such in a segment that is not compressed, if they are aligned and not packed, as Arc writes long
  /// arrays: then this takes no time and no memory.
  public func withValues<Value: ColumnNumber, Result>(
    as type: Value.Type, _ body: (Span<Value>) throws -> Result
  ) throws -> Result {
    guard Value.__fits(tree.cursor(atStartOf: node)) else { throw mismatch(Value.__name) }
    if Value.__kind == kind, let numbers = unsafe tree.plainValues(of: node, count: count, as: type) {
      // The tree keeps the segment in memory, this value the tree.
      defer { withExtendedLifetime(tree) {} }
      return try body(unsafe Span(_unsafeElements: numbers))
    }
    let copy = try values(as: type)
    return try body(copy.span)
  }

  // MARK: What is nested

  /// Of optionals, whether each has a value.
  public func presence() throws(ArchiveError) -> [Bool] {
    try require([.optional], "an optional")
    return tree.bits(of: node, count: count)
  }

  /// Of arrays, sets and dictionaries, how many elements each has.
  public func lengths() throws(ArchiveError) -> [Int] {
    try require([.array, .set, .dictionary], "an array, a set or a dictionary")
    return tree.integers(of: node, count: count)
  }

  /// Of enumerations, the case of each as an index in those that the type has.
  public func cases() throws(ArchiveError) -> [Int] {
    try require([.enumeration], "an enumeration")
    return tree.integers(of: node, count: count)
  }

  /// Of optionals, the values that are there.
  public var wrapped: ArchiveColumn {
    get throws(ArchiveError) {
      guard case .optional(let wrapped) = type else { throw mismatch("an optional") }
      return try child(0, wrapped, presence().count { $0 })
    }
  }

  /// Of arrays and sets, the elements of all; of dictionaries, the values of all.
  public var elements: ArchiveColumn {
    get throws(ArchiveError) {
      switch type {
      case .list(let element), .set(let element): try child(0, element, lengths().reduce(0, &+))
      case .dictionary(_, let value): try child(1, value, lengths().reduce(0, &+))
      default: throw mismatch("an array, a set or a dictionary")
      }
    }
  }

  /// Of dictionaries, the keys of all.
  public var keys: ArchiveColumn {
    get throws(ArchiveError) {
      guard case .dictionary(let key, _) = type else { throw mismatch("a dictionary") }
      return try child(0, key, lengths().reduce(0, &+))
    }
  }

  /// Of structures, the values of the first field with that name.
  public func field(_ name: String) throws(ArchiveError) -> ArchiveColumn {
    guard case .structure(_, let fields?) = type,
      let position = fields.firstIndex(where: { ($0.name ?? "").hasSameBytes(as: name) })
    else { throw mismatch("a structure with a field '\(name)'") }
    return try child(position, fields[position].type, count)
  }

  /// Of enumerations, what the values of the case with that name carry: a structure, of those values only.
  public func payload(ofCase name: String) throws(ArchiveError) -> ArchiveColumn {
    guard case .enumeration(_, let cases?) = type,
      let index = cases.firstIndex(where: { ($0.name ?? "").hasSameBytes(as: name) }),
      let position = tree.layout.nodes[node].payloads[index]
    else { throw mismatch("an enumeration with a case '\(name)' that carries something") }
    return try child(position, cases[index].type, self.cases().count { $0 == index })
  }

  private func child(
    _ position: Int, _ type: TypeEncoding, _ count: Int
  ) throws(ArchiveError) -> ArchiveColumn {
    // The values of one level of a recursive type do not stand together.
    guard !tree.layout.nodes[node].isRecursive else { throw mismatch("a type that does not contain itself") }
    return ArchiveColumn(tree, node: tree.layout.nodes[node].children[position], type: type, count: count)
  }

  private func require(_ kinds: [ColumnKind], _ wanted: String) throws(ArchiveError) {
    guard kinds.contains(kind) else { throw mismatch(wanted) }
  }

  private func mismatch(_ wanted: String) -> ArchiveError {
    tree.cursor(atStartOf: node).reader.__error(
      .typeMismatch, found: "type encoding '\(type)'", expected: wanted,
      remedy: "ArchiveValue can hold every type")
  }
}
