/// Copies those values of one column that the program reads. The copies are new chunks, in the order in which
/// the program reads the values.
///
/// Values of recursive types are stored in pre-order, so one traversal of a row determines which values
/// contain others. If a value is unknown to the program, the nearest enclosing optional, element or entry is
/// lost: the optional becomes nil, and a collection omits the element or the entry. All other values are
/// copied.
struct ColumnSieve {
  private let layout: SieveLayout
  private var streams: [Stream]
  /// The values of the current row, in the order of the file.
  private var values: [Value] = []
  /// The open values, whose nested values are being examined. Each open value is nested in the previous open
  /// value.
  private var frames: [Frame] = []
  /// The stack of values to copy, as indices in `values`. The last element is copied next.
  private var pending: [Int32] = []
  private var isRowKnown = true

  /// The values of a node in one segment, and the copies so far.
  struct Stream {
    let kind: ColumnKind
    let nesting: ColumnKind.Nesting
    let chunk: Chunk
    /// The maximum number of values that the node can have in the segment. `chunk` contains fewer values if a
    /// conversion ended early.
    let limit: Int
    /// Whether a value is unknown as a whole if a nested value is unknown.
    let requiresAllParts: Bool
    /// Whether each value is unknown. Empty if all values are known.
    let isUnknown: [Bool]
    /// The index of the next value.
    var position = 0
    /// The indices of the copied values.
    var copied: [Int32] = []
    /// The lengths or bits of the copied values. They may differ from the values in `chunk`.
    var numbers: [Int] = []
    var isChanged = false
    /// Whether the values are copied in the order of `chunk`.
    var isAscending = true
    /// Whether the copy ended before the end of the column, because the next value could not be converted.
    var hasEnded = false
    /// Whether the copy ended because the next value is nil.
    var endsWithNil = false
  }

  /// One value of the current row or, for a node without nested nodes, several consecutive values.
  private struct Value {
    let node: Int32
    /// The index of the first value among the values of the node in the segment.
    let index: Int32
    var count: Int32 = 1
    /// The end of the nested values, as an index in `values`.
    var end: Int32
    /// Whether the enclosing collection or optional omits this value. If a key or value of a dictionary is
    /// omitted, the whole entry is omitted.
    var isLost = false
  }

  /// An open value, and the progress of examining its nested values.
  private struct Frame {
    let value: Int
    let node: Int
    /// The position, in the node's `parts`, of the node that contains the first nested value.
    var firstPart = 0
    /// The number of nested values.
    let count: Int
    /// The number of nested values that were examined.
    var position = 0
    /// The first value of the current element or entry, as an index in `values`.
    var part: Int
    var isPartKnown = true
    var isKnown: Bool
  }

  /// Functions that describe the values of each node, and which of these values the program accepts.
  struct Context {
    /// Returns the values of a node. The node may exist only in the file.
    let chunk: (SieveLayout.Node) -> Chunk
    /// Returns the maximum number of values that a node of the program's layout can have in the segment. The
    /// chunk contains fewer values if a conversion ended early.
    var limit: (_ node: Int, Chunk) -> Int = { $1.count }
    /// Returns one Boolean for each value of a node: whether the value is unknown. Returns an empty array if
    /// all values are known. The node belongs to the program's layout.
    var unknown: (_ node: Int) -> [Bool] = { _ in [] }
    /// Returns whether a value of a node is unknown as a whole if a nested value is unknown. The node belongs
    /// to the program's layout.
    var requiresAllParts: (_ node: Int) -> Bool = { _ in false }
  }

  init(_ layout: SieveLayout, _ context: Context) {
    self.layout = layout
    streams = layout.nodes.map { node in
      let chunk = context.chunk(node)
      return Stream(
        kind: node.kind, nesting: node.nesting, chunk: chunk,
        limit: node.wanted.map { context.limit($0, chunk) } ?? chunk.count,
        requiresAllParts: node.wanted.map(context.requiresAllParts) ?? true,
        isUnknown: node.wanted.map(context.unknown) ?? [])
    }
  }

  /// Copies all values, except unknown values that an enclosing collection or optional omits.
  ///
  /// - Parameter lost: the rows that are not copied.
  /// - Returns: the rows whose value is unknown as a whole. Such a value is copied up to the unknown case.
  ///   Nil if the values do not form whole rows.
  mutating func copy(withoutRows lost: Set<Int> = []) -> Set<Int>? {
    guard streams.allSatisfy({ $0.limit <= Int(Int32.max) }) else { return nil }
    var rows: Set<Int> = []
    if let leading = leadingNode() {
      var row = 0
      while streams[leading].position < streams[leading].limit {
        guard examineRow() else { return nil }
        if !isRowKnown { rows.insert(row) }
        if !lost.contains(row) { copyRow() }
        row += 1
      }
    }
    for index in streams.indices where !layout.nodes[index].isTransparent {
      guard streams[index].position >= streams[index].chunk.count else { return nil }
    }
    return rows
  }

