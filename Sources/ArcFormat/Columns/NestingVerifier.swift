/// Checks how deeply values of recursive types are nested, without creating the values.
///
/// `ColumnReaderSet.skip` checks the number of all values, but not their depth, because it reads each column
/// separately. This verifier visits the values depth-first, with an explicit stack. Only values of recursive
/// types can be nested deeper than their type encoding, whose depth is limited.
///
/// Spec: 04-columns, rule V7; 07-limits, rule A8.
package struct NestingVerifier {
  private let set: ColumnReaderSet
  private let limit: Int
  /// For each node, whether its values can contain a value of a recursive type. All other nodes are skipped.
  private let containsRecursion: [Bool]
  /// For each node, the index of its next value.
  private var positions: [Int]
  /// The values that enclose the current value. The innermost value is the last.
  private var stack: [Visit] = []

  /// A value that is being visited, and the position of the next value nested in it.
  private struct Visit {
    /// The node of the value.
    let node: Int
    /// The nested values, in groups. Each group has one value per nested column.
    let nested: NestedValues
    /// The index of the group, in `nested`, that is being visited.
    var group = 0
    /// The column of the next value in the group, as an index in `children`.
    var column: Int
    /// The number of enclosing values of the same type.
    let depth: Int
    /// The number of all enclosing values.
    let level: Int
  }

  /// Creates a verifier. Returns nil if no value can contain a value of its own type.
  ///
  /// - Complexity: O(*n*) in the number of nodes.
  package init?(_ set: ColumnReaderSet, limit: Int) {
    let nodes = set.layout.nodes
    guard nodes.contains(where: \.isRecursive) else { return nil }
    self.set = set
    self.limit = limit
    var containsRecursion = nodes.map(\.isRecursive)
    for index in nodes.indices.reversed() where !containsRecursion[index] {
      containsRecursion[index] = nodes[index].children.contains { containsRecursion[$0] }
    }
    self.containsRecursion = containsRecursion
    positions = Array(repeating: 0, count: nodes.count)
  }

  /// Visits the values of all rows of a class in a segment. Precondition: `ColumnReaderSet.skip` has checked
  /// the number of values in the columns.
  ///
  /// - Throws: `limitExceeded`.
  /// - Complexity: O(*n*) in the number of values that can contain other values.
  package mutating func verify(roots: Range<Int>, rowCount: Int) throws(ArchiveError) {
    for root in roots where containsRecursion[set.layout.roots[root]] {
      for _ in 0..<rowCount { try verifyValue(ofNode: set.layout.roots[root]) }
    }
  }

  /// Visits the next outermost value of a node, and all values nested in it.
  private mutating func verifyValue(ofNode node: Int) throws(ArchiveError) {
    stack.removeAll(keepingCapacity: true)
    try visit(node, depth: 0, level: 0)
    while var last = stack.popLast() {
      guard let child = nextChild(of: &last) else { continue }
      stack.append(last)
      // Nested nodes are after their parent. Only the mention of a recursive type is not.
      try visit(child, depth: last.depth + (child <= last.node ? 1 : 0), level: last.level + 1)
    }
  }

  /// Advances `visit` to the next nested value that can contain a value of a recursive type. Returns the node
  /// of this value. Nil if no such value is left.
  private func nextChild(of visit: inout Visit) -> Int? {
    while visit.group < visit.nested.count {
      while visit.column < visit.nested.columns.upperBound {
        let child = set.layout.nodes[visit.node].children[visit.column]
        visit.column += 1
        if containsRecursion[child] { return child }
      }
      visit.group += 1
      visit.column = visit.nested.columns.lowerBound
    }
    return nil
  }

  /// Reads the next value of a node. If values are nested in it, pushes it onto the stack.
  ///
  /// Spec: 04-columns, rule V7; 07-limits, rule A8.
  private mutating func visit(_ node: Int, depth: Int, level: Int) throws(ArchiveError) {
    guard depth <= limit, level / 4 <= limit else { throw set.column(ofNode: node).nestedTooDeeply(limit) }
    // Before the node is accessed, which would be copied otherwise.
    let number = try nextNumber(ofNode: node)
    let nested = set.layout.nodes[node].nestedValues(number)
    guard nested.count > 0, !nested.columns.isEmpty else { return }
    stack.append(
      Visit(node: node, nested: nested, column: nested.columns.lowerBound, depth: depth, level: level))
  }

  /// Reads the next bit, length or case index of a node. Returns 0 if the node stores no numbers.
  private mutating func nextNumber(ofNode node: Int) throws(ArchiveError) -> Int {
    guard !set.layout.nodes[node].kind.storage.isNone else { return 0 }
    let chunk = set.chunk(ofNode: node)
    let position = positions[node]
    // Counts were checked before, but a mapped file may have changed since.
    guard position < chunk.count else { throw set.column(ofNode: node).endOfColumn() }
    positions[node] = position + 1
    return chunk.width == 0
      ? (chunk.bit(position) ? 1 : 0) : Int(truncatingIfNeeded: chunk.unsigned(position))
  }
}
