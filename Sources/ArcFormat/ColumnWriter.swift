/// A column that takes values: what generated code appends a property to.
///
/// A handle that does not own the column; the `ColumnWriterSet` that made it does, and outlives it. Values of one
/// row are appended in the order in which they are read again. Spec: 04-columns.
@safe @frozen public struct ColumnWriter {
  @usableFromInline let node: UnsafeMutablePointer<ColumnWriterNode>

  @usableFromInline init(_ node: UnsafeMutablePointer<ColumnWriterNode>) { unsafe self.node = unsafe node }

  /// Appends a value of fixed size, as wide as the column's kind says.
  @inlinable @inline(__always)
  public func __append<T: BitwiseCopyable>(_ value: T) {
    unsafe node.pointee.values.append(value)
    unsafe node.pointee.count &+= 1
  }

  /// Appends values of fixed size from memory.
  @inlinable public func __append<T: BitwiseCopyable>(contentsOf values: UnsafeBufferPointer<T>) {
    unsafe node.pointee.values.append(contentsOf: UnsafeRawBufferPointer(values))
    unsafe node.pointee.count &+= values.count
  }

  /// Appends a bit; stored as a byte until the chunk is written.
  @inlinable @inline(__always)
  public func __append(bit: Bool) { __append(bit ? 1 as UInt8 : 0) }

  /// Appends a string's UTF-8 as it is: no normalisation.
  public func __append(text: String) {
    if unsafe node.pointee.usesStringTable {
      __append(unsafe node.pointee.strings.takeUnretainedValue().id(of: text))
    } else {
      var text = text
      text.withUTF8 { unsafe __append(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Appends a byte string.
  public func __append(bytes: UnsafeRawBufferPointer) {
    unsafe node.pointee.extra.append(contentsOf: bytes)
    __append(UInt64(bytes.count))
  }

  /// The column inside at a position that the type fixes: 0 for elements, the number of a field, a payload.
  @inlinable public func __child(_ index: Int) -> ColumnWriter {
    // A program with two types of one name could ask for more than there is; what it writes is then refused.
    guard unsafe index < node.pointee.childCount else { return self }
    return unsafe ColumnWriter(node.pointee.children[index])
  }

  /// The column of the payload of enumeration case `index`; the column itself where the case has none.
  public func __payload(_ index: Int) -> ColumnWriter {
    unsafe node.pointee.payload(index).map { __child($0) } ?? self
  }

  /// What the archiver left for itself.
  @inlinable public var __context: UnsafeMutableRawPointer? { unsafe node.pointee.context }

  /// Whether a value of the column can contain a value of the same column.
  @inlinable public var __isRecursive: Bool { unsafe node.pointee.isRecursive }

  /// Whether the column takes an object that is settled when everything is written.
  @inlinable public var __isWeak: Bool { unsafe node.pointee.kind == .weak }
}

/// The memory of one column; reached through `ColumnWriter` only.
@usableFromInline @safe struct ColumnWriterNode {
  /// Values of fixed size, lengths, bits as bytes, string ids: what `kind.storage` says, at full width.
  @usableFromInline var values = GrowableBuffer()
  /// The bytes of byte strings.
  @usableFromInline var extra = GrowableBuffer()
  /// Values so far.
  @usableFromInline var count = 0
  @usableFromInline var kind: ColumnKind
  @usableFromInline var isRecursive: Bool
  /// Whether strings go through the string table; decided anew for each segment.
  @usableFromInline var usesStringTable: Bool
  var strings: Unmanaged<StringTableWriter>
  /// Room for `childCount` pointers to nodes of the same set.
  @usableFromInline var children: UnsafeMutablePointer<UnsafeMutablePointer<ColumnWriterNode>>
  @usableFromInline var childCount: Int
  var payloads: [Int?]
  @usableFromInline var context: UnsafeMutableRawPointer?

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }
}

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
    for node in layout.nodes[first...] {
      let pointer = UnsafeMutablePointer<ColumnWriterNode>.allocate(capacity: 1)
      unsafe pointer.initialize(
        to: ColumnWriterNode(
          kind: node.kind, isRecursive: node.isRecursive,
          usesStringTable: node.kind == .string && sharesStrings,
          strings: .passUnretained(strings),
          children: .allocate(capacity: max(node.children.count, 1)), childCount: node.children.count,
          payloads: node.payloads,
          context: context))
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
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      unsafe total += node.pointee.values.count + node.pointee.extra.count
    }
    return total
  }

  /// Forgets all values.
  package func reset() {
    for index in layout.nodes.indices {
      let node = unsafe nodes[index]
      unsafe node.pointee.values.reset()
      unsafe node.pointee.extra.reset()
      unsafe node.pointee.count = 0
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
      let width =
        switch node.kind.storage {
        case .integers(let width, _), .fixed(let width): width
        case .text: 8
        default: 1
        }
      let values = unsafe nodes[index].pointee.values.bytes
      unsafe bytes += nodes[index].pointee.extra.bytes
      for start in stride(from: 0, to: values.count, by: width) {
        unsafe bytes += values[start..<min(start + width, values.count)].reversed()
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