  /// Returns the first node at or below `start` that stores exactly one value for each value of `start`. For
  /// the root, this is one value per row. Nil if there is no such node.
  private func leadingNode(from start: Int = 0) -> Int? {
    guard !layout.nodes.isEmpty else { return nil }
    var index = start
    while layout.nodes[index].isTransparent {
      guard let part = layout.nodes[index].parts.first else { return nil }
      index = part
    }
    return index
  }

  // MARK: Judging

  /// Determines which values belong to the next row, and which of them are omitted. Returns false if the
  /// values do not form a whole row.
  private mutating func examineRow() -> Bool {
    values.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    guard open(0) else { return false }
    while let frame = frames.last {
      if frame.position < frame.count {
        guard open(layout.nodes[frame.node].parts[partPosition(of: frame)]) else { return false }
      } else {
        guard let end = Int32(exactly: values.count) else { return false }
        frames.removeLast()
        values[frame.value].end = end
        recordKnown(frame.isKnown)
      }
    }
    return true
  }

  /// Returns the position, in the node's `parts`, of the node that contains the next nested value.
  private func partPosition(of frame: Frame) -> Int {
    (frame.firstPart + frame.position) % layout.nodes[frame.node].parts.count
  }

  /// Begins the next value of a node. Returns false if there is no such value, or if its nested values cannot
  /// be counted.
  private mutating func open(_ node: Int) -> Bool {
    let value = values.count
    guard let index = take(1, of: node) else { return false }
    let (nesting, parts) = (layout.nodes[node].nesting, layout.nodes[node].parts)
    var (count, firstPart, isKnown) = (0, 0, true)
    switch nesting {
    case .none:
      recordKnown(isKnownValue(index, of: node))
      return true
    case .fields: count = parts.count
    case .elements, .payload:
      guard let number = number(index, of: node) else { break }
      guard number >= 0 else { return false }
      if nesting == .payload {
        guard layout.nodes[node].cases.indices.contains(number) else { return false }
        isKnown = layout.nodes[node].cases[number] != nil
        let payload = layout.nodes[node].payloads[number]
        (count, firstPart) = (payload == nil ? 0 : 1, payload ?? 0)
      } else if parts.count == 1, number > 0, isKnownLeaf(parts[0]) {
        guard take(number, of: parts[0]) != nil else { return false }
      } else {
        let (product, overflow) = number.multipliedReportingOverflow(by: parts.count)
        if overflow { return false }
        count = product
      }
    }
    frames.append(
      Frame(
        value: value, node: node, firstPart: firstPart, count: count, part: values.count, isKnown: isKnown))
    return true
  }

  /// Whether a node has no nested nodes and no unknown values.
  private func isKnownLeaf(_ node: Int) -> Bool {
    layout.nodes[node].nesting == .none && streams[node].isUnknown.isEmpty
  }

  /// Adds the next `count` values of a node to the current row. Returns the index, in the node, of the first
  /// of these values. Nil if the node has fewer values left.
  private mutating func take(_ count: Int, of node: Int) -> Int? {
    let isTransparent = layout.nodes[node].isTransparent
    let index = isTransparent ? 0 : streams[node].position
    guard isTransparent || count <= streams[node].limit - index, let own = Int32(exactly: node),
      let first = Int32(exactly: index), let number = Int32(exactly: count),
      let end = Int32(exactly: values.count + 1)
    else { return nil }
    if !isTransparent { streams[node].position = index + count }
    values.append(Value(node: own, index: first, count: number, end: end))
    return index
  }

  private func isKnownValue(_ index: Int, of node: Int) -> Bool {
    let isUnknown = streams[node].isUnknown
    return !isUnknown.indices.contains(index) || !isUnknown[index]
  }

  /// Records whether a value is known. The value is nested in the innermost open value. If the value
  /// completes an element or entry that contains an unknown value, the open value omits the element or entry.
  private mutating func recordKnown(_ isKnown: Bool) {
    guard let last = frames.indices.last else {
      isRowKnown = isKnown
      return
    }
    let node = layout.nodes[frames[last].node]
    // Values that the program does not read need not be known.
    let isKnown = isKnown || !node.isRead(partPosition(of: frames[last]))
    frames[last].position += 1
    if !isKnown { frames[last].isPartKnown = false }
    switch node.nesting {
    case .none, .fields, .payload: frames[last].isKnown = frames[last].isKnown && isKnown
    case .elements:
      guard frames[last].position % node.parts.count == 0 else { return }
      if !frames[last].isPartKnown {
        if streams[frames[last].node].requiresAllParts {
          frames[last].isKnown = false
        } else {
          values[frames[last].part].isLost = true
        }
      }
      (frames[last].part, frames[last].isPartKnown) = (values.count, true)
    }
  }

