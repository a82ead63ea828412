// Passing over values, with all that is inside of them.

extension ColumnReaderSet {
  /// Values to be skipped.
  ///
  /// Invariant: both buffers have an element for every node; a node is among the first `openCount` of `open`
  /// if its count in `pending` is not 0, and only then.
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

  /// Skips `count` values of each of the first roots. With `noteWeak`, weak columns need not be bound: it
  /// receives the number of their values.
  package func skip(
    roots rootCount: Int, count: Int, noteWeak: ((_ node: Int, _ count: Int) -> Void)? = nil
  ) throws(ArchiveError) {
    try consume(noteWeak: noteWeak) { () throws(ArchiveError) in
      for root in 0..<rootCount { try add(count, of: layout.roots[root]) }
    }
  }

  /// Skips the values that `begin` adds, and what is inside them. Spec: 04-columns, rule V2.
  ///
  /// The order in which pending values are taken does not matter, because each column is a stream of its own
  /// and a value of a column takes the same from all others, whatever contains it. So whole counts are taken
  /// at once, even where a type is recursive, and no stack is needed. Every step takes at least one value
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

  /// Adds values of a node to those to be taken.
  private func add(_ count: Int, of index: Int) throws(ArchiveError) {
    guard count > 0, !areEmpty[index], !nodes[index].value.isMissing else { return }
    // Most have no nested columns; weak ones wait, because they may go to `noteWeak`.
    if nodes[index].value.children.count == 0 || nodes[index].value.isBytes, nodes[index].value.kind != .weak
    {
      return try takeLeaf(count, from: index)
    }
    let sum = worklist.value.pending[index].addingReportingOverflow(count)
    guard !sum.overflow else { throw column(ofNode: index).endOfColumn() }
    worklist.value.set(sum.partialValue, of: index)
  }

  /// Takes `count` values of a column without nested ones. Spec: 04-columns, rule V2.
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

  /// Takes `count` values of a column, and adds the values inside them. Spec: 04-columns, rules V2 and V6.
  private func take(_ count: Int, from index: Int) throws(ArchiveError) {
    let node = nodes[index]
    let kind = node.value.kind
    if kind == .structure || kind == .url {
      for child in layout.nodes[index].children { try add(count, of: child) }
      return
    }
    if node.value.isAlwaysPresent { return try add(count, of: layout.nodes[index].children[0]) }
    let column = ColumnReader(node)
    let start = node.value.position
    guard count <= node.value.count - start else { throw column.endOfColumn() }
    node.value.position = start + count
    let range = start..<start + count
    switch kind {
    case .optional:
      let chunk = Chunk(bound: node.value)
      try add(range.count { chunk.bit($0) }, of: layout.nodes[index].children[0])
    case .array, .set, .dictionary:
      let total = try sum(Chunk(bound: node.value), range, column)
      for child in layout.nodes[index].children { try add(total, of: child) }
    case .enumeration:
      let chunk = Chunk(bound: node.value)
      for position in range {
        let tag = Int(truncatingIfNeeded: chunk.unsigned(position))
        let known = node.value.cases.indices.contains(tag) ? node.value.cases[tag] : nil
        guard let known else {
          // A sieve leaves nothing of what such a case carries.
          if sieved?.leavesOutUnknown ?? false, node.value.isUnknownCase(tag) { continue }
          throw column.unknownCase(tag)
        }
        if let child = layout.nodes[index].payloads[known] {
          try add(1, of: layout.nodes[index].children[child])
        }
      }
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float16,
      .float32, .float64, .string, .data, .date, .uuid, .decimal, .reference, .weak, .structure, .url:
      break
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
