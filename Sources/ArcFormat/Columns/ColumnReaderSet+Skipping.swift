// Skipping values, and all values inside them.

extension ColumnReaderSet {
  /// The values that are still to be skipped, as a count per node.
  ///
  /// Invariant: both buffers have an element for every node. The first `openCount` elements of `open` are the
  /// nodes whose count in `pending` is not 0.
  struct Worklist {
    let pending: HandleBuffer<Int>
    let open: HandleBuffer<Int>
    var openCount = 0

    init(nodeCount: Int) {
      pending = HandleBuffer(repeating: 0, count: nodeCount)
      open = HandleBuffer(repeating: 0, count: nodeCount)
    }

    mutating func set(_ count: Int, of index: Int) {
      if pending[index] == 0 {
        open[openCount] = index
        openCount += 1
      }
      pending[index] = count
    }

    mutating func removeAll() {
      for index in 0..<openCount { pending[open[index]] = 0 }
      openCount = 0
    }

    func free() {
      pending.free()
      open.free()
    }
  }

  /// Skips `count` values of a root.
  package func skip(root: Int, count: Int) throws(ArchiveError) {
    try consume { () throws(ArchiveError) in try add(count, of: layout.roots[root]) }
  }

  /// Skips `count` values of each of the first `rootCount` roots. If `noteWeak` is supplied, it is called for
  /// each weak column, with the number of values to skip. The weak columns then need not be bound.
  package func skip(
    roots rootCount: Int, count: Int, noteWeak: ((_ node: Int, _ count: Int) -> Void)? = nil
  ) throws(ArchiveError) {
    try consume(noteWeak: noteWeak) { () throws(ArchiveError) in
      for root in 0..<rootCount { try add(count, of: layout.roots[root]) }
    }
  }

  /// Skips the values that `begin` adds, and the values inside them. Spec: 04-columns, rule V2.
  ///
  /// The order does not matter, because each column is read separately. The number of values that a value
  /// contains in nested columns does not depend on its enclosing value. So all pending values of a node are
  /// skipped at once, even in a recursive type, and no stack is needed. Every step skips at least one value
  /// that has bytes, so the time is O(bytes).
  private func consume(
    noteWeak: ((_ node: Int, _ count: Int) -> Void)? = nil, _ begin: () throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try begin()
      while worklist.value.openCount > 0 {
        worklist.value.openCount -= 1
        let index = worklist.value.open[worklist.value.openCount]
        let count = worklist.value.pending[index]
        worklist.value.pending[index] = 0
        if let noteWeak, layout.nodes[index].kind == .weak {
          noteWeak(index, count)
          continue
        }
        try take(count, from: index)
      }
    } catch {
      worklist.value.removeAll()
      throw error
    }
  }

  /// Adds `count` values of a node to the pending values.
  private func add(_ count: Int, of index: Int) throws(ArchiveError) {
    guard count > 0, !areEmpty[index], !nodes[index].value.isMissing else { return }
    // Most nodes have no nested nodes. Weak references are pending, because `noteWeak` may receive them.
    if nodes[index].value.children.count == 0 || nodes[index].value.isBytes, nodes[index].value.kind != .weak
    {
      return try takeLeaf(count, from: index)
    }
    let sum = worklist.value.pending[index].addingReportingOverflow(count)
    guard !sum.overflow else { throw column(ofNode: index).endOfColumn() }
    worklist.value.set(sum.partialValue, of: index)
  }

  /// Adds `count` to the pending values of each node that is directly nested in the node at `index`.
  @inline(__always) private func add(_ count: Int, ofEachIn index: Int) throws(ArchiveError) {
    // A loop over the array itself would retain it.
    for position in 0..<nodes[index].value.children.count {
      try add(count, of: layout.nodes[index].children[position])
    }
  }

  /// Skips `count` values of a column without nested columns. Spec: 04-columns, rule V2.
  @inline(__always) private func takeLeaf(_ count: Int, from index: Int) throws(ArchiveError) {
    let node = nodes[index]
    let start = node.value.position
    guard count <= node.value.count - start else { throw column(ofNode: index).endOfColumn() }
    node.value.position = start + count
    if node.value.isText, !node.value.usesStringTable {
      node.value.textPosition += try sum(
        Chunk(bound: node.value), start..<start + count, ColumnReader(node))
    }
  }

  /// Skips `count` values of a column, and adds the values nested in them to the pending values. The counts
  /// are equal to the sums of `NestedValues` over the skipped values. Spec: 04-columns, rules V2 and V6.
  private func take(_ count: Int, from index: Int) throws(ArchiveError) {
    let node = nodes[index]
    let nesting = node.value.kind.nesting
    if nesting == .fields || node.value.isAlwaysPresent { return try add(count, ofEachIn: index) }
    let column = ColumnReader(node)
    let start = node.value.position
    guard count <= node.value.count - start else { throw column.endOfColumn() }
    node.value.position = start + count
    let range = start..<start + count
    switch nesting {
    case .none, .fields: break
    case .elements:
      let chunk = Chunk(bound: node.value)
      let total = node.value.kind == .optional ? range.count { chunk.bit($0) } : try sum(chunk, range, column)
      try add(total, ofEachIn: index)
    case .payload:
      let chunk = Chunk(bound: node.value)
      for position in range {
        let tag = Int(truncatingIfNeeded: chunk.unsigned(position))
        let known = node.value.cases.indices.contains(tag) ? node.value.cases[tag] : nil
        guard let known else {
          // A sieve omits the payloads of such cases.
          if sieved?.omitsUnknown ?? false, node.value.isUnknownCase(tag) { continue }
          throw column.unknownCase(tag)
        }
        if let child = layout.nodes[index].payloads[known] {
          try add(1, of: layout.nodes[index].children[child])
        }
      }
    }
  }

  private func sum(_ chunk: Chunk, _ range: Range<Int>, _ column: ColumnReader) throws(ArchiveError)
    -> Int
  {
    var total = 0
    for position in range {
      let sum = total.addingReportingOverflow(Int(truncatingIfNeeded: chunk.unsigned(position)))
      guard !sum.overflow, sum.partialValue >= total else { throw column.endOfColumn() }
      total = sum.partialValue
    }
    return total
  }
}
