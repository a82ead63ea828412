/// What a program's type says of a column beyond its encoding.
package enum ColumnMark {
  /// Reads one value; throws `unknownCase` for one that the program does not have. `words` says which there
  /// are.
  case check((ColumnReader) throws -> Void, words: () -> String)
  /// No element can be left out: the type says how many there are.
  case takesNoLoss
  /// References can be nil, of which an encoding does not tell.
  case takesNil
}

/// Which values of a class's columns are cases and raw values that the program does not have, if these are to
/// be left out rather than refused. Spec: 06-evolution, section 6.
///
/// The values are left out when columns are bound to chunks, so that readers of values need not know of them.
final class UnknownValues {
  fileprivate let marks: [Int: ColumnMark]
  /// The indices of roots that may have such values.
  fileprivate let roots: [Int]
  /// By root, the rows whose value as a whole is unknown: it stays in the column.
  fileprivate(set) var rows: [Int: Set<Int>] = [:]
  /// Whether some value was left out, of any chunk so far.
  fileprivate(set) var hasLeftOut = false
  /// Optionals of the program that are none in the file, and have bits while some are nil.
  private var optionals: [Handle<ColumnReaderNode>] = []
  private var memory: [ByteBuffer] = []

  init(_ marks: [Int: ColumnMark], in set: ColumnReaderSet) {
    self.marks = marks
    roots = set.layout.roots.indices.filter { root in
      set.layout.nodes(ofRoot: root).contains { node in
        if case .check? = marks[node] { return true }
        return set.column(ofNode: node).node.value.lacksCases
      }
    }
  }

  deinit { for buffer in memory { buffer.free() } }

  /// Forgets what was found in the chunks that were bound before.
  func removeAll() {
    rows = [:]
    for node in optionals { node.value.isAlwaysPresent = true }
    optionals = []
    for buffer in memory { buffer.free() }
    memory = []
  }

  /// Binds a node to other values than the file has.
  fileprivate func bind(_ sieve: ColumnSieve, to set: ColumnReaderSet) {
    for (node, chunk) in sieve.changedChunks(&memory) {
      let node = set.column(ofNode: node).node
      if node.value.isAlwaysPresent {
        node.value.isAlwaysPresent = false
        optionals.append(node)
      }
      node.value.bind(chunk)
    }
  }
}

extension ColumnReaderNode {
  /// Whether values of the file may have cases that the program does not have, and nothing else would have to
  /// be skipped with these.
  fileprivate var lacksCases: Bool { kind == .enumeration && cases.indices.contains(where: isSkippableCase) }

  /// Whether a number stands for a case that the program does not have, and that can be skipped.
  func isSkippableCase(_ stored: Int) -> Bool {
    cases.indices.contains(stored) && cases[stored] == nil && !entangledCases.contains(stored)
  }
}

extension ColumnReaderSet {
  /// Has unknown values left out: nil where they are optional, no elements or entries of collections.
  ///
  /// - Parameter marks: what the program's types say of the nodes.
  package func leaveOutUnknown(_ marks: [Int: ColumnMark]) {
    let values = UnknownValues(marks, in: self)
    unknownValues = values
  }

  /// Whether some value was left out, of any chunk that was bound so far.
  package var hasLeftOutValues: Bool { unknownValues?.hasLeftOut ?? false }

  /// The rows in which the value of a root is unknown.
  package func unknownRows(ofRoot root: Int) -> Set<Int> { unknownValues?.rows[root] ?? [] }

  /// Leaves unknown values out of the columns that were just bound.
  func leaveOut(_ values: UnknownValues) {
    for root in values.roots {
      var unknown: [Int: [Bool]] = [:]
      for node in layout.nodes(ofRoot: root) {
        let isUnknown = unknownValues(ofNode: node, values.marks[node])
        if isUnknown.contains(true) { unknown[node] = isUnknown }
      }
      let lacksCases = layout.nodes(ofRoot: root).contains { hasUnknownCase($0) }
      guard lacksCases || !unknown.isEmpty else { continue }
      var sieve = ColumnSieve(self, root: root) {
        unknown[$0] ?? []
      } takesNoLoss: { node in
        if case .takesNoLoss? = values.marks[node] { true } else { false }
      }
      guard let rows = try? sieve.findUnknownRows(), (try? sieve.copy()) != nil else { continue }
      values.hasLeftOut = true
      if !rows.isEmpty { values.rows[root] = rows }
      values.bind(sieve, to: self)
    }
  }

  private func hasUnknownCase(_ index: Int) -> Bool {
    let node = column(ofNode: index).node
    guard node.value.lacksCases else { return false }
    let chunk = chunk(ofNode: index)
    return (0..<chunk.count).contains {
      node.value.isSkippableCase(Int(truncatingIfNeeded: chunk.unsigned($0)))
    }
  }

  /// For each raw value of a node whether it is unknown; empty for nodes with other values.
  private func unknownValues(ofNode index: Int, _ mark: ColumnMark?) -> [Bool] {
    let node = layout.nodes[index]
    // No object exists yet.
    guard case .check(let check, _)? = mark, node.children.isEmpty, node.kind != .reference,
      node.kind != .weak
    else { return [] }
    let reader = column(ofNode: index)
    defer { (reader.node.value.position, reader.node.value.textPosition) = (0, 0) }
    var isUnknown = [Bool](repeating: false, count: reader.node.value.count)
    for position in isUnknown.indices {
      do { try check(reader) } catch {
        guard (error as? ArchiveError)?.code == .unknownCase else { break }
        isUnknown[position] = true
      }
    }
    return isUnknown
  }
}
