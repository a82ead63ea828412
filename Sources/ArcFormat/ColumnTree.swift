/// The columns of one property in one segment, bound to their chunks; keeps the segment in memory.
@safe final class ColumnTree {
  let layout: ColumnLayout
  private let segment: RowsSegment
  private let set: ColumnReaderSet
  /// The chunks of the class by node of the class's layout, and the node that is `layout`'s first.
  private let chunks: [ChunkView?]
  private let firstNode: Int
  private let limits: Limits

  init(
    _ segment: RowsSegment, _ rows: RowsSegment.ClassRows, position: Int, of file: ArchiveFile
  ) throws(ArchiveError) {
    let description = file.classes[rows.classIndex]
    let column = description.columns[position]
    var layout = ColumnLayout()
    try layout.append(column, className: description.name)
    self.layout = layout
    self.segment = segment
    limits = file.limits
    let whole = file.layouts[rows.classIndex]
    let firstNode = whole.roots[position]
    self.firstNode = firstNode
    chunks = rows.chunks
    set = unsafe ColumnReaderSet(
      layout,
      sources: layout.nodes.indices.map { ColumnSource(identity: firstNode + $0, in: whole) },
      places: [ColumnPlace(className: description.name, key: column.key)],
      strings: file.someStrings(), context: nil)
    set.bind(chunks)
  }

  /// All columns at their beginning, and a place in front of the values of one of them.
  func cursor(atStartOf node: Int) -> ColumnCursor {
    set.bind(chunks)
    return ColumnCursor(
      reader: set.column(ofNode: node), node: node,
      values: ValueReader(
        layout: layout, areEmpty: set.areEmpty, budget: DynamicBudget(limits),
        nesting: limits.nesting))
  }

  /// The bits of a node; no more than it has.
  func bits(of node: Int, count: Int) -> [Bool] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { chunk.bit($0) }
  }

  /// The unsigned integers of a node; no more than it has. They were added up when the segment was checked.
  func integers(of node: Int, count: Int) -> [Int] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { Int(truncatingIfNeeded: chunk.unsigned($0)) }
  }

  /// The numbers of a node where they stand, if they stand there in the form of `Number`: as wide, aligned, and in the
  /// byte order of the machine. Valid as long as this object lives.
  func plainValues<Number: BitwiseCopyable>(
    of node: Int, count: Int, as type: Number.Type
  ) -> UnsafeBufferPointer<Number>? {
    guard 1.littleEndian == 1, let chunk = chunks[firstNode + node], chunk.form == .plain,
      chunk.width == MemoryLayout<Number>.size,
      count <= chunk.count, let start = unsafe chunk.values.baseAddress,
      Int(bitPattern: start) % MemoryLayout<Number>.alignment == 0
    else { return nil }
    return unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: Number.self), count: count)
  }
}

/// A place in front of the next value of a column; what conformances to `ColumnValue` read from.
public struct ColumnCursor {
  let reader: ColumnReader
  let node: Int
  let values: ValueReader

  var kind: ColumnKind { values.layout.nodes[node].kind }

  /// The column inside at a position that the type fixes, if it has one.
  func child(_ position: Int) -> ColumnCursor? {
    let children = values.layout.nodes[node].children
    guard position < children.count else { return nil }
    return ColumnCursor(reader: reader.__child(position), node: children[position], values: values)
  }
}