  /// Returns the number that a value stores: a length, a case index, or a bit. Returns 1 if the node has no
  /// column in the file. Returns nil if a conversion ended the column before the value, and a negative number
  /// if the number in the file is too large.
  private func number(_ index: Int, of node: Int) -> Int? {
    if layout.nodes[node].isTransparent { return 1 }
    let chunk = streams[node].chunk
    guard index < chunk.count else { return nil }
    if chunk.width == 0 { return chunk.bit(index) ? 1 : 0 }
    return Int(exactly: chunk.unsigned(index)) ?? -1
  }

  // MARK: Copying

  /// Copies the values of the row that was examined last, except lost values.
  private mutating func copyRow() {
    pending.append(0)
    while let next = pending.popLast() { copy(Int(next)) }
  }

  /// Copies a value, and adds its nested values to `pending`.
  private mutating func copy(_ value: Int) {
    let (node, index) = (Int(values[value].node), Int(values[value].index))
    if layout.nodes[node].isUnwrapped { return copyUnwrapped(value, node) }
    guard layout.nodes[node].wanted != nil else { return }
    let parts = layout.nodes[node].parts
    switch layout.nodes[node].nesting {
    case .none: record(index, Int(values[value].count), of: node)
    case .fields:
      let starts = self.starts(of: parts.count, in: value)
      for position in (layout.nodes[node].order ?? Array(parts.indices)).reversed() {
        pending.append(starts[position])
      }
    case .elements:
      let first = pending.count
      var (start, count) = (value + 1, 0)
      while start < values[value].end {
        let isLost = values[start].isLost
        if !isLost { count += Int(values[start].count) }
        for _ in parts {
          if !isLost { pending.append(Int32(truncatingIfNeeded: start)) }
          start = Int(values[start].end)
        }
      }
      pending[first...].reverse()
      let before = number(index, of: node) ?? 0
      // Parts that store no values cannot be lost.
      record(number: parts.isEmpty ? before : count, before: before, index, of: node)
    case .payload:
      record(index, 1, of: node)
      guard let tag = number(index, of: node), layout.nodes[node].cases[tag] != nil else { return }
      if value + 1 < values[value].end { pending.append(Int32(truncatingIfNeeded: value + 1)) }
    }
  }

  /// Copies the value that an optional of the file wraps. If the optional is nil, ends the copy of the nested
  /// column, because the program's type is not an optional.
  private mutating func copyUnwrapped(_ value: Int, _ node: Int) {
    if value + 1 < values[value].end { return pending.append(Int32(truncatingIfNeeded: value + 1)) }
    guard let leading = leadingNode(from: layout.nodes[node].parts[0]), !streams[leading].hasEnded else {
      return
    }
    (streams[leading].hasEnded, streams[leading].isChanged, streams[leading].endsWithNil) = (true, true, true)
  }

  private func starts(of count: Int, in value: Int) -> [Int32] {
    var starts: [Int32] = []
    var next = Int32(truncatingIfNeeded: value + 1)
    for _ in 0..<count {
      starts.append(next)
      next = values[Int(next)].end
    }
    return starts
  }

  /// Records the copy of a value whose column stores a length or a bit. `number` is the length or bit of the
  /// copy, and `before` is the length or bit in the file.
  private mutating func record(number: Int, before: Int, _ index: Int, of node: Int) {
    record(index, 1, of: node)
    if streams[node].hasEnded { return }
    streams[node].numbers.append(number)
    if number != before { streams[node].isChanged = true }
  }

  private mutating func record(_ index: Int, _ count: Int, of node: Int) {
    guard !streams[node].hasEnded else { return }
    var count = count
    if !layout.nodes[node].isTransparent {
      if index != streams[node].copied.count { streams[node].isChanged = true }
      if let last = streams[node].copied.last, index < last { streams[node].isAscending = false }
      if index + count > streams[node].chunk.count {
        count = max(streams[node].chunk.count - index, 0)
        streams[node].hasEnded = true
      }
    }
    for offset in 0..<count { streams[node].copied.append(Int32(truncatingIfNeeded: index + offset)) }
  }

  // MARK: Chunks

  /// The nodes of the program whose copy ended early, because a value is nil but the program's type is not an
  /// optional. `count` is the number of values that were copied before.
  var nodesThatEndWithNil: [(node: Int, count: Int)] {
    zip(streams, layout.nodes).compactMap { stream, node in
      stream.endsWithNil ? node.wanted.map { ($0, stream.copied.count) } : nil
    }
  }

  /// The nodes of the program whose values changed, with their new chunks. The memory of the chunks is added
  /// to `memory`.
  func changedChunks(_ memory: inout [ByteBuffer]) -> [(node: Int, chunk: Chunk)] {
    var changed: [(node: Int, chunk: Chunk)] = []
    for (stream, node) in zip(streams, layout.nodes) {
      guard let wanted = node.wanted, node.nesting != .fields else { continue }
      let hasFewer = !node.isTransparent && stream.copied.count != stream.chunk.count
      if stream.isChanged || hasFewer { changed.append((wanted, stream.copiedChunk(&memory))) }
    }
    return changed
  }
}
