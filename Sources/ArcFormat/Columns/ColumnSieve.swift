/// Goes through the values of one column, and makes chunks of those that the program reads, in its order.
///
/// Values of recursive types are stored in pre-order, so one pass over a row tells which values are in which
/// others. Values that contain what is unknown are lost up to the nearest optional, element or entry around
/// them. The values that remain are then copied.
struct ColumnSieve {
  private let layout: SieveLayout
  private var streams: [Stream]
  /// The values of the current row in the file's order.
  private var values: [Value] = []
  /// The values that are not complete, each in the one before.
  private var frames: [Frame] = []
  /// The values to be copied, the next one last.
  private var pending: [Int32] = []
  private var isRowKnown = true

  /// The values of a node in one segment.
  struct Stream {
    let kind: ColumnKind
    let shape: SieveLayout.Shape
    let chunk: Chunk
    /// The number of values that may be asked for, more than `chunk` has if a conversion stopped early.
    let limit: Int
    /// Whether what is unknown in a value makes the whole value unknown.
    let takesNoLoss: Bool
    /// For each value whether it is unknown; empty if none is.
    let isUnknown: [Bool]
    /// The next value.
    var position = 0
    /// The values that are copied, and what lengths and bits they have then.
    var kept: [Int32] = []
    var numbers: [Int] = []
    var isChanged = false
    /// Whether the values are copied in the order of `chunk`.
    var isAscending = true
    /// Whether the copy ends here, because the next value could not be converted.
    var hasEnded = false
    /// Whether it ends because the next value is nil.
    var endsWithNil = false
  }

  /// A value of the current row, or several of a node without nested ones.
  private struct Value {
    let node: Int32
    /// The index of the first value in its stream.
    let index: Int32
    var count: Int32 = 1
    /// The index after the last of the values in it.
    var end: Int32
    /// Whether it is left out of what contains it, with the other parts of its entry.
    var isLost = false
  }

  /// A value whose parts are not all judged.
  private struct Frame {
    let value: Int
    let node: Int
    /// The position of the first nested value in the node's parts.
    var firstPart = 0
    /// The number of nested values, and of those that were judged.
    let count: Int
    var position = 0
    /// The first value of the current element or entry.
    var part: Int
    var isPartKnown = true
    var isKnown: Bool
  }

  /// What is known of the values of the nodes.
  struct Context {
    /// The values of a node of the program, or of one that only the file has.
    let chunk: (SieveLayout.Node) -> Chunk
    /// For a node of the program the number of values that it may be asked for.
    var limit: (_ node: Int, Chunk) -> Int = { $1.count }
    /// For a node of the program which values are unknown.
    var unknown: (_ node: Int) -> [Bool] = { _ in [] }
    /// Whether values of a node of the program lose nothing of what is in them.
    var takesNoLoss: (_ node: Int) -> Bool = { _ in false }
  }

  init(_ layout: SieveLayout, _ context: Context) {
    self.layout = layout
    streams = layout.nodes.map { node in
      let chunk = context.chunk(node)
      return Stream(
        kind: node.kind, shape: node.shape, chunk: chunk,
        limit: node.wanted.map { context.limit($0, chunk) } ?? chunk.count,
        takesNoLoss: node.wanted.map(context.takesNoLoss) ?? true,
        isUnknown: node.wanted.map(context.unknown) ?? [])
    }
  }

