/// The columns of one class while it is written. Owns the memory of the columns.
///
/// Invariant: `state` is initialised until `deinit`, and has one initialised node per node of the layout.
@safe package final class ColumnWriterSet {
  /// The contents that change. They are stored in a handle, so that accesses need no exclusivity checks.
  private let state: Handle<State>
  private let strings: StringTableWriter
  private let sharesStrings: Bool
  private let context: OpaqueHandle?

  @safe private struct State {
    var nodes: [Handle<ColumnWriterNode>] = []
    var layout = ColumnLayout()
    var hasWeakColumns = false
    var hasKeyedColumns = false
  }

  package var layout: ColumnLayout { state.value.layout }
  /// Whether the class has keyed columns, in which rows may have no value.
  package var hasKeyedColumns: Bool {
    get { state.value.hasKeyedColumns }
    set { state.value.hasKeyedColumns = newValue }
  }
  private var nodes: [Handle<ColumnWriterNode>] { state.value.nodes }

  /// Creates a set without columns. `strings` is nil for columns that are not written to a file.
  package init(strings: StringTableWriter?, context: OpaqueHandle?) {
    state = Handle(State())
    self.strings = strings ?? StringTableWriter()
    sharesStrings = strings != nil
    self.context = context
  }

  /// Adds the columns of `layout` that this set does not have yet. `layout` must begin with the current
  /// layout of the set.
  package func extend(to layout: ColumnLayout) {
    let first = nodes.count
    var slot = self.layout.roots.count - 1
    for (index, node) in layout.nodes.enumerated().dropFirst(first) {
      if slot + 1 < layout.roots.count, layout.roots[slot + 1] == index { slot += 1 }
      let handle = Handle(
        ColumnWriterNode(
          kind: node.kind, isRecursive: node.isRecursive,
          declaredClass: node.kind == .reference || node.kind == .weak ? node.name : nil,
          acceptsAnyRow: node.kind == .reference,
          usesStringTable: node.kind == .string && sharesStrings,
          context: context,
          children: HandleBuffer([]),
          stringCache: strings.cache,
          strings: strings.table,
          payloads: node.payloads,
          slot: slot, index: index))
      state.value.nodes.append(handle)
      if node.kind == .weak { state.value.hasWeakColumns = true }
    }
    for (index, node) in layout.nodes.enumerated().dropFirst(first) {
      nodes[index].value.children.free()
      nodes[index].value.children = HandleBuffer(node.children.map { nodes[$0] })
    }
    state.value.layout = layout
  }

  deinit {
    for index in layout.nodes.indices {
      let node = nodes[index]
      node.value.values.free()
      node.value.extra.free()
      node.value.children.free()
      node.free()
    }
    state.free()
  }

  /// Returns the column of a property, by the property's index in the class.
  package func column(_ index: Int) -> ColumnWriter { ColumnWriter(nodes[layout.roots[index]]) }

  /// Assigns all columns to one property of a class. `slot` is the index of the property in the class. Used
  /// for scratch columns, which have no property of their own.
  package func belong(toSlot slot: Int) {
    for node in nodes { node.value.slot = slot }
  }

  /// Returns the column of a node.
  func column(ofNode index: Int) -> ColumnWriter { ColumnWriter(nodes[index]) }

  /// Marks the column of a property as a construction column, whose references refer to earlier rows. Spec:
  /// 05-graph, rule G4.
  package func markAsConstruction(_ index: Int) {
    for node in layout.nodes(ofRoot: index) { nodes[node].value.isConstruction = true }
  }

  /// The number of bytes collected since the last `removeAll`.
  package var byteCount: Int {
    let nodes = nodes
    var total = 0
    for index in nodes.indices { total += nodes[index].value.byteCount }
    return total
  }

  /// Removes all values.
  package func removeAll() {
    let nodes = nodes
    for index in nodes.indices { nodes[index].value.removeAll() }
  }

  /// Removes all values, and the statistics about strings and references.
  func prepareForReuse() {
    let nodes = nodes
    for index in nodes.indices {
      let node = nodes[index]
      node.value.removeAll()
      node.value.knownStringCount = 0
      node.value.newStringCount = 0
      node.value.uniqueReferenceCredit = node.value.initialUniqueReferenceCredit
      node.value.usesStringTable = node.value.kind == .string && sharesStrings
    }
  }

  /// Appends rows without a value to a keyed column, until the column has `count` presence bits. Spec:
  /// 04-columns, rule K1.
  package func padPresence(_ column: Int, to count: Int) {
    let presence = self.column(column)
    while presence.node.value.count < count { presence.append(bit: false) }
  }

  /// Writes the chunks of all columns except weak columns.
  @inline(__always) package func writeChunks(to writer: inout ByteWriter) {
    let nodes = nodes
    for index in nodes.indices where nodes[index].value.kind != .weak {
      nodes[index].value.filled.writeChunk(to: &writer)
    }
  }

  /// Moves the values of all columns except weak columns into memory that the caller owns and must free.
  func takeFilled(isLast: Bool) -> [UnpackedColumn] {
    nodes.filter { $0.value.kind != .weak && !$0.value.kind.storage.isNone }.map {
      $0.value.takeFilled(isLast: isLast)
    }
  }

  /// Begins the next segment, without values.
  func beginSegment() {
    let nodes = nodes
    for index in nodes.indices { nodes[index].value.beginSegment() }
  }

  /// Whether a separate segment for the last row saves bytes. In a chain of references, each reference
  /// differs from the preceding reference by the same number, except the reference of the last row. Without
  /// the last row, such references need far fewer bits. False unless each row has one value in each column.
  func lastRowEndsChain(rowCount: Int) -> Bool {
    // The approximate cost of a segment and its chunks.
    let segmentBitCount = 8 * (64 + 16 * nodes.count)
    guard !hasKeyedColumns, rowCount * UInt32.bitWidth > segmentBitCount else { return false }
    var bitCount = 0
    for node in nodes where node.value.kind != .structure {
      guard node.value.hasOneValueEach(rowCount) else { return false }
      if node.value.kind == .reference { bitCount += rowCount * node.value.bitsForEndOfChain }
    }
    return bitCount > segmentBitCount
  }

  /// Removes the values of the last row, and returns their bytes. Each row must have one value in each
  /// column.
  func takeLastRow() -> [[UInt8]] { nodes.map { $0.value.takeLastValue() } }

  /// Appends the values of a row that `takeLastRow` returned.
  func append(_ row: [[UInt8]]) {
    for (node, value) in zip(nodes, row) {
      value.withByteView { node.value.values.append(contentsOf: $0) }
    }
  }

  /// Returns the values as bytes for comparing keys. Numbers are big-endian, so that their bytes have the
  /// order of the numbers. Spec: 05-graph, rule F3.
  package func comparableValues() -> ComparableValues { comparableValues(of: layout.nodes.indices) }

  /// Returns the values of one property as bytes for comparing keys. The property is selected by its index in
  /// the class.
  package func comparableValues(ofColumn index: Int) -> ComparableValues {
    comparableValues(of: layout.nodes(ofRoot: index))
  }

  /// Copies the values since the last `removeAll`, for `append(_:to:)`.
  package func copyOfValues() -> ColumnValues {
    let nodes = nodes
    var copy = ColumnValues()
    for index in nodes.indices {
      var values: [UInt8] = []
      nodes[index].value.collected.forEachPiece { values.append(contentsOf: $0) }
      copy.nodes.append((values, Array(nodes[index].value.extra.bytes)))
    }
    return copy
  }

  /// Appends the copied values of the first property to a column of the same type in another set of columns.
  /// Both sets must store strings as text.
  package func append(_ copy: ColumnValues, to column: ColumnWriter) {
    var pending = [(node: 0, target: column.node)]
    var isDone = [Bool](repeating: false, count: layout.nodes.count)
    while let (node, target) = pending.popLast() {
      // The mention of a recursive type repeats a node.
      guard !isDone[node], node < copy.nodes.count else { continue }
      isDone[node] = true
      copy.nodes[node].values.withByteView { target.value.values.append(contentsOf: $0) }
      copy.nodes[node].extra.withByteView { target.value.extra.append(contentsOf: $0) }
      for (position, child) in layout.nodes[node].children.enumerated()
      where position < target.value.children.count {
        pending.append((child, target.value.children[position]))
      }
    }
  }

  private func comparableValues(of indices: Range<Int>) -> ComparableValues {
    var values = ComparableValues()
    for index in indices where layout.nodes[index].kind.storage != .none {
      let width = nodes[index].value.valueByteCount
      values.bytes.append(contentsOf: nodes[index].value.extra.bytes)
      nodes[index].value.collected.forEachPiece { piece in
        for start in stride(from: 0, to: piece.count, by: width) {
          for offset in (start..<min(start + width, piece.count)).reversed() {
            values.bytes.append(piece[offset])
          }
        }
      }
      values.ends.append(values.bytes.count)
    }
    return values
  }

  /// Returns the weak columns in the order of their nodes. Nil if there are none. `classIndex` is the index
  /// of the class.
  func weakColumns(ofClass classIndex: Int) -> [WeakColumn]? {
    guard state.value.hasWeakColumns else { return nil }
    return layout.nodes.indices.filter { layout.nodes[$0].kind == .weak }.map { index in
      let bytes = nodes[index].value.values.bytes
      let rows = (0..<bytes.count / MemoryLayout<UInt32>.size).map { bytes.load(at: $0 * 4, as: UInt32.self) }
      return WeakColumn(
        classIndex: classIndex, node: index, rows: rows, unsettled: nodes[index].value.unsettled)
    }
  }
}

