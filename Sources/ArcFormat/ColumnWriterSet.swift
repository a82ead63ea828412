/// The columns of one class while it is written; owns their memory.
///
/// Invariant: `state` is initialised until `deinit`, and leads to one initialised node for each of the layout.
@safe package final class ColumnWriterSet {
  /// In memory of its own, so that no access to it is checked for overlapping ones.
  private let state: UnsafeMutablePointer<State>
  private let strings: StringTableWriter
  private let sharesStrings: Bool
  private let context: UnsafeMutableRawPointer?

  @safe private struct State {
    var nodes: [UnsafeMutablePointer<ColumnWriterNode>] = unsafe []
    var layout = ColumnLayout()
    var hasWeakColumns = false
    var hasKeyedColumns = false
  }

  package var layout: ColumnLayout { unsafe state.pointee.layout }
  /// Whether there are columns with dynamic keys, which may lack values.
  var hasKeyedColumns: Bool {
    get { unsafe state.pointee.hasKeyedColumns }
    set { unsafe state.pointee.hasKeyedColumns = newValue }
  }
  private var nodes: [UnsafeMutablePointer<ColumnWriterNode>] { unsafe state.pointee.nodes }

  /// `strings` is nil for columns that go to no file.
  package init(strings: StringTableWriter?, context: UnsafeMutableRawPointer?) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
    self.strings = strings ?? StringTableWriter()
    sharesStrings = strings != nil
    unsafe self.context = unsafe context
  }

  /// Takes over a layout that begins with the present one: columns are only ever added.
  package func extend(to layout: ColumnLayout) {
    let first = unsafe nodes.count
    var slot = self.layout.roots.count - 1
    for (index, node) in layout.nodes.enumerated().dropFirst(first) {
      if slot + 1 < layout.roots.count, layout.roots[slot + 1] == index { slot += 1 }
      let pointer = UnsafeMutablePointer<ColumnWriterNode>.allocate(capacity: 1)
      unsafe pointer.initialize(
        to: ColumnWriterNode(
          kind: node.kind, isRecursive: node.isRecursive, takesAnyRow: node.kind == .reference,
          usesStringTable: node.kind == .string && sharesStrings,
          context: context,
          children: .allocate(capacity: max(node.children.count, 1)), childCount: node.children.count,
          stringCache: strings.cache,
          strings: strings.table,
          payloads: node.payloads,
          slot: slot))
      unsafe state.pointee.nodes.append(pointer)
      if node.kind == .weak { unsafe state.pointee.hasWeakColumns = true }
    }
    for (index, node) in layout.nodes.enumerated().dropFirst(first) {
      for (position, child) in node.children.enumerated() {
        unsafe nodes[index].pointee.children.advanced(by: position).initialize(to: nodes[child])
      }
    }
    unsafe state.pointee.layout = layout
  }

  deinit {
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      unsafe node.pointee.values.free()
      unsafe node.pointee.extra.free()
      unsafe node.pointee.children.deallocate()
      unsafe node.deinitialize(count: 1)
      unsafe node.deallocate()
    }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The column of a property, by its position in the class.
  package func column(_ index: Int) -> ColumnWriter { unsafe ColumnWriter(nodes[layout.roots[index]]) }

  /// Says that references in a property's column lead to earlier rows.
  package func markAsConstruction(_ index: Int) {
    for node in layout.nodes(ofRoot: index) { unsafe nodes[node].pointee.isConstruction = true }
  }

  /// Bytes collected since the last `reset`.
  package var byteCount: Int {
    let nodes = unsafe nodes
    var total = 0
    for index in unsafe nodes.indices { unsafe total += nodes[index].pointee.byteCount }
    return total
  }

  /// Forgets all values.
  package func reset() {
    let nodes = unsafe nodes
    for index in unsafe nodes.indices { unsafe nodes[index].pointee.reset() }
  }

  /// Forgets all values, and what they told about strings.
  func restart() {
    let nodes = unsafe nodes
    for index in unsafe nodes.indices {
      let node = unsafe nodes[index]
      unsafe node.pointee.reset()
      unsafe node.pointee.knownStringCount = 0
      unsafe node.pointee.newStringCount = 0
      unsafe node.pointee.soleReferenceCredit = node.pointee.firstSoleReferenceCredit
      unsafe node.pointee.usesStringTable = node.pointee.kind == .string && sharesStrings
    }
  }

  /// Marks rows without a value in a keyed column, so that it has `count` presence bits. Spec: 04-columns, rule K1.
  package func padPresence(_ column: Int, to count: Int) {
    let presence = self.column(column)
    while unsafe presence.node.pointee.count < count { presence.__append(bit: false) }
  }

  /// Writes the chunks of all columns but weak ones.
  func writeChunks(to writer: inout ByteWriter) {
    let nodes = unsafe nodes
    for index in unsafe nodes.indices where unsafe nodes[index].pointee.kind != .weak {
      unsafe ColumnChunk.write(&nodes[index].pointee, to: &writer)
    }
  }

  /// What the values are ordered by: big-endian, so that numbers sort as such. Spec: 05-graph, rule F3.
  package func comparableValues() -> ComparableValues { comparableValues(of: layout.nodes.indices) }

  /// The same of one property, by its position in the class.
  package func comparableValues(ofColumn index: Int) -> ComparableValues {
    comparableValues(of: layout.nodes(ofRoot: index))
  }

  /// What was appended since the last `reset`, to be appended elsewhere.
  package func copyOfValues() -> ColumnValues {
    let nodes = unsafe nodes
    var copy = ColumnValues()
    for index in unsafe nodes.indices {
      var values: [UInt8] = []
      unsafe nodes[index].pointee.forEachPiece { unsafe values += $0 }
      unsafe copy.nodes.append((values, Array(nodes[index].pointee.extra.bytes)))
    }
    return copy
  }

  /// Appends what was copied of the first property's columns to columns of the same kind in another set that goes to no
  /// file either: strings stand there as text.
  package func append(_ copy: ColumnValues, to column: ColumnWriter) {
    var pending = unsafe [(node: 0, target: column.node)]
    var isDone = [Bool](repeating: false, count: layout.nodes.count)
    while let (node, target) = unsafe pending.popLast() {
      // A recursive type comes back to a node.
      guard !isDone[node], node < copy.nodes.count else { continue }
      isDone[node] = true
      unsafe copy.nodes[node].values.withUnsafeBytes { unsafe target.pointee.values.append(contentsOf: $0) }
      unsafe copy.nodes[node].extra.withUnsafeBytes { unsafe target.pointee.extra.append(contentsOf: $0) }
      for (position, child) in layout.nodes[node].children.enumerated()
      where unsafe position < target.pointee.childCount {
        unsafe pending.append((child, target.pointee.children[position]))
      }
    }
  }

  private func comparableValues(of indices: Range<Int>) -> ComparableValues {
    var values = ComparableValues()
    for index in indices where layout.nodes[index].kind.storage != .none {
      let width = unsafe nodes[index].pointee.valueByteCount
      unsafe values.bytes += nodes[index].pointee.extra.bytes
      unsafe nodes[index].pointee.forEachPiece { piece in
        for start in stride(from: 0, to: piece.count, by: width) {
          unsafe values.bytes += piece[start..<min(start + width, piece.count)].reversed()
        }
      }
      values.ends.append(values.bytes.count)
    }
    return values
  }

  /// The weak columns in the order of nodes; nil if the class has none.
  func weakColumns() -> [WeakColumn]? {
    guard unsafe state.pointee.hasWeakColumns else { return nil }
    return layout.nodes.indices.filter { layout.nodes[$0].kind == .weak }.map { index in
      unsafe WeakColumn(
        rows: Array(nodes[index].pointee.values.bytes.bindMemory(to: UInt32.self)),
        unsettled: nodes[index].pointee.unsettled)
    }
  }
}

/// A copy of the values of some columns.
package struct ColumnValues {
  /// By node of the layout.
  fileprivate var nodes: [(values: [UInt8], extra: [UInt8])] = []
}

/// Values of some columns as bytes that compare like them. Spec: 05-graph, rule F3.
package struct ComparableValues: Hashable, Comparable, Sendable {
  /// The bytes of one column behind those of the other.
  fileprivate(set) var bytes: [UInt8] = []
  /// Where the bytes of each column end, so that different values never compare equal.
  fileprivate(set) var ends: [Int] = []

  /// Nothing.
  package init() {}

  /// A name.
  package init(_ name: String) {
    bytes = Array(name.utf8)
    ends = [bytes.count]
  }

  /// Whether no column has a value.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Those of other columns behind these.
  package mutating func append(_ other: ComparableValues) {
    bytes += other.bytes
    ends += other.ends
  }

  /// Compares bytes as unsigned numbers, then where columns end.
  package static func < (left: ComparableValues, right: ComparableValues) -> Bool {
    left.bytes != right.bytes
      ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.ends.lexicographicallyPrecedes(right.ends)
  }
}
