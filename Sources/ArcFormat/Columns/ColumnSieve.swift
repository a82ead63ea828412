/// Goes through the values of one column, and makes chunks of it without some of them.
///
/// Values inside of others are in the order in which they were written, so that recursive types need nothing
/// of their own. The first pass finds which values are lost: those that contain what is unknown, up to the
/// nearest optional, element or entry around it. The second copies the others.
struct ColumnSieve {
  /// The nodes of a column, and the values that are bound to them.
  private var streams: [Stream] = []
  private let root: Int
  private let first: Int

  /// A column that cannot be gone through: it is left as it is, so that reading tells what is wrong with it.
  struct Unfit: Error {}

  /// More calls than values nest, where each level takes a few.
  private static let maximumDepth = 8 * ArchiveLimits.default.nesting
  /// The number of calls after which the rest of the stack is looked at.
  private static let depthOfStackCheck = 16

  /// How the values of a node contain others.
  enum Shape { case leaf, record, optional, list, dictionary, enumeration }

  struct Stream {
    let shape: Shape
    let kind: ColumnKind
    let chunk: Chunk
    let children: [Int]
    let isMissing: Bool
    /// Whether it has no values of its own but those inside of it.
    let isTransparent: Bool
    let cases: [Int?]
    /// The cases that the program does not have and that cannot be passed over.
    let entangledCases: [Int]
    let payloads: [Int?]
    /// Whether what is unknown inside of a value makes the whole value unknown.
    let takesNoLoss: Bool
    /// Whether a value takes something of some chunk.
    var takesValues = false
    /// For each value whether it is unknown; empty if none is.
    var isUnknown: [Bool] = []
    /// The next value.
    var position = 0
    /// The values that are left out of what contains them.
    var lost: Set<Int> = []
    /// The values that are copied, and what lengths and bits they have then.
    var kept: [Int] = []
    var numbers: [Int] = []
    var isChanged = false
  }

  /// `unknown` gives for a node which of its values are unknown; `takesNoLoss` says of a node whether its
  /// values lose nothing of what is inside.
  init(
    _ set: ColumnReaderSet, root: Int, unknown: (_ node: Int) -> [Bool], takesNoLoss: (_ node: Int) -> Bool
  ) {
    let nodes = set.layout.nodes(ofRoot: root)
    self.root = set.layout.roots[root]
    first = nodes.lowerBound
    for index in nodes {
      let (node, column) = (set.layout.nodes[index], set.column(ofNode: index).node)
      streams.append(
        Stream(
          shape: column.value.isBytes ? .leaf : Self.shape(of: node.kind), kind: node.kind,
          chunk: set.chunk(ofNode: index), children: node.children, isMissing: column.value.isMissing,
          isTransparent: column.value.isAlwaysPresent || node.kind.storage.isNone,
          cases: column.value.cases, entangledCases: column.value.entangledCases, payloads: node.payloads,
          takesNoLoss: takesNoLoss(index),
          isUnknown: unknown(index)))
    }
    for index in streams.indices.reversed() {
      let stream = streams[index]
      streams[index].takesValues =
        !stream.isMissing
        && (!stream.isTransparent || stream.children.contains { streams[$0 - first].takesValues })
    }
  }

  private static func shape(of kind: ColumnKind) -> Shape {
    switch kind {
    case .structure, .url: .record
    case .optional: .optional
    case .array, .set: .list
    case .dictionary: .dictionary
    case .enumeration: .enumeration
    default: .leaf
    }
  }

  // MARK: Finding

  /// The rows whose value as a whole contains what is unknown; parts of others are lost.
  mutating func findUnknownRows() throws -> Set<Int> {
    var rows: Set<Int> = []
    try forEachRow { sieve, row in
      if try !sieve.judge(sieve.root, 0) { rows.insert(row) }
    }
    return rows
  }

  private mutating func forEachRow(
    _ body: (inout ColumnSieve, _ row: Int) throws -> Void
  ) throws {
    for index in streams.indices { streams[index].position = 0 }
    guard let leading = leadingStream() else { return }
    while streams[leading].position < streams[leading].chunk.count {
      try body(&self, streams[root - first].position)
    }
  }

  /// The first stream of which each row takes something.
  private func leadingStream() -> Int? {
    var index = root - first
    while streams[index].isTransparent {
      guard let child = streams[index].children.first(where: { streams[$0 - first].takesValues }) else {
        return nil
      }
      index = child - first
    }
    return streams[index].isMissing ? nil : index
  }

  /// Takes the next value of a node; whether it is known, but for what it loses. Recursive over the value.
  private mutating func judge(_ node: Int, _ depth: Int) throws -> Bool {
    guard depth < Self.maximumDepth else { throw Unfit() }
    guard streams[node - first].takesValues else { return true }
    if depth % Self.depthOfStackCheck == Self.depthOfStackCheck - 1 {
      return try StackExtension.call { try judgeNext(node, depth) }
    }
    return try judgeNext(node, depth)
  }

