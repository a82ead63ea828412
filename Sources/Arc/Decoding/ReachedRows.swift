import ArcFormat

/// Which objects the roots that are asked for lead to, by what the program reads, where the file has other
/// roots as well: those that only these lead to are not built, and no code of them runs.
struct ReachedRows {
  private let rows: GraphRows
  private var isReached: [Bool]
  /// For each row the first of its references, by index in `references`; -1 for none.
  private var firstReferences: [Int]
  private var references: [(target: UInt32, next: Int)] = []

  /// Follows references from the roots, weak ones not. `readers` are those of the classes that are built.
  ///
  /// - Complexity: O(rows + references).
  init(rows: GraphRows, readers: [ClassReader?], roots: ColumnReaderSet) throws {
    self.rows = rows
    isReached = Array(repeating: false, count: rows.rowCount)
    firstReferences = Array(repeating: -1, count: rows.rowCount)
    for (index, reader) in readers.enumerated() {
      if let reader { try addReferences(ofClass: index, reader) }
    }
    var pending: [Int] = []
    for node in roots.layout.nodes.indices where roots.layout.nodes[node].kind == .reference {
      let chunk = roots.chunk(ofNode: node)
      for position in 0..<chunk.count { reach(chunk.unsigned(position), &pending) }
    }
    while let row = pending.popLast() {
      var next = firstReferences[row]
      while next >= 0 {
        reach(UInt64(references[next].target), &pending)
        next = references[next].next
      }
    }
  }

  /// The rows of classes that are built to which nothing leads.
  func unreachedRows(of readers: [ClassReader?]) throws -> [Int] {
    var found: [Int] = []
    for segment in rows.segments {
      for run in try rows.rows(inSegment: segment).runs where readers[run.classIndex] != nil {
        found += run.rows.filter { !isReached[$0] }
      }
    }
    return found
  }

  private mutating func reach(_ row: UInt64, _ pending: inout [Int]) {
    guard row > 0, row < UInt64(isReached.count), !isReached[Int(row)] else { return }
    isReached[Int(row)] = true
    pending.append(Int(row))
  }

  /// Notes the references of all objects of a class.
  private mutating func addReferences(ofClass index: Int, _ reader: ClassReader) throws {
    for columns in reader.columnsToFollow(in: rows.layouts[index]) where !columns.roots.isEmpty {
      try addReferences(ofClass: index, columns)
    }
  }

  private mutating func addReferences(ofClass index: Int, _ columns: FollowedColumns) throws {
    let set = columns.set
    for segment in rows.segments {
      for (bound, ranges) in RowGroups(try rows.rows(inSegment: segment)) where bound.classIndex == index {
        set.bind(bound.chunks, rowCount: bound.rowCount)
        for (root, nodes) in columns.roots { try addReferences(in: set, root, nodes, ranges) }
      }
    }
  }

  private mutating func addReferences(
    in set: ColumnReaderSet, _ root: Int, _ nodes: [Int], _ ranges: RowRanges
  ) throws {
    let chunks = nodes.map { set.chunk(ofNode: $0) }
    var ends = nodes.map { _ in 0 }
    for index in ranges.indices {
      for row in ranges[index] {
        try set.skip(root: root, count: 1)
        for (place, node) in nodes.enumerated() {
          let end = set.position(ofNode: node)
          for position in ends[place]..<end {
            let target = UInt32(truncatingIfNeeded: chunks[place].unsigned(position))
            if target == 0 { continue }
            references.append((target, firstReferences[row]))
            firstReferences[row] = references.count - 1
          }
          ends[place] = end
        }
      }
    }
  }
}
