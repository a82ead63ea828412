/// A rule about the values that a type of the program accepts in a column. Applies in addition to the type
/// encoding.
package enum ColumnMark {
  /// Only values that a check accepts. The check reads one value, and throws `unknownCase` if the program
  /// does not have the value. `words` lists the values that the program has.
  case check((ColumnReader) throws -> Void, words: () -> String)
  /// Collections from which no element may be omitted, because the type has a fixed number of elements.
  case requiresAllParts
  /// Nil references, in addition to references to objects. The type is an optional reference.
  case takesNil
}

/// The columns of a class that are not read as the file stores them. The reader omits values that the program
/// does not have, and reorders values of a recursive type. Spec: 06-evolution, sections 3 and 6.
///
/// The values are changed when the columns are bound to chunks, so code that reads values needs no changes.
final class SievedColumns {
  /// Whether cases and raw values that the program does not have are omitted. If false, such values cause
  /// errors.
  let omitsUnknown: Bool
  fileprivate let marks: [Int: ColumnMark]
  /// The roots whose values may be omitted or reordered, with their layouts.
  fileprivate let roots: [(root: Int, layout: SieveLayout)]
  /// For each root, the rows whose value is unknown as a whole. Such a value remains in the column.
  fileprivate(set) var rows: [Int: Set<Int>] = [:]
  /// Whether any value was omitted, in any chunk so far.
  fileprivate(set) var hasOmitted = false
  /// The nodes that are optionals in the program but not in the file. They have presence bits only if values
  /// in the bound chunks became nil.
  private var optionals: [Handle<ColumnReaderNode>] = []
  /// The nodes of columns in which parts of values were omitted.
  private var lossyNodes: [Handle<ColumnReaderNode>] = []
  /// The nodes that cannot be read to the end, because a value is nil but the program's type is not an
  /// optional.
  private var refusedNodes: [Handle<ColumnReaderNode>] = []
  private var memory: [ByteBuffer] = []

  /// Creates the columns. `marks` contains the rules of the program's types about the values that they
  /// accept, by node. If `marks` is nil, no values are omitted, and values of recursive types are only
  /// reordered.
  init(
    _ marks: [Int: ColumnMark]?, in set: ColumnReaderSet, sources: [ResolvedColumn], file: ColumnLayout
  ) {
    let omitsUnknown = marks != nil
    let marks = marks ?? [:]
    (self.omitsUnknown, self.marks) = (omitsUnknown, marks)
    roots = set.layout.roots.indices.compactMap { root in
      let nodes = set.layout.nodes(ofRoot: root)
      let lacksValues =
        omitsUnknown
        && nodes.contains { node in
          if case .check? = marks[node] { return true }
          return set.column(ofNode: node).node.value.lacksCases
        }
      guard lacksValues || nodes.contains(where: { sources[$0].isRearranged }) else { return nil }
      return (root, SieveLayout(root: root, of: set.layout, sources: sources, file: file))
    }
  }

  deinit { for buffer in memory { buffer.free() } }

  /// Removes the results for the previously bound chunks.
  func removeAll() {
    rows = [:]
    for node in optionals { node.value.isAlwaysPresent = true }
    optionals = []
    for node in lossyNodes { node.value.mayHaveEqualKeys = false }
    lossyNodes = []
    for node in refusedNodes { node.value.refusal = nil }
    refusedNodes = []
    for buffer in memory { buffer.free() }
    memory = []
  }

  /// Returns the plain form of a chunk of the file.
  fileprivate func plain(_ chunk: Chunk) -> Chunk {
    guard chunk.form != .plain else { return chunk }
    let buffer = ByteBuffer(count: chunk.plainByteCount)
    memory.append(buffer)
    chunk.expand(into: buffer)
    return Chunk(count: chunk.count, width: chunk.width, values: buffer.view)
  }

  /// Records that parts of values were omitted in some nodes, so that keys in these values may have become
  /// equal.
  fileprivate func noteLosses(of nodes: some Sequence<Handle<ColumnReaderNode>>) {
    hasOmitted = true
    for node in nodes where !node.value.mayHaveEqualKeys {
      node.value.mayHaveEqualKeys = true
      lossyNodes.append(node)
    }
  }

  /// Binds nodes to the values that the sieve copied.
  fileprivate func bind(_ sieve: ColumnSieve, to set: ColumnReaderSet) {
    for (node, chunk) in sieve.changedChunks(&memory) {
      let node = set.column(ofNode: node).node
      if node.value.isAlwaysPresent {
        node.value.isAlwaysPresent = false
        optionals.append(node)
      }
      node.value.bind(chunk)
    }
    for (node, count) in sieve.nodesThatEndWithNil {
      let handle = set.column(ofNode: node).node
      handle.value.refusal = .ofNil(at: count, node: node)
      refusedNodes.append(handle)
    }
  }
}

extension ColumnReaderNode {
  /// Whether the file's enumeration may have cases that the program does not have.
  fileprivate var lacksCases: Bool { kind == .enumeration && cases.contains(nil) }