  private mutating func judgeNext(_ node: Int, _ depth: Int) throws -> Bool {
    let (stream, index) = try next(node)
    switch streams[stream].shape {
    case .leaf: return streams[stream].isUnknown.isEmpty || !streams[stream].isUnknown[index]
    case .record:
      var isKnown = true
      for child in streams[stream].children {
        if try !judge(child, depth + 1) { isKnown = false }
      }
      return isKnown
    case .optional, .list:
      guard let child = streams[stream].children.first else { throw Unfit() }
      return try judgeParts([child], of: stream, index, depth)
    case .dictionary: return try judgeParts(streams[stream].children, of: stream, index, depth)
    case .enumeration:
      let tag = try number(stream, index)
      guard streams[stream].cases.indices.contains(tag), !streams[stream].entangledCases.contains(tag) else {
        throw Unfit()
      }
      guard let known = streams[stream].cases[tag] else { return false }
      guard let child = streams[stream].payloads[known] else { return true }
      return try judge(streams[stream].children[child], depth + 1)
    }
  }

  /// Takes the elements or entries of a value; those of which a part is unknown are lost.
  private mutating func judgeParts(
    _ parts: [Int], of stream: Int, _ index: Int, _ depth: Int
  ) throws -> Bool {
    guard parts.contains(where: { streams[$0 - first].takesValues }) else { return true }
    var isKnown = true
    for _ in 0..<(try number(stream, index)) {
      let leading = parts[0] - first
      let position = streams[leading].position
      var isPartKnown = true
      for part in parts {
        if try !judge(part, depth + 1) { isPartKnown = false }
      }
      if isPartKnown { continue }
      if streams[stream].takesNoLoss { isKnown = false } else { streams[leading].lost.insert(position) }
    }
    return isKnown
  }

  /// The stream of a node, and the index of its next value, which is taken.
  private mutating func next(_ node: Int) throws -> (stream: Int, index: Int) {
    let stream = node - first
    let index = streams[stream].position
    guard streams[stream].isTransparent || index < streams[stream].chunk.count else { throw Unfit() }
    streams[stream].position = index + 1
    return (stream, index)
  }

  /// A length, a case, or a bit, which is 1 where there is none.
  private func number(_ stream: Int, _ index: Int) throws -> Int {
    let (isTransparent, chunk) = (streams[stream].isTransparent, streams[stream].chunk)
    if isTransparent { return 1 }
    if chunk.width == 0 { return chunk.bit(index) ? 1 : 0 }
    guard let number = Int(exactly: chunk.unsigned(index)) else { throw Unfit() }
    return number
  }

  // MARK: Copying

  /// Copies all that is not lost, and all rows but some.
  mutating func copy(withoutRows lost: Set<Int> = []) throws {
    try forEachRow { sieve, row in
      try sieve.copy(sieve.root, isKept: !lost.contains(row), 0)
    }
  }

  /// Takes the next value of a node, and copies it if it is kept. What is passed here was judged before.
  private mutating func copy(_ node: Int, isKept: Bool, _ depth: Int) throws {
    guard depth < Self.maximumDepth else { throw Unfit() }
    guard streams[node - first].takesValues else { return }
    if depth % Self.depthOfStackCheck == Self.depthOfStackCheck - 1 {
      return try StackExtension.call { try copyNext(node, isKept, depth) }
    }
    try copyNext(node, isKept, depth)
  }

  private mutating func copyNext(_ node: Int, _ isKept: Bool, _ depth: Int) throws {
    let (stream, index) = try next(node)
    switch streams[stream].shape {
    case .leaf: keep(stream, index, isKept)
    case .record:
      for child in streams[stream].children { try copy(child, isKept: isKept, depth + 1) }
    case .optional, .list, .dictionary: try copyParts(of: stream, index, isKept, depth)
    case .enumeration:
      keep(stream, index, isKept)
      let tag = try number(stream, index)
      guard let known = streams[stream].cases[tag], let child = streams[stream].payloads[known] else {
        return
      }
      try copy(streams[stream].children[child], isKept: isKept, depth + 1)
    }
  }

  private mutating func copyParts(of stream: Int, _ index: Int, _ isKept: Bool, _ depth: Int) throws {
    let (parts, count) = (streams[stream].children, try number(stream, index))
    // Before the parts, in which there may be values of the same node.
    let place = streams[stream].numbers.count
    keep(stream, index, isKept)
    if isKept { streams[stream].numbers.append(count) }
    guard parts.contains(where: { streams[$0 - first].takesValues }) else { return }
    var keptCount = 0
    for _ in 0..<count {
      let leading = parts[0] - first
      let isLost = streams[leading].lost.contains(streams[leading].position)
      for part in parts { try copy(part, isKept: isKept && !isLost, depth + 1) }
      if !isLost { keptCount += 1 }
    }
    guard isKept, keptCount != count else { return }
    streams[stream].numbers[place] = keptCount
    streams[stream].isChanged = true
  }

  private mutating func keep(_ stream: Int, _ index: Int, _ isKept: Bool) {
    if isKept { streams[stream].kept.append(index) } else { streams[stream].isChanged = true }
  }

  // MARK: Chunks

  /// The nodes with other values than before, and their chunks, whose memory is added to `memory`.
  func changedChunks(_ memory: inout [ByteBuffer]) -> [(node: Int, chunk: Chunk)] {
    streams.indices.filter { streams[$0].isChanged && !(streams[$0].shape == .record) }.map { index in
      (first + index, streams[index].copiedChunk(&memory))
    }
  }
}
