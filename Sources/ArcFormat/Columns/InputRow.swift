/// One row whose values do not come from an archive. A reader of another format appends the values in the
/// order in which an archive would store them, and then the program's types read them.
///
/// All node numbers are indices of nodes in the layout. The values must be complete: for an array, its length
/// is appended to its node, and its elements to the nested node.
package final class InputRow {
  /// The columns from which the row's values are read after `bind()`.
  package let set: ColumnReaderSet
  /// The layout of the columns.
  package let layout: ColumnLayout
  @usableFromInline let columns: HandleBuffer<InputNode>
  /// The nodes of each root of the layout.
  private let nodesOfRoots: HandleBuffer<Range<Int>>
  /// The records of absent fields, by node. Stored in a handle, so that accesses need no exclusivity checks.
  @usableFromInline let tracked = Handle<[(node: Int, absences: Handle<FieldAbsences>)]>([])
  /// Whether any structure lacks a field. Stored in a handle, so that accesses need no exclusivity checks.
  let mayLackFields = Handle(false)

  /// Creates the columns of a layout. `locations` contains the class and key of each root, for errors.
  package init(_ layout: ColumnLayout, locations: [ColumnLocation], context: OpaqueHandle?) {
    let set = ColumnReaderSet(
      layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
      locations: locations, strings: StringTable(), context: context)
    self.set = set
    self.layout = layout
    nodesOfRoots = HandleBuffer(layout.roots.indices.map(layout.nodes(ofRoot:)))
    columns = HandleBuffer(
      layout.nodes.indices.map { InputNode(layout.nodes[$0].kind, reader: set.nodes[$0]) })
  }

  deinit {
    for index in layout.nodes.indices { columns[index].free() }
    columns.free()
    nodesOfRoots.free()
    for (_, absences) in tracked.value { absences.free() }
    tracked.free()
    mayLackFields.free()
  }

  /// Removes all values.
  @inlinable package func removeAll() {
    for index in 0..<columns.count { columns[index].removeAll() }
    if !tracked.value.isEmpty { removeFields() }
  }

  /// Removes the values of a root.
  package func removeAll(ofRoot root: Int) {
    let nodes = nodesOfRoots[root]
    for index in nodes { columns[index].removeAll() }
    guard !tracked.value.isEmpty else { return }
    for (node, absences) in tracked.value where nodes.contains(node) { absences.value.removeAll() }
  }

  /// Moves all columns to the beginning of the row's values.
  package func bind() {
    for index in 0..<columns.count { columns[index].bind() }
    if !tracked.value.isEmpty { bindFields() }
  }

  /// Moves the columns of a root to the beginning of the row's values.
  package func bind(root: Int) {
    for index in nodesOfRoots[root] { columns[index].bind() }
    if mayLackFields.value { bindFields() }
  }

  /// Moves all columns to the beginning of a row in `rows`, which has the same layout. The columns then read
  /// the values of this row until the row ends.
  package func bind(to rows: WrittenRows) {
    for index in 0..<columns.count { columns[index].bind(to: rows.cursors[index]) }
  }

  // MARK: Values

  /// Appends an integer, or the index of an enumeration case.
  @inlinable package func append(_ value: some FixedWidthInteger & BitwiseCopyable, to node: Int) {
    columns[node].append(value)
  }

  /// Appends a bit: a Boolean, or whether an optional has a value.
  @inlinable package func append(bit: Bool, to node: Int) { columns[node].append(bit: bit) }

  /// Appends a number of 64 bits, or a date.
  @inlinable package func append(_ value: Double, to node: Int) { columns[node].append(value.bitPattern) }

  /// Appends a number of 32 bits.
  @inlinable package func append(_ value: Float, to node: Int) { columns[node].append(value.bitPattern) }

  /// Appends the bytes of a string, of data, or of a decimal number in its notation.
  @inlinable package func append(text bytes: Span<UInt8>, to node: Int) { columns[node].append(text: bytes) }

  /// Appends all values of some nodes from a row that was written with the same layout.
  ///
  /// A reference to object *n* is appended as -*n*. Negative numbers denote objects that the program passes
  /// in memory.
  package func append(valuesOf nodes: Range<Int>, from rows: WrittenRows) {
    for node in nodes {
      let kind = layout.nodes[node].kind
      columns[node].append(
        rows.cursors[node].node, kind.storage, negated: kind == .reference || kind == .weak)
    }
  }

  /// Calls `body` with the column of a node without nested nodes, at the value that was appended last.
  package func withLastValue(ofNode node: Int, _ body: (ColumnReader) throws -> Void) rethrows {
    guard columns[node].count > 0 else { return }
    columns[node].bind()
    columns[node].moveToLast()
    defer { columns[node].unfinish() }
    try body(set.column(ofNode: node))
  }

  // MARK: Changing values

  /// Returns the number of values that were appended to a node.
  @inlinable package func count(ofNode node: Int) -> Int { columns[node].count }

  /// Sets the length of a collection, which was appended at `position` before the elements.
  package func setLength(_ length: Int, at position: Int, ofNode node: Int) {
    columns[node].replace(UInt64(truncatingIfNeeded: length), at: position)
  }

  /// Calls `body`, which may append values to any node of the root that contains `node`. If `body` returns
  /// false, removes the values that it appended.
  package func appendWhole(toRootOf node: Int, _ body: () throws -> Bool) rethrows -> Bool {
    let nodes = layout.nodes(ofRoot: layout.roots.lastIndex { $0 <= node } ?? 0)
    let states = nodes.map { columns[$0].state }
    let fields = tracked.value.isEmpty ? [] : tracked.value.map(\.absences.value.state)
    if try body() { return true }
    for (node, state) in zip(nodes, states) { columns[node].restore(state) }
    for (structure, state) in zip(tracked.value, fields) { structure.absences.value.restore(state) }
    return false
  }
}