  /// Whether a case index in the file denotes a case that the program does not have.
  func isUnknownCase(_ stored: Int) -> Bool { cases.indices.contains(stored) && cases[stored] == nil }
}

extension ColumnReaderSet {
  /// Omits unknown values from now on: optionals become nil, and collections lose the unknown elements or
  /// entries.
  ///
  /// - Parameter wantedMarks: the rules of the program's types about the values that they accept. The key is
  ///   the node in the program's layout.
  package func omitUnknown(_ wantedMarks: [Int: ColumnMark]) {
    var marks: [Int: ColumnMark] = [:]
    for (wanted, mark) in wantedMarks { marks[node(ofWanted: wanted)] = mark }
    sieved = SievedColumns(marks, in: self, sources: sources, file: file)
    for root in layout.roots.indices {
      let range = layout.nodes(ofRoot: root)
      guard sources[range].contains(where: \.dropsParts) else { continue }
      for node in range { nodes[node].value.mayHaveEqualKeys = true }
    }
    acceptEqualKeys()
  }

  /// Whether a value was omitted in any chunk that was bound so far.
  package var hasOmittedValues: Bool { sieved?.hasOmitted ?? false }

  /// Returns the rows whose value at `root` is unknown to the program as a whole, not only in nested parts.
  package func unknownRows(ofRoot root: Int) -> Set<Int> { sieved?.rows[root] ?? [] }

  /// Omits and reorders the values of the columns, and binds the columns to the results. Called directly
  /// after the columns were bound to `chunks`.
  func sieve(_ sieved: SievedColumns, _ chunks: [Chunk?]) {
    for (root, sieveLayout) in sieved.roots {
      let nodes = layout.nodes(ofRoot: root)
      // Columns of another phase have no values.
      guard nodes.contains(where: { self.nodes[$0].value.count > 0 }) else { continue }
      var unknown: [Int: [Bool]] = [:]
      if sieved.omitsUnknown {
        for node in nodes {
          let isUnknown = unknownValues(ofNode: node, sieved.marks[node])
          if isUnknown.contains(true) { unknown[node] = isUnknown }
        }
      }
      let lacksValues =
        sieved.omitsUnknown && (!unknown.isEmpty || nodes.contains { hasUnknownCase($0) })
      guard lacksValues || sieveLayout.isRearranged else { continue }
      var sieve = ColumnSieve(sieveLayout, context(sieved, chunks, unknown))
      if let rows = sieve.copy() {
        if lacksValues { sieved.noteLosses(of: self.nodes[nodes]) }
        if !rows.isEmpty { sieved.rows[root] = rows }
        sieved.bind(sieve, to: self)
      } else {
        // Reading the values unchanged reports what is wrong. Reordered values cannot be read unchanged.
        if sieveLayout.isRearranged { for node in nodes { self.nodes[node].value.unbind() } }
      }
    }
  }

  private func context(
    _ sieved: SievedColumns, _ chunks: [Chunk?], _ unknown: [Int: [Bool]]
  ) -> ColumnSieve.Context {
    ColumnSieve.Context(
      chunk: { [self] node in
        if let wanted = node.wanted { return chunk(ofNode: wanted) }
        let chunk = node.file.flatMap { $0 < chunks.count ? chunks[$0] : nil }
        return chunk.map { node.nesting == .none ? $0 : sieved.plain($0) }
          ?? Chunk(count: 0, width: 0, values: ByteView())
      },
      limit: { [self] node, chunk in
        // A condition may end a column while other columns have more values.
        nodes[node].value.converter?.refusal == nil
          ? chunk.count : chunks.reduce(chunk.count) { max($0, $1?.count ?? 0) }
      }, unknown: { unknown[$0] ?? [] },
      requiresAllParts: { node in
        if case .requiresAllParts? = sieved.marks[node] { true } else { !sieved.omitsUnknown }
      })
  }

  private func hasUnknownCase(_ index: Int) -> Bool {
    let node = column(ofNode: index).node
    guard node.value.lacksCases else { return false }
    let chunk = chunk(ofNode: index)
    return (0..<chunk.count).contains {
      node.value.isUnknownCase(Int(truncatingIfNeeded: chunk.unsigned($0)))
    }
  }

  /// Returns one Boolean for each value of a node: whether the value is a raw value that the program does not
  /// have. The array is empty if the values of the node are not raw values.
  private func unknownValues(ofNode index: Int, _ mark: ColumnMark?) -> [Bool] {
    let node = layout.nodes[index]
    // A check of references would fail, because no object exists yet.
    guard case .check(let check, _)? = mark, node.children.isEmpty, node.kind != .reference,
      node.kind != .weak
    else { return [] }
    let reader = column(ofNode: index)
    defer { (reader.node.value.position, reader.node.value.textPosition) = (0, 0) }
    var isUnknown = [Bool](repeating: false, count: reader.node.value.count)
    for position in isUnknown.indices {
      do { try check(reader) } catch {
        guard (error as? ArchiveError)?.code == .unknownCase else { break }
        isUnknown[position] = true
      }
    }
    return isUnknown
  }
}
