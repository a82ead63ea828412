/// Finds how deep values of recursive types nest, without building any.
///
/// Counting values needs no depth, since each node is a stream of its own; to find the depth, values are
/// traversed depth-first, with an explicit stack. The depth of other types is that of their encoding, which
/// is limited.
///
/// Spec: 04-columns, rule V7; 07-limits, rule A8.
package struct NestingVerifier {
  private let set: ColumnReaderSet
  private let limit: Int
  /// For each node whether its values can contain values of a recursive type.
  private let leadsOn: [Bool]
  /// The index of the next value of each node.
  private var positions: [Int]
  private var stack: [Task] = []

  /// Values, or entries of a dictionary, that are still to be traversed.
  private struct Task {
    /// The node of the values; for entries, that of the dictionary.
    let node: Int
    var areEntries = false
    var count: Int
    /// Mentions, and nodes, on the way from the column to the values.
    let depth: Int
    let level: Int
  }

  /// Nil if no value can contain one of its own type.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  package init?(_ set: ColumnReaderSet, limit: Int) {
    let nodes = set.layout.nodes
    guard nodes.contains(where: \.isRecursive) else { return nil }
    self.set = set
    self.limit = limit
    var leadsOn = nodes.map(\.isRecursive)
    for index in nodes.indices.reversed() {
      leadsOn[index] = leadsOn[index] || nodes[index].children.contains { leadsOn[$0] }
    }
    self.leadsOn = leadsOn
    positions = Array(repeating: 0, count: nodes.count)
  }

  /// Traverses the values of all rows of a class in a segment, whose counts were checked.
  ///
  /// - Throws: `limitExceeded`.
  /// - Complexity: O(*n*) in the number of values that can contain others.
  package mutating func verify(roots: Range<Int>, rowCount: Int) throws(ArchiveError) {
    for root in roots where leadsOn[set.layout.roots[root]] {
      stack = [Task(node: set.layout.roots[root], count: rowCount, depth: 0, level: 0)]
      while var task = stack.popLast() {
        guard task.count > 0 else { continue }
        task.count -= 1
        stack.append(task)
        if task.areEntries {
          // The key is read first, so it is pushed last.
          inside(task, 1, 1)
          inside(task, 0, 1)
        } else {
          try visit(task)
        }
      }
    }
  }

  /// Reads the next value of a node, and pushes those inside it.
  ///
  /// Spec: 04-columns, rule V7; 07-limits, rule A8.
  private mutating func visit(_ task: Task) throws(ArchiveError) {
    guard task.depth <= limit, task.level / 4 <= limit else {
      throw set.column(ofNode: task.node).nestedTooDeeply(limit)
    }
    let node = set.layout.nodes[task.node]
    switch node.kind {
    case .optional: if try number(task.node) != 0 { inside(task, 0, 1) }
    case .array, .set: inside(task, 0, try number(task.node))
    case .dictionary:
      stack.append(
        Task(
          node: task.node, areEntries: true, count: try number(task.node), depth: task.depth,
          level: task.level))
    case .structure: for child in node.children.indices.reversed() { inside(task, child, 1) }
    case .enumeration:
      let tag = try number(task.node)
      if let child = node.payloads.indices.contains(tag) ? node.payloads[tag] : nil { inside(task, child, 1) }
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float16,
      .float32, .float64, .string, .data, .date, .uuid, .decimal, .reference, .weak, .url:
      break
    }
  }

  /// Pushes `count` values of a child.
  private mutating func inside(_ task: Task, _ child: Int, _ count: Int) {
    let inner = set.layout.nodes[task.node].children[child]
    guard leadsOn[inner], count > 0 else { return }
    // Nested nodes are after their parent; only the mention of a recursive type leads back.
    stack.append(
      Task(
        node: inner, count: count, depth: task.depth + (inner <= task.node ? 1 : 0), level: task.level + 1))
  }

  /// The next bit, length or case of a node.
  private mutating func number(_ node: Int) throws(ArchiveError) -> Int {
    let chunk = set.chunk(ofNode: node)
    let position = positions[node]
    // Counts were checked before, but a mapped file may have changed since.
    guard position < chunk.count else { throw set.column(ofNode: node).endOfColumn() }
    positions[node] = position + 1
    return set.layout.nodes[node].kind == .optional
      ? (chunk.bit(position) ? 1 : 0) : Int(truncatingIfNeeded: chunk.unsigned(position))
  }
}