/// The values of one node of a filled row.
///
/// The owner calls `free` once.
@usableFromInline struct InputNode {
  /// The column from which the program's types read the values. `bind` moves this column to the first value.
  private let reader: Handle<ColumnReaderNode>
  @usableFromInline let width: Int
  /// The number of bytes of one value of this node in `WrittenRows`.
  private let writtenWidth: Int
  private let isBits: Bool
  @usableFromInline var count = 0
  @usableFromInline var values = GrowableBuffer()
  @usableFromInline var text = GrowableBuffer()
  /// The bits that do not fill a whole byte of `values` yet.
  @usableFromInline var partialByte: UInt8 = 0

  /// A state of a node, to which the node can be restored: the number of its values and bytes.
  struct State {
    fileprivate let count: Int
    fileprivate let valueByteCount: Int
    fileprivate let textByteCount: Int
    fileprivate let partialByte: UInt8
  }

  init(_ kind: ColumnKind, reader: Handle<ColumnReaderNode>) {
    self.reader = reader
    switch kind.storage {
    case .none: (width, writtenWidth, isBits) = (0, 0, false)
    case .bits: (width, writtenWidth, isBits) = (0, 1, true)
    case .integers(let width, _): (self.width, writtenWidth, isBits) = (max(width, 8), width, false)
    case .fixed(let width): (self.width, writtenWidth, isBits) = (width, width, false)
    case .text: (width, writtenWidth, isBits) = (8, 8, false)
    }
    reader.value.width = width
  }

  func free() {
    values.free()
    text.free()
  }

  @inlinable mutating func removeAll() {
    guard count > 0 else { return }
    count = 0
    partialByte = 0
    values.removeAll()
    text.removeAll()
  }

  @inlinable @inline(__always)
  mutating func append<Value: BitwiseCopyable & FixedWidthInteger>(_ value: Value) {
    // All integers of up to 64 bits take 64 bits.
    if MemoryLayout<Value>.size == width {
      values.append(value)
    } else if Value.isSigned {
      values.append(Int64(truncatingIfNeeded: value))
    } else {
      values.append(UInt64(truncatingIfNeeded: value))
    }
    count += 1
  }

  @inlinable mutating func append(bit: Bool) {
    if bit { partialByte |= 1 << UInt8(count & 7) }
    count += 1
    if count & 7 == 0 {
      values.append(partialByte)
      partialByte = 0
    }
  }

  @inlinable mutating func append(text bytes: Span<UInt8>) {
    text.append(contentsOf: bytes)
    values.append(UInt64(bytes.count))
    count += 1
  }

  /// Appends all values of a column that was written.
  mutating func append(
    _ column: Handle<ColumnWriterNode>, _ storage: ColumnKind.Storage, negated: Bool
  ) {
    let values = column.value.values.bytes
    switch storage {
    case .none: break
    case .bits: for index in 0..<values.count { append(bit: values[index] != 0) }
    case .integers(let width, let isSigned):
      for index in 0..<values.count / width {
        if negated || isSigned {
          // The numbers of references have 32 bits.
          append(
            negated ? -Int64(values.unsigned(index, width: 4)) : values.signed(index, width: width))
        } else {
          append(values.unsigned(index, width: width))
        }
      }
    case .fixed, .text:
      self.values.append(contentsOf: values)
      text.append(contentsOf: column.value.extra.bytes)
      count += values.count / max(writtenWidth, 1)
    }
  }

  mutating func replace(_ value: UInt64, at position: Int) {
    guard position >= 0, position < count, width == 8 else { return }
    values.replace(value, at: position * 8)
  }

  var state: State {
    State(
      count: count, valueByteCount: values.count, textByteCount: text.count, partialByte: partialByte)
  }

  mutating func restore(_ state: State) {
    count = state.count
    partialByte = state.partialByte
    values.truncate(to: state.valueByteCount)
    text.truncate(to: state.textByteCount)
  }

  /// Moves the reader to the first value. Must be called again after values were appended to the node.
  @inline(__always) mutating func bind() {
    if isBits, values.count * 8 < count { values.append(partialByte) }
    reader.value.bind(count, values: values.bytes, text: text.bytes)
  }

  /// Moves the reader to a row in `WrittenRows`. `cursor` is the position of the row's first value for this
  /// node.
  mutating func bind(to cursor: WrittenRows.Cursor) {
    let all = cursor.node.value.values.bytes
    let values = all[cursor.offset..<all.count]
    if isBits {
      removeAll()
      for index in 0..<values.count { append(bit: values.load(at: index, as: UInt8.self) != 0) }
      return bind()
    }
    let texts = cursor.node.value.extra.bytes
    reader.value.width = writtenWidth
    reader.value.bind(
      writtenWidth == 0 ? 0 : values.count / writtenWidth, values: values,
      text: texts[cursor.textOffset..<texts.count])
  }

  /// Moves the reader to the last value. The reader must be bound.
  func moveToLast() {
    reader.value.position = count - 1
    guard reader.value.isText else { return }
    let length = values.bytes.unsigned(count - 1, width: 8)
    reader.value.textPosition = text.count - Int(truncatingIfNeeded: length)
  }

  /// Moves the reader to the first value that was appended after `state` was recorded. The reader must be
  /// bound.
  func move(to state: State) {
    reader.value.position = state.count
    reader.value.textPosition = state.textByteCount
  }

  /// Removes the partial byte that `bind` appended, so that more values can be appended.
  mutating func unfinish() {
    if isBits { values.truncate(to: count / 8) }
  }
}