  /// Copies the values that are not lost, of all rows but some.
  ///
  /// - Parameter lost: the rows that are left out.
  /// - Returns: the rows whose value as a whole is unknown. They are copied up to the unknown case. Nil if
  ///   the values do not make up whole rows.
  mutating func copy(withoutRows lost: Set<Int> = []) -> Set<Int>? {
    guard streams.allSatisfy({ $0.limit <= Int(Int32.max) }) else { return nil }
    var rows: Set<Int> = []
    if let leading = leadingNode() {
      var row = 0
      while streams[leading].position < streams[leading].limit {
        guard judgeRow() else { return nil }
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

  /// The first node of which each value of a node takes a value; for the root, each row.
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

  /// Takes the values of the next row, and finds which of them are lost. Returns false if the values do
  /// not make up a whole row.
  private mutating func judgeRow() -> Bool {
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
        judge(frame.isKnown)
      }
    }
    return true
  }

  /// The position of the next nested value in the node's parts.
  private func partPosition(of frame: Frame) -> Int {
    (frame.firstPart + frame.position) % layout.nodes[frame.node].parts.count
  }

  /// Takes the next value of a node. Returns false if there is none, or if its parts cannot be counted.
  private mutating func open(_ node: Int) -> Bool {
    let value = values.count
    guard let index = take(1, of: node) else { return false }
    let (shape, parts) = (layout.nodes[node].shape, layout.nodes[node].parts)
    if shape == .leaf {
      judge(isKnownValue(index, of: node))
      return true
    }
    var (count, firstPart, isKnown) = (0, 0, true)
    if shape == .record {
      count = parts.count
    } else if let number = number(index, of: node) {
      guard number >= 0 else { return false }
      if shape == .enumeration {
        guard layout.nodes[node].cases.indices.contains(number) else { return false }
        isKnown = layout.nodes[node].cases[number] != nil
        let payload = layout.nodes[node].payloads[number]
        (count, firstPart) = (payload == nil ? 0 : 1, payload ?? 0)
      } else if shape == .list, number > 0, parts.contains(where: isKnownLeaf) {
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

  /// Whether a node has no nested ones, and no unknown values.
  private func isKnownLeaf(_ node: Int) -> Bool {
    layout.nodes[node].shape == .leaf && streams[node].isUnknown.isEmpty
  }

  /// Takes values of a node, which are parts of the current row. Returns the index of the first value; nil if
  /// there are fewer values.
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

  /// Notes for the enclosing value whether a part of it is known, but for what that loses.
  private mutating func judge(_ isKnown: Bool) {
    guard let last = frames.indices.last else {
      isRowKnown = isKnown
      return
    }
    let node = layout.nodes[frames[last].node]
    // What the program does not read need not be known.
    let isKnown = isKnown || !node.isRead(partPosition(of: frames[last]))
    frames[last].position += 1
    if !isKnown { frames[last].isPartKnown = false }
    switch node.shape {
    case .leaf, .record, .enumeration: frames[last].isKnown = frames[last].isKnown && isKnown
    case .optional, .list, .dictionary:
      guard frames[last].position % node.parts.count == 0 else { return }
      if !frames[last].isPartKnown {
        if streams[frames[last].node].takesNoLoss {
          frames[last].isKnown = false
        } else {
          values[frames[last].part].isLost = true
        }
      }
      (frames[last].part, frames[last].isPartKnown) = (values.count, true)
    }
  }

  /// A length, a case, or a bit, which is 1 where there is none; nil after the end of a conversion. Below 0
  /// for a number that no column has.
  private func number(_ index: Int, of node: Int) -> Int? {
    if layout.nodes[node].isTransparent { return 1 }
    let chunk = streams[node].chunk
    guard index < chunk.count else { return nil }
    if chunk.width == 0 { return chunk.bit(index) ? 1 : 0 }
    return Int(exactly: chunk.unsigned(index)) ?? -1
  }

  // MARK: Copying

  /// Copies the values of the row that was judged last, without those that are lost.
  private mutating func copyRow() {
    pending.append(0)
    while let next = pending.popLast() { copy(Int(next)) }
  }

  /// Copies a value, and adds those in it to `pending`.
  private mutating func copy(_ value: Int) {
    let (node, index) = (Int(values[value].node), Int(values[value].index))
    if layout.nodes[node].isUnwrapped { return copyUnwrapped(value, node) }
    guard layout.nodes[node].wanted != nil else { return }
    let parts = layout.nodes[node].parts
    switch layout.nodes[node].shape {
    case .leaf: keep(index, Int(values[value].count), of: node)
    case .record:
      let starts = self.starts(of: parts.count, in: value)
      for position in (layout.nodes[node].order ?? Array(parts.indices)).reversed() {
        pending.append(starts[position])
      }
    case .optional, .list, .dictionary:
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
      // Parts without values cannot be lost.
      keep(parts.isEmpty ? before : count, before: before, index, of: node)
    case .enumeration:
      keep(index, 1, of: node)
      guard let tag = number(index, of: node), layout.nodes[node].cases[tag] != nil else { return }
      if value + 1 < values[value].end { pending.append(Int32(truncatingIfNeeded: value + 1)) }
    }
  }

  /// Copies the value in an optional that the program does not have. If there is none, the copy ends here.
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

  /// Copies a value with a length or a bit, which had another one before.
  private mutating func keep(_ number: Int, before: Int, _ index: Int, of node: Int) {
    keep(index, 1, of: node)
    if streams[node].hasEnded { return }
    streams[node].numbers.append(number)
    if number != before { streams[node].isChanged = true }
  }

  private mutating func keep(_ index: Int, _ count: Int, of node: Int) {
    guard !streams[node].hasEnded else { return }
    var count = count
    if !layout.nodes[node].isTransparent {
      if index != streams[node].kept.count { streams[node].isChanged = true }
      if let last = streams[node].kept.last, index < last { streams[node].isAscending = false }
      if index + count > streams[node].chunk.count {
        count = max(streams[node].chunk.count - index, 0)
        streams[node].hasEnded = true
      }
    }
    for offset in 0..<count { streams[node].kept.append(Int32(truncatingIfNeeded: index + offset)) }
  }

  // MARK: Chunks

  /// The nodes of the program whose columns end because a value is nil, with the number of their values.
  var nodesThatEndWithNil: [(node: Int, count: Int)] {
    zip(streams, layout.nodes).compactMap { stream, node in
      stream.endsWithNil ? node.wanted.map { ($0, stream.kept.count) } : nil
    }
  }

  /// The nodes of the program with other values than before, and their chunks, whose memory is added to
  /// `memory`.
  func changedChunks(_ memory: inout [ByteBuffer]) -> [(node: Int, chunk: Chunk)] {
    var changed: [(node: Int, chunk: Chunk)] = []
    for (stream, node) in zip(streams, layout.nodes) {
      guard let wanted = node.wanted, node.shape != .record else { continue }
      let hasFewer = !node.isTransparent && stream.kept.count != stream.chunk.count
      if stream.isChanged || hasFewer { changed.append((wanted, stream.copiedChunk(&memory))) }
    }
    return changed
  }
}