/// A copy of the values of some columns.
package struct ColumnValues {
  /// The values and the byte strings of each node of the layout.
  fileprivate var nodes: [(values: [UInt8], extra: [UInt8])] = []
}

/// Values of some columns as bytes. Canonical archives sort keys by these bytes. Spec: 05-graph, rule F3.
package struct ComparableValues: Hashable, Comparable, Sendable {
  /// The bytes of all columns, in order.
  fileprivate(set) var bytes: [UInt8] = []
  /// The end of each column's bytes in `bytes`. The ends ensure that different values never compare equal.
  fileprivate(set) var ends: [Int] = []

  /// Creates an empty sequence of values.
  package init() {}

  /// Creates the values of a column whose only value is a name.
  package init(_ name: String) {
    bytes = Array(name.utf8)
    ends = [bytes.count]
  }

  /// Whether no column has a value.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Appends the values of other columns.
  package mutating func append(_ other: ComparableValues) {
    bytes += other.bytes
    ends += other.ends
  }

  /// Compares the bytes as unsigned numbers. If the bytes are equal, compares the ends of the columns.
  package static func < (left: ComparableValues, right: ComparableValues) -> Bool {
    left.bytes != right.bytes
      ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.ends.lexicographicallyPrecedes(right.ends)
  }
}
