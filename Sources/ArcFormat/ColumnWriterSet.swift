/// The columns of one class while it is written; owns their memory.
@safe package final class ColumnWriterSet {
  private var nodes: [UnsafeMutablePointer<ColumnWriterNode>] = unsafe []
  package private(set) var layout = ColumnLayout()
  private let strings: StringTableWriter
  private let sharesStrings: Bool
  private let context: UnsafeMutableRawPointer?

  /// `strings` is nil for columns that go to no file.
  package init(strings: StringTableWriter?, context: UnsafeMutableRawPointer?) {
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
          kind: node.kind, isRecursive: node.isRecursive,
          usesStringTable: node.kind == .string && sharesStrings,
          context: context,
          children: .allocate(capacity: max(node.children.count, 1)), childCount: node.children.count,
          stringCache: strings.cache,
          strings: .passUnretained(strings),
          payloads: node.payloads,
          slot: slot))
      unsafe nodes.append(pointer)
    }
    for (index, node) in layout.nodes.enumerated().dropFirst(first) {
      for (position, child) in node.children.enumerated() {
        unsafe nodes[index].pointee.children.advanced(by: position).initialize(to: nodes[child])
      }
    }
    self.layout = layout
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
  }

  /// The column of a property, by its position in the class.
  package func column(_ index: Int) -> ColumnWriter { unsafe ColumnWriter(nodes[layout.roots[index]]) }

  /// The columns of all properties, for a caller that keeps them as long as it keeps the set.
  package var columns: [ColumnWriter] { layout.roots.map { unsafe ColumnWriter(nodes[$0]) } }

  /// Bytes collected since the last `reset`.
  package var byteCount: Int {
    var total = 0
    for index in layout.nodes.indices { unsafe total += nodes[index].pointee.byteCount }
    return total
  }

  /// Forgets all values.
  package func reset() {
    for index in layout.nodes.indices { unsafe nodes[index].pointee.reset() }
  }

  /// Forgets all values, and what they told about strings.
  func restart() {
    for index in layout.nodes.indices {
      unsafe nodes[index].pointee.reset()
      unsafe nodes[index].pointee.knownStringCount = 0
      unsafe nodes[index].pointee.newStringCount = 0
      unsafe nodes[index].pointee.usesStringTable = layout.nodes[index].kind == .string && sharesStrings
    }
  }

  /// Marks rows without a value in a keyed column, so that it has `count` presence bits. Spec: 04-columns, rule K1.
  package func padPresence(_ column: Int, to count: Int) {
    let presence = self.column(column)
    while unsafe presence.node.pointee.count < count { presence.__append(bit: false) }
  }

  /// Writes the chunks of all columns but weak ones.
  func writeChunks(to writer: inout ByteWriter) {
    for (index, node) in layout.nodes.enumerated() where node.kind != .weak && node.kind.storage != .none {
      unsafe ColumnChunk.write(&nodes[index].pointee, to: &writer)
    }
  }

  /// Bytes that order equal sequences of values equally: big-endian integers first, so that numbers sort as such.
  package func comparableBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, node) in layout.nodes.enumerated() where node.kind.storage != .none {
      let width = unsafe nodes[index].pointee.valueByteCount
      unsafe bytes += nodes[index].pointee.extra.bytes
      unsafe nodes[index].pointee.forEachPiece { values in
        for start in stride(from: 0, to: values.count, by: width) {
          unsafe bytes += values[start..<min(start + width, values.count)].reversed()
        }
      }
    }
    return bytes
  }

  /// The weak columns' targets, as addresses, by node; nil if the class has none.
  func takeWeakTargets() -> [[UInt]]? {
    guard layout.nodes.contains(where: { $0.kind == .weak }) else { return nil }
    return layout.nodes.indices.filter { layout.nodes[$0].kind == .weak }.map { index in
      unsafe Array(nodes[index].pointee.values.bytes.bindMemory(to: UInt.self))
    }
  }
}
