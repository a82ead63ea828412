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

  /// Columns of a layout: one source per node, one place per root.
  package init(
    _ layout: ColumnLayout, sources: [ColumnSource], places: [ColumnPlace], strings: StringTable,
    context: UnsafeMutableRawPointer?
  ) {
    self.layout = layout
    areEmpty = layout.nodesWithoutBytes()
    self.strings = strings
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
          isRecursive: node.isRecursive, hashesReferences: hashesReferences[index],
          isWeak: node.kind == .weak,
          context: context,
          children: .allocate(capacity: max(node.children.count, 1)), childCount: node.children.count,
          builtStrings: strings.built,
          text: UnsafeRawBufferPointer(start: nil, count: 0),
          kind: node.kind,
          strings: .passUnretained(strings), source: source.node, cases: source.cases,
          payloads: node.payloads,
          place: places[root]))
      unsafe pointer.pointee.updateReferenceKind()
      unsafe nodes.append(pointer)
    }
    for (index, node) in layout.nodes.enumerated() {
      for (position, child) in node.children.enumerated() {
        unsafe nodes[index].pointee.children.advanced(by: position).initialize(to: nodes[child])
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
  }

  /// The column of a property, by its position among the roots.
  package func column(_ index: Int) -> ColumnReader { unsafe ColumnReader(nodes[layout.roots[index]]) }

  /// The columns of all roots, for a caller that keeps them as long as it keeps the set.
  package var columns: [ColumnReader] { layout.roots.map { unsafe ColumnReader(nodes[$0]) } }

  /// The columns of references within a root.
  package func references(ofRoot root: Int) -> [ColumnReader] {
    layout.nodes(ofRoot: root).filter { layout.nodes[$0].kind == .reference }.map { column(ofNode: $0) }
  }

  /// Says when the unarchiver sets the values of a root, and whether they keep what they refer to.
  package func setPhase(_ phase: UInt8, isUnowned: Bool, of root: Int) {
    unsafe nodes[layout.roots[root]].pointee.phase = phase
    unsafe nodes[layout.roots[root]].pointee.isUnowned = isUnowned
  }

  /// Puts all columns at the beginning of `chunks`, the chunks of one class in one segment by file node; nodes
  /// without a chunk have no values.
  package func bind(_ chunks: [ChunkView?]) {
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      let source = unsafe node.pointee.source
      let chunk = source.flatMap { $0 < chunks.count ? chunks[$0] : nil }
      unsafe node.pointee.position = 0
      unsafe node.pointee.textPosition = 0
      unsafe node.pointee.count = chunk?.count ?? 0
      unsafe node.pointee.width = chunk?.width ?? 0
      unsafe node.pointee.usesStringTable = chunk?.usesStringTable ?? false
      if let chunk, chunk.form != .plain {
        unsafe node.pointee.values = unsafe node.pointee.expanded(chunk)
      } else {
        unsafe node.pointee.values = unsafe chunk?.values.baseAddress ?? UnsafeRawPointer(node)
      }
      unsafe node.pointee.text = unsafe chunk?.text ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Leaves the columns without values.
  package func unbind() { bind([]) }

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
    try consume([(layout.roots[root], count)], within: layout.nodes(ofRoot: root))
  }

  /// Passes over values: so many of the nodes in `values`, all of them in the range `nodes`, and of what is
  /// inside them.
  ///
  /// The order in which pending values are taken does not matter, because each column is a stream of its own and
  /// a value of a column takes the same from all others whoever asked for it. So whole counts are taken at once,
  /// where a type is recursive as well, and no stack is needed. Every step takes at least one value that has
  /// bytes, so the time is O(bytes).
  func consume(_ values: [(node: Int, count: Int)], within range: Range<Int>) throws(ArchiveError) {
    var pending = [Int](repeating: 0, count: range.count)
    var open: [Int] = []
    open.reserveCapacity(range.count)
    func add(_ count: Int, of index: Int) throws(ArchiveError) {
      guard count > 0, !areEmpty[index], unsafe !nodes[index].pointee.isMissing else { return }
      let sum = pending[index - range.lowerBound].addingReportingOverflow(count)
      guard !sum.overflow else { throw column(ofNode: index).endOfColumn() }
      if pending[index - range.lowerBound] == 0 { open.append(index) }
      pending[index - range.lowerBound] = sum.partialValue
    }
    for value in values { try add(value.count, of: value.node) }
    while let index = open.popLast() {
      let count = pending[index - range.lowerBound]
      pending[index - range.lowerBound] = 0
      for (child, taken) in try take(count, from: index) {
        try add(taken, of: layout.nodes[index].children[child])
      }
    }
  }

  /// Moves one column by `count` values; what they hold inside, by position of the child.
  private func take(_ count: Int, from index: Int) throws(ArchiveError) -> [(child: Int, count: Int)] {
    let kind = layout.nodes[index].kind
    if kind == .structure || kind == .url { return layout.nodes[index].children.indices.map { ($0, count) } }
    let column = unsafe ColumnReader(nodes[index])
    if unsafe nodes[index].pointee.isAlwaysPresent { return [(0, count)] }
    let start = unsafe nodes[index].pointee.position
    guard unsafe count <= nodes[index].pointee.count - start else { throw column.endOfColumn() }
    unsafe nodes[index].pointee.position = start + count
    let chunk = unsafe ChunkView(bound: nodes[index].pointee)
    let range = start..<start + count
    switch kind {
    case .optional: return [(0, range.count { chunk.bit($0) })]
    case .array, .set: return [(0, try sum(chunk, range, column))]
    case .dictionary:
      let total = try sum(chunk, range, column)
      return [(0, total), (1, total)]
    case .enumeration:
      var counts: [Int: Int] = [:]
      for position in range {
        let tag = Int(truncatingIfNeeded: chunk.unsigned(position))
        let known =
          unsafe nodes[index].pointee.cases.indices.contains(tag) ? nodes[index].pointee.cases[tag] : nil
        guard let known else { throw column.__error(.unknownCase, found: "case \(tag)") }
        if let child = layout.nodes[index].payloads[known] { counts[child, default: 0] += 1 }
      }
      return counts.map { ($0.key, $0.value) }
    case _ where kind.storage == .text && !chunk.usesStringTable:
      unsafe nodes[index].pointee.textPosition += try sum(chunk, range, column)
      return []
    default: return []
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
        .malformedColumn, found: "\(node.pointee.count) values", expected: "\(node.pointee.position)")
    }
  }

  /// The chunk bound to a node, for checks that look at all values.
  package func chunk(ofNode index: Int) -> ChunkView { unsafe ChunkView(bound: nodes[index].pointee) }

  /// The column of a node, for errors.
  package func column(ofNode index: Int) -> ColumnReader { unsafe ColumnReader(nodes[index]) }
}

extension ChunkView {
  init(bound node: ColumnReaderNode) {
    count = node.count
    width = node.width
    usesStringTable = node.usesStringTable
    unsafe values = unsafe UnsafeRawBufferPointer(
      start: node.values, count: node.kind.storage == .bits ? (node.count + 7) / 8 : node.count * node.width)
    unsafe text = node.text
  }
}
