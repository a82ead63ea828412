/// The columns of one class while it is read; owns their memory.
///
/// The nodes have the shape that the program wants (`wanted`); `sources` says which column of the file gives
/// each its values. For a reader without classes both are the same.
@safe package final class ColumnReaderSet {
  private let nodes: [UnsafeMutablePointer<ColumnReaderNode>]
  package let layout: ColumnLayout
  /// For each node whether its values take no bytes: there is nothing to pass over.
  let areEmpty: [Bool]
  /// Keeps the table alive that the nodes point to.
  private let strings: StringTable
  private let worklist: UnsafeMutablePointer<Worklist>

  /// Values that are to be passed over.
  ///
  /// Invariant: both have room for every node. `pending` is initialised; a node is among the first `openCount` of `open`
  /// where its count is not 0, and only there.
  @safe private struct Worklist {
    let pending: UnsafeMutablePointer<Int>
    let open: UnsafeMutablePointer<Int>
    var openCount = 0

    init(nodeCount: Int) {
      unsafe pending = .allocate(capacity: max(nodeCount, 1))
      unsafe pending.initialize(repeating: 0, count: nodeCount)
      unsafe open = .allocate(capacity: max(nodeCount, 1))
    }

    mutating func set(_ count: Int, of index: Int) {
      if unsafe pending[index] == 0 {
        unsafe (open + openCount).initialize(to: index)
        openCount += 1
      }
      unsafe pending[index] = count
    }

    mutating func clear() {
      for place in 0..<openCount { unsafe pending[open[place]] = 0 }
      openCount = 0
    }

    func free() {
      unsafe pending.deallocate()
      unsafe open.deallocate()
    }
  }

  /// Columns of a layout: one source per node, one place per root.
  package init(
    _ layout: ColumnLayout, sources: [ColumnSource], places: [ColumnPlace], strings: StringTable,
    context: UnsafeMutableRawPointer?
  ) {
    self.layout = layout
    areEmpty = layout.nodesWithoutBytes()
    self.strings = strings
    unsafe worklist = .allocate(capacity: 1)
    unsafe worklist.initialize(to: Worklist(nodeCount: layout.nodes.count))
    let hashesReferences = layout.nodesThatHashReferences()
    var nodes: [UnsafeMutablePointer<ColumnReaderNode>] = unsafe []
    unsafe nodes.reserveCapacity(layout.nodes.count)
    var root = -1
    for (index, (node, source)) in zip(layout.nodes, sources).enumerated() {
      if root + 1 < layout.roots.count, layout.roots[root + 1] == index { root += 1 }
      let pointer = UnsafeMutablePointer<ColumnReaderNode>.allocate(capacity: 1)
      unsafe pointer.initialize(
        to: ColumnReaderNode(
          values: UnsafeRawPointer(pointer),
          isSigned: source.isSigned, isMissing: source.isMissing, isAlwaysPresent: source.isAlwaysPresent,
          isRecursive: node.isRecursive, head: node.isMentioned ? pointer : nil,
          hashesReferences: hashesReferences[index],
          isWeak: node.kind == .weak,
          context: context,
          children: .allocate(capacity: max(node.children.count, 1)), childCount: node.children.count,
          builtStrings: strings.built,
          text: UnsafeRawBufferPointer(start: nil, count: 0),
          kind: node.kind, isText: node.kind.storage == .text,
          strings: .passUnretained(strings), source: source.node, cases: source.cases,
          payloads: node.payloads,
          place: places[root]))
      unsafe pointer.pointee.updateReferenceKind()
      unsafe nodes.append(pointer)
    }
    for (index, node) in layout.nodes.enumerated() {
      for (position, child) in node.children.enumerated() {
        unsafe nodes[index].pointee.children.advanced(by: position).initialize(to: nodes[child])
        if node.kind == .enumeration, node.isMentioned, child > index {
          unsafe nodes[child].pointee.head = unsafe nodes[index]
        }
      }
    }
    unsafe self.nodes = unsafe nodes
  }

  deinit {
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      unsafe node.pointee.children.deallocate()
      unsafe node.pointee.room.deallocate()
      unsafe node.deinitialize(count: 1)
      unsafe node.deallocate()
    }
    unsafe worklist.pointee.free()
    unsafe worklist.deallocate()
  }

  /// The column of a property, by its position among the roots.
  package func column(_ index: Int) -> ColumnReader { unsafe ColumnReader(nodes[layout.roots[index]]) }

  /// The columns of all roots, for a caller that keeps them as long as it keeps the set.
  package var columns: [ColumnReader] { layout.roots.map { unsafe ColumnReader(nodes[$0]) } }

  /// Whether there are references within a root, weak ones not counted.
  package func holdsReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains { layout.nodes[$0].kind == .reference }
  }

  /// Whether there are weak references within a root.
  package func holdsWeakReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains { layout.nodes[$0].kind == .weak }
  }

  /// Says when the unarchiver sets the values of a root, and whether they keep what they refer to.
  package func setPhase(_ phase: UInt8, isUnowned: Bool, of root: Int) {
    for index in layout.nodes(ofRoot: root) { unsafe nodes[index].pointee.phase = phase }
    unsafe nodes[layout.roots[root]].pointee.isUnowned = isUnowned
  }

  /// Puts all columns at the beginning of `chunks`, the chunks of one class in one segment by file node; nodes
  /// without a chunk have no values. Nor have those of other phases than `phases` says, one bit each: values that
  /// nobody is going to read need not be unpacked.
  package func bind(_ chunks: [ChunkView?], phases: UInt8 = .max) {
    let nodes = unsafe nodes
    for index in unsafe nodes.indices {
      let node = unsafe nodes[index]
      guard unsafe phases &>> node.pointee.phase & 1 == 1, let source = unsafe node.pointee.source,
        source < chunks.count, let chunk = chunks[source]
      else {
        unsafe node.pointee.unbind()
        continue
      }
      if chunk.form != .plain { hasRoom = true }
      unsafe node.pointee.bind(chunk)
    }
  }

  /// Whether columns have memory for values that are not plain in the file.
  private(set) var hasRoom = false

  /// Leaves the columns without values.
  package func unbind() {
    for index in unsafe nodes.indices {
      unsafe nodes[index].pointee.unbind()
      unsafe nodes[index].pointee.forgetRoom()
    }
    hasRoom = false
  }

  /// Where the columns of a root stand: what `restore` needs to read a value again.
  package func state(ofRoot root: Int) -> [Int] {
    layout.nodes(ofRoot: root).flatMap {
      unsafe [nodes[$0].pointee.position, nodes[$0].pointee.textPosition]
    }
  }

  /// Goes back to a state that `state(ofRoot:)` gave while the same chunks were bound.
  package func restore(_ state: [Int], ofRoot root: Int) {
    for (offset, index) in layout.nodes(ofRoot: root).enumerated() where offset * 2 + 1 < state.count {
      unsafe nodes[index].pointee.position = state[offset * 2]
      unsafe nodes[index].pointee.textPosition = state[offset * 2 + 1]
    }
  }

  /// Passes over `count` values of a root.
  package func skip(root: Int, count: Int) throws(ArchiveError) {
    try consume { () throws(ArchiveError) in try add(count, of: layout.roots[root]) }
  }

  /// Passes over `count` values of each of the first roots. With `noteWeak`, columns of weak references need not be
  /// there: it is told how many of their values are asked for.
  func skip(
    roots rootCount: Int, count: Int, noteWeak: ((_ node: Int, _ count: Int) -> Void)? = nil
  ) throws(ArchiveError) {
    try consume(noteWeak: noteWeak) { () throws(ArchiveError) in
      for root in 0..<rootCount { try add(count, of: layout.roots[root]) }
    }
  }

  /// Passes over the values that `begin` adds, and what is inside them.
  ///
  /// The order in which pending values are taken does not matter, because each column is a stream of its own and
  /// a value of a column takes the same from all others whoever asked for it. So whole counts are taken at once,
  /// where a type is recursive as well, and no stack is needed. Every step takes at least one value that has
  /// bytes, so the time is O(bytes).
  private func consume(
    noteWeak: ((_ node: Int, _ count: Int) -> Void)? = nil, _ begin: () throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try begin()
      while unsafe worklist.pointee.openCount > 0 {
        unsafe worklist.pointee.openCount -= 1
        let index = unsafe worklist.pointee.open[worklist.pointee.openCount]
        let count = unsafe worklist.pointee.pending[index]
        unsafe worklist.pointee.pending[index] = 0
        if let noteWeak, layout.nodes[index].kind == .weak {
          noteWeak(index, count)
          continue
        }
        try take(count, from: index)
      }
    } catch {
      unsafe worklist.pointee.clear()
      throw error
    }
  }

  /// Adds values of a node to those that are to be taken.
  private func add(_ count: Int, of index: Int) throws(ArchiveError) {
    guard count > 0, !areEmpty[index], unsafe !nodes[index].pointee.isMissing else { return }
    // Most have nothing inside; weak ones wait, because they may be asked for apart.
    if unsafe nodes[index].pointee.childCount == 0, unsafe nodes[index].pointee.kind != .weak {
      return try takeLeaf(count, from: index)
    }
    let sum = unsafe worklist.pointee.pending[index].addingReportingOverflow(count)
    guard !sum.overflow else { throw column(ofNode: index).endOfColumn() }
    unsafe worklist.pointee.set(sum.partialValue, of: index)
  }

  /// Moves a column with nothing inside by `count` values.
  @inline(__always) private func takeLeaf(_ count: Int, from index: Int) throws(ArchiveError) {
    let node = unsafe nodes[index]
    let start = unsafe node.pointee.position
    guard unsafe count <= node.pointee.count - start else { throw column(ofNode: index).endOfColumn() }
    unsafe node.pointee.position = start + count
    if unsafe node.pointee.isText, unsafe !node.pointee.usesStringTable {
      unsafe node.pointee.textPosition += try sum(
        ChunkView(bound: node.pointee), start..<start + count, ColumnReader(node))
    }
  }

  /// Moves one column by `count` values, and adds what they hold inside.
  private func take(_ count: Int, from index: Int) throws(ArchiveError) {
    let node = unsafe nodes[index]
    let kind = unsafe node.pointee.kind
    if kind == .structure || kind == .url {
      for child in layout.nodes[index].children { try add(count, of: child) }
      return
    }
    if unsafe node.pointee.isAlwaysPresent { return try add(count, of: layout.nodes[index].children[0]) }
    let column = unsafe ColumnReader(node)
    let start = unsafe node.pointee.position
    guard unsafe count <= node.pointee.count - start else { throw column.endOfColumn() }
    unsafe node.pointee.position = start + count
    let range = start..<start + count
    switch kind {
    case .optional:
      let chunk = unsafe ChunkView(bound: node.pointee)
      try add(range.count { chunk.bit($0) }, of: layout.nodes[index].children[0])
    case .array, .set, .dictionary:
      let total = unsafe try sum(ChunkView(bound: node.pointee), range, column)
      for child in layout.nodes[index].children { try add(total, of: child) }
    case .enumeration:
      let chunk = unsafe ChunkView(bound: node.pointee)
      for position in range {
        let tag = Int(truncatingIfNeeded: chunk.unsigned(position))
        let known = unsafe node.pointee.cases.indices.contains(tag) ? node.pointee.cases[tag] : nil
        guard let known else { throw column.__error(.unknownCase, found: "case \(tag)") }
        if let child = layout.nodes[index].payloads[known] {
          try add(1, of: layout.nodes[index].children[child])
        }
      }
    default: break
    }
  }

  private func sum(_ chunk: ChunkView, _ range: Range<Int>, _ column: ColumnReader) throws(ArchiveError)
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

  /// Throws unless every column that the file has was read to its end. Spec: 04-columns, rule V2.
  package func checkAtEnd() throws(ArchiveError) {
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      guard unsafe node.pointee.position != node.pointee.count else { continue }
      throw unsafe ColumnReader(node).__error(
        .malformedColumn, found: plural(node.pointee.count, "value"), expected: "\(node.pointee.position)")
    }
  }

  /// The chunk bound to a node, for checks that look at all values.
  package func chunk(ofNode index: Int) -> ChunkView { unsafe ChunkView(bound: nodes[index].pointee) }

  /// How many values of a node were taken.
  func position(ofNode index: Int) -> Int { unsafe nodes[index].pointee.position }

  /// What a node holds.
  func kind(ofNode index: Int) -> ColumnKind { unsafe nodes[index].pointee.kind }

  /// The column of a node, for errors.
  package func column(ofNode index: Int) -> ColumnReader { unsafe ColumnReader(nodes[index]) }
}

extension ChunkView {
  init(bound node: ColumnReaderNode) {
    count = node.count
    width = node.width
    usesStringTable = node.usesStringTable
    unsafe values = unsafe UnsafeRawBufferPointer(
      start: node.values, count: node.width == 0 ? (node.count + 7) / 8 : node.count * node.width)
    unsafe text = node.text
  }
}
