/// Columns of one class to which the program's types write rows that do not belong to an archive. A writer of
/// another format then reads each row value by value, in the order of the layout.
///
/// The rows are a stack. If a row is begun while another row is read, it is appended after that row, and is
/// removed when it ends. All node numbers are indices of nodes in the layout. A missing value is an error,
/// and superfluous values are ignored.
@usableFromInline package final class WrittenRows {
  /// The columns to which values are appended.
  package let set: ColumnWriterSet
  /// For each node, the position of its next value.
  @usableFromInline let cursors: HandleBuffer<Cursor>
  /// The nodes of numbers in arrays and sets. Such a node may have retained arrays instead of copying them.
  private let numbers: [Int]
  private let state = Handle(State())

  /// The position of the next value of a node, in bytes.
  @usableFromInline struct Cursor: BitwiseCopyable {
    @usableFromInline let node: Handle<ColumnWriterNode>
    @usableFromInline var offset = 0
    @usableFromInline var textOffset = 0

    init(_ node: Handle<ColumnWriterNode>) { self.node = node }
  }

  /// The state of a node when a row begins while another row is read: the position of the reader, and the
  /// number of bytes. The state is restored when the new row ends.
  private struct Outer {
    let offset: Int
    let textOffset: Int
    let byteCount: Int
    let textByteCount: Int
  }

  private struct State {
    var openCount = 0
    var closedCount = 0
    var outer: [Outer] = []
  }

  /// The maximum number of rows that remain in the columns after they are read. Each removal takes time for
  /// every node, so several rows are removed at once.
  private static let maximumClosedCount = 16

  /// Creates the columns of a layout. `context` is the context of the archiving pass to which the columns
  /// belong.
  package init(_ layout: ColumnLayout, context: OpaqueHandle?) {
    set = ColumnWriterSet(strings: nil, context: context)
    set.extend(to: layout)
    cursors = HandleBuffer(layout.nodes.indices.map { [set] in Cursor(set.column(ofNode: $0).node) })
    numbers = layout.nodes.filter { $0.kind == .array || $0.kind == .set }.flatMap(\.children)
      .filter { layout.nodes[$0].kind.isBulk }
  }

  deinit {
    cursors.free()
    state.free()
  }

  /// The layout of the columns.
  package var layout: ColumnLayout { self.set.layout }

  // MARK: Rows

  /// Removes all rows. Precondition: all rows have been read.
  package func removeAll() {
    state.value = State()
    for index in 0..<cursors.count {
      cursors[index].node.value.removeAll()
      (cursors[index].offset, cursors[index].textOffset) = (0, 0)
    }
  }

  /// Whether the rows have the same bytes as the rows of `other`, which has the same layout.
  package func hasSameBytes(as other: WrittenRows) -> Bool {
    guard cursors.count == other.cursors.count else { return false }
    return (0..<cursors.count).allSatisfy { index in
      let (one, another) = (cursors[index].node, other.cursors[index].node)
      return one.value.values.bytes.isEqual(to: another.value.values.bytes)
        && one.value.extra.bytes.isEqual(to: another.value.extra.bytes)
    }
  }

  /// Begins a row. Its values are written next.
  package func begin() {
    if state.value.openCount > 0 {
      for index in 0..<cursors.count { push(index) }
    } else if state.value.closedCount == Self.maximumClosedCount {
      removeAll()
    }
    state.value.openCount += 1
  }

  /// Ends the writing of the row that was begun last. Its values are read next.
  package func finishWriting() {
    for index in numbers where !cursors[index].node.value.borrowed.isEmpty {
      cursors[index].node.value.copyBorrowed()
    }
  }

  /// Ends the reading of the row that was begun last.
  package func end() {
    state.value.openCount -= 1
    if state.value.openCount > 0 {
      for index in (0..<cursors.count).reversed() { pop(index) }
    } else {
      state.value.closedCount += 1
    }
  }

  private func push(_ index: Int) {
    let cursor = cursors[index]
    let (byteCount, textByteCount) = (cursor.node.value.values.count, cursor.node.value.extra.count)
    state.value.outer.append(
      Outer(
        offset: cursor.offset, textOffset: cursor.textOffset, byteCount: byteCount,
        textByteCount: textByteCount))
    (cursors[index].offset, cursors[index].textOffset) = (byteCount, textByteCount)
  }

  private func pop(_ index: Int) {
    guard let outer = state.value.outer.popLast() else { return }
    cursors[index].node.value.values.truncate(to: outer.byteCount)
    cursors[index].node.value.extra.truncate(to: outer.textByteCount)
    (cursors[index].offset, cursors[index].textOffset) = (outer.offset, outer.textOffset)
  }

  // MARK: Values

  /// Reads the next value of a node. The values of the node must have the size of `Value`.
  @inlinable @inline(__always)
  package func next<Value: BitwiseCopyable>(
    _ type: Value.Type, ofNode node: Int
  ) throws(ArchiveError) -> Value {
    let offset = cursors[node].offset
    guard cursors[node].node.value.values.count &- offset >= MemoryLayout<Value>.size else {
      throw missingValue()
    }
    cursors[node].offset = offset &+ MemoryLayout<Value>.size
    return cursors[node].node.value.values.bytes.load(at: offset, as: Value.self)
  }

  /// Reads the next bit of a node: a Boolean, or whether an optional has a value.
  @inlinable @inline(__always)
  package func nextBit(ofNode node: Int) throws(ArchiveError) -> Bool {
    try next(UInt8.self, ofNode: node) != 0
  }

  /// Reads the next length of a node: a number of elements or entries.
  @inlinable @inline(__always)
  package func nextCount(ofNode node: Int) throws(ArchiveError) -> Int {
    Int(truncatingIfNeeded: try next(UInt64.self, ofNode: node))
  }

  /// Reads the bytes of the next string, data or decimal of a node. They are valid until more values are
  /// appended.
  @inlinable @inline(__always)
  package func nextBytes(ofNode node: Int) throws(ArchiveError) -> ByteView {
    let count = try nextCount(ofNode: node)
    let start = cursors[node].textOffset
    let bytes = cursors[node].node.value.extra.bytes
    guard count >= 0, count <= bytes.count &- start else { throw missingValue() }
    cursors[node].textOffset = start &+ count
    return bytes[start..<start &+ count]
  }

  @usableFromInline @inline(never)
  func missingValue() -> ArchiveError {
    ArchiveError(
      .notArchivable, found: "an object that does not encode all properties of its class",
      expected: "a value for each property")
  }
}

extension ColumnWriterNode {
  /// Copies the values of retained arrays into `values`, in the order in which all values were appended.
  fileprivate mutating func copyBorrowed() {
    let collected = self.collected
    var copy = GrowableBuffer()
    collected.forEachPiece { copy.append(contentsOf: $0) }
    values.free()
    values = copy
    borrowed = []
  }
}

extension ColumnKind {
  /// Whether arrays of this kind of values are copied as bytes.
  fileprivate var isBulk: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float32,
      .float64, .date, .float16, .uuid:
      true
    default: false
    }
  }
}
