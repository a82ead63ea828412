import ArcFormat

/// Which classes have objects that the roots lead to, by what the program reads: those of properties that it
/// no longer has, and of roots that nobody asks for, need not be known, and no code of them runs.
///
/// By class: if one object of a class is needed, all of them are built.
struct NeededClasses {
  private let rows: GraphRows
  private let readers: [ClassReader?]
  /// The class of each row.
  private var classOfRow: [UInt32]
  private var isNeeded: [Bool]
  private var pending: [Int] = []

  /// Follows references from the roots. Classes without a reader lead wherever the file has references, so
  /// that all that is missing is told at once, unless they are `leadingNowhere`.
  ///
  /// - Complexity: O(rows + references + classes × segments).
  init(rows: GraphRows, readers: [ClassReader?], leadingNowhere: Set<Int> = [], roots: ColumnReaderSet) throws
  {
    self.rows = rows
    self.readers = readers
    classOfRow = Array(repeating: 0, count: rows.rowCount)
    isNeeded = readers.map { _ in false }
    for segment in rows.segments {
      for run in try rows.rows(inSegment: segment).runs {
        for row in run.rows { classOfRow[row] = UInt32(truncatingIfNeeded: run.classIndex) }
      }
    }
    noteTargets(of: FollowedColumns(roots))
    while let index = pending.popLast() {
      if !leadingNowhere.contains(index) { try noteTargets(ofClass: index) }
    }
  }

  /// Whether a class is needed, by its index.
  func contains(_ index: Int) -> Bool { isNeeded[index] }

  /// Notes where the references of a class's objects lead.
  private mutating func noteTargets(ofClass index: Int) throws {
    let layout = rows.layouts[index]
    let columns = readers[index]?.columnsToFollow(in: layout) ?? [FollowedColumns(reading: layout)]
    for segment in rows.segments {
      let rows = try rows.rows(inSegment: segment)
      guard let bound = rows.classes.first(where: { $0.classIndex == index }) else { continue }
      for columns in columns where !columns.roots.isEmpty {
        columns.set.bind(bound.chunks)
        noteTargets(of: columns)
      }
    }
  }

  private mutating func noteTargets(of columns: FollowedColumns) {
    for node in columns.roots.lazy.flatMap(\.nodes) {
      let chunk = columns.set.chunk(ofNode: node)
      for position in 0..<chunk.count {
        let row = Int(truncatingIfNeeded: chunk.unsigned(position))
        guard row > 0, row < classOfRow.count else { continue }
        let index = Int(classOfRow[row])
        guard index > 0, !isNeeded[index] else { continue }
        isNeeded[index] = true
        pending.append(index)
      }
    }
  }
}
