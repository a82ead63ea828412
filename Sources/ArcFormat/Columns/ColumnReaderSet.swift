/// The columns of one class while it is read; owns their memory.
///
/// The nodes have the shape that the program wants (`layout`), and `sources` tells from which node of the
/// file each is read. For a reader without classes both are the same.
package final class ColumnReaderSet {
  private let nodes: [Handle<ColumnReaderNode>]
  package let layout: ColumnLayout
  /// For each node whether its values take no bytes: there is nothing to skip.
  let areEmpty: [Bool]
  /// Keeps the table alive that the nodes point to.
  private let strings: StringTable
  private let worklist: Handle<Worklist>
  /// The nodes with other values than the file has, and the nodes of the file that these are made of.
  private var converted: [(node: Int, source: Int)] = []
  /// Which values are left out because the program does not have them; nil if they are refused.
  var unknownValues: UnknownValues?

  /// Values to be skipped.
  ///
  /// Invariant: both buffers have an element for every node; a node is among the first `openCount` of `open`
  /// if its count in `pending` is not 0, and only then.
  private struct Worklist {
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

  /// Makes the columns of a layout, with a source for each node and a location for each root.
  package init(
    _ layout: ColumnLayout, sources: [ResolvedColumn], locations: [ColumnLocation], strings: StringTable,
    context: OpaqueHandle?
  ) {
    self.layout = layout
    areEmpty = layout.nodesWithoutBytes()
    self.strings = strings
    worklist = Handle(Worklist(nodeCount: layout.nodes.count))
    let containsReferences = layout.nodesThatContainReferences()
    var nodes: [Handle<ColumnReaderNode>] = []
    nodes.reserveCapacity(layout.nodes.count)
    var root = -1
    for (index, (node, source)) in zip(layout.nodes, sources).enumerated() {
      if root + 1 < layout.roots.count, layout.roots[root + 1] == index { root += 1 }
      let handle = unsafe Handle(
        ColumnReaderNode(
          isSigned: source.isSigned, isMissing: source.isMissing, isAlwaysPresent: source.isAlwaysPresent,
          isBytes: source.isBytes,
          isRecursive: node.isRecursive, head: nil,
          containsReferences: containsReferences[index],
          isWeak: node.kind == .weak,
          context: context,
          children: HandleBuffer([]),
          builtStrings: strings.built,
          kind: node.kind, isText: node.kind.storage == .text || source.isBytes,
          strings: .passUnretained(strings), source: source.conversion == nil ? source.node : nil,
          cases: source.cases, entangledCases: source.entangledCases,
          payloads: node.payloads, caseNames: source.caseNames, labels: node.labels, index: index,
          location: locations[root]))
      if node.isMentioned { handle.value.head = handle }
      handle.value.updateReferenceKind()
      nodes.append(handle)
    }
    for (index, node) in layout.nodes.enumerated() {
      nodes[index].value.children.free()
      nodes[index].value.children = HandleBuffer(node.children.map { nodes[$0] })
      for child in node.children {
        if node.kind == .enumeration, node.isMentioned, child > index {
          nodes[child].value.head = nodes[index]
        }
      }
    }
    self.nodes = nodes
    for (index, source) in zip(layout.nodes.indices, sources) {
      guard let conversion = source.conversion, let source = source.node else { continue }
      nodes[index].value.converter = ColumnConverter(
        conversion, to: layout.nodes[index].kind, strings: strings)
      converted.append((index, source))
    }
  }

  deinit {
    for index in layout.nodes.indices {
      let node = nodes[index]
      node.value.children.free()
      node.value.expanded?.free()
      node.free()
    }
    worklist.value.free()
    worklist.free()
  }

  /// The column of a property, by its index among the roots.
  package func column(_ index: Int) -> ColumnReader { ColumnReader(nodes[layout.roots[index]]) }

  /// The columns of the values of all roots, for a caller that keeps them no longer than the set.
  package var columns: [ColumnReader] {
    layout.roots.indices.map { root in
      let first = layout.roots[root]
      return ColumnReader(nodes[rootsWithPresence.contains(root) ? layout.nodes[first].children[0] : first])
    }
  }

  /// Whether a root contains references, weak ones not counted.
  package func holdsReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains { layout.nodes[$0].kind == .reference }
  }

  /// Whether a root contains weak references.
  package func holdsWeakReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains { layout.nodes[$0].kind == .weak }
  }

  /// The node of the file from which the values of a node are read as they are; nil if there is none.
  package func source(ofNode index: Int) -> Int? { nodes[index].value.source }

  /// Sets the phase of unarchiving in which the values of a root are set, nil for none, whether its
  /// references are unowned, and whether rows may be without a value, of which the root's node then tells.
  package func setPhase(_ phase: UInt8?, isUnowned: Bool, mayBeAbsent: Bool = false, of root: Int) {
    for index in layout.nodes(ofRoot: root) { nodes[index].value.phase = phase ?? ColumnReaderNode.noPhase }
    let first = layout.roots[root]
    nodes[mayBeAbsent ? layout.nodes[first].children[0] : first].value.isUnowned = isUnowned
    if mayBeAbsent, phase != nil { rootsWithPresence.append(root) }
  }

  /// Reads whether the next row has a value in a root of which rows may be without one: in a row without, its
  /// values are set in no phase.
  package func readPresence(ofRoot root: Int) throws {
    let first = layout.roots[root]
    let isPresent = try ColumnReader(nodes[first]).bit()
    nodes[layout.nodes[first].children[0]].value.phase =
      isPresent ? nodes[first].value.phase : ColumnReaderNode.noPhase
  }

  /// Has the values of rows be set in their phase.
  private func resetPresence() {
    for root in rootsWithPresence {
      let first = layout.roots[root]
      nodes[layout.nodes[first].children[0]].value.phase = nodes[first].value.phase
    }
  }

  /// Has collections whose elements cannot be nil leave out references to nothing, as a revision makes them.
  package func leaveOutNil() {
    for (index, node) in layout.nodes.enumerated() where node.kind == .reference || node.kind == .weak {
      nodes[index].value.leavesOutNil = true
    }
  }

  /// Moves all columns to the beginning of `chunks`: those of one class in one segment, by node of the file's
  /// layout. Nodes without a chunk have no values, and nor do those of a phase that is not in `phases`, one
  /// bit each: values that are not read need not be expanded.
  ///
  /// `rowCount` is the number of rows of the class: an optional column that the class did not have yet has
  /// nil for each.
  package func bind(_ chunks: [Chunk?], phases: UInt8 = .max, rowCount: Int = 0) {
    if !rootsWithPresence.isEmpty { resetPresence() }
    unknownValues?.removeAll()
    let nodes = nodes
    for index in nodes.indices {
      let node = nodes[index]
      guard phases &>> node.value.phase & 1 == 1, let source = node.value.source,
        source < chunks.count, let chunk = chunks[source]
      else {
        node.value.unbind()
        if rowCount > 0, node.value.kind == .optional, node.value.source != nil,
          phases &>> node.value.phase & 1 == 1, layout.isRoot(index)
        {
          hasOwnMemory = true
          node.value.bindAbsent(rowCount)
        }
        continue
      }
      if chunk.form != .plain { hasOwnMemory = true }
      node.value.bind(chunk)
    }
    if !converted.isEmpty { bindConverted(chunks, phases: phases) }
    if let unknownValues { leaveOut(unknownValues) }
  }

  /// Moves the columns with other values than the file has to the beginning of what these become.
  private func bindConverted(_ chunks: [Chunk?], phases: UInt8) {
    for (index, source) in converted {
      let node = nodes[index]
      guard phases &>> node.value.phase & 1 == 1, source < chunks.count, let chunk = chunks[source],
        let converter = node.value.converter
      else { continue }
      hasOwnMemory = true
      node.value.bind(converter.convert(chunk, among: chunks))
    }
  }

  /// The roots of which rows may be without a value.
  private var rootsWithPresence: [Int] = []

  /// Whether columns may have memory for expanded values.
  private(set) var hasOwnMemory = false

  /// Leaves the columns without values.
  package func prepareForReuse() {
    for index in nodes.indices {
      nodes[index].value.unbind()
      nodes[index].value.freeIfLarge()
    }
    for (index, _) in converted { nodes[index].value.converter?.removeAll() }
    hasOwnMemory = false
  }

  /// The positions of the columns of a root, to be passed to `restore`.
  package func state(ofRoot root: Int) -> [Int] {
    layout.nodes(ofRoot: root).flatMap {
      [nodes[$0].value.position, nodes[$0].value.textPosition]
    }
  }

  /// Moves the columns of a root back to positions that `state(ofRoot:)` returned while the same chunks were
  /// bound.
  package func restore(_ state: [Int], ofRoot root: Int) {
    for (offset, index) in layout.nodes(ofRoot: root).enumerated() where offset * 2 + 1 < state.count {
      nodes[index].value.position = state[offset * 2]
      nodes[index].value.textPosition = state[offset * 2 + 1]
    }
  }

  /// The rows to which the next value of a root refers, weak references not counted; nothing is taken.
  package func targets(ofRoot root: Int) throws(ArchiveError) -> [Int] {
    let start = state(ofRoot: root)
    defer { restore(start, ofRoot: root) }
    try skip(root: root, count: 1)
    var rows: [Int] = []
    for (offset, index) in layout.nodes(ofRoot: root).enumerated()
    where layout.nodes[index].kind == .reference {
      let chunk = chunk(ofNode: index)
      for position in start[offset * 2]..<nodes[index].value.position {
        rows.append(Int(truncatingIfNeeded: chunk.unsigned(position)))
      }
    }
    return rows
  }

  /// Skips `count` values of a root.
  package func skip(root: Int, count: Int) throws(ArchiveError) {
    try consume { () throws(ArchiveError) in try add(count, of: layout.roots[root]) }
  }

  /// Skips `count` values of each of the first roots. With `noteWeak`, weak columns need not be bound: it
  /// receives the number of their values.
  func skip(
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
          if unknownValues != nil, node.value.isSkippableCase(tag) { continue }
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

  /// Throws unless every column of the file was read to its end. Spec: 04-columns, rule V2.
  package func checkAtEnd() throws(ArchiveError) {
    for index in layout.nodes.indices {
      let node = nodes[index]
      guard node.value.position != node.value.count else { continue }
      throw ColumnReader(node).error(
        .malformedColumn, found: plural(node.value.count, "value"), expected: "\(node.value.position)")
    }
  }

  /// The chunk that is bound to a node, in its plain form, for checks of all values.
  package func chunk(ofNode index: Int) -> Chunk { Chunk(bound: nodes[index].value) }

  /// The number of values of a node that were taken.
  package func position(ofNode index: Int) -> Int { nodes[index].value.position }

  /// The row that the reference led to which an error names by numbers, before a revision left out the object
  /// there; 0 if there was none.
  package func formerRow(of error: ArchiveError) -> Int {
    guard let place = error.valuePlace, nodes.indices.contains(place.node) else { return 0 }
    return nodes[place.node].value.formerRow(place.index)
  }

  /// The kind of a node.
  func kind(ofNode index: Int) -> ColumnKind { nodes[index].value.kind }

  /// The column of a node.
  package func column(ofNode index: Int) -> ColumnReader { ColumnReader(nodes[index]) }
}

extension Chunk {
  /// The chunk that is bound to a node, in its plain form.
  init(bound node: ColumnReaderNode) {
    count = node.count
    width = node.width
    usesStringTable = node.usesStringTable
    values = node.values
    text = node.text
  }
}
