import ArcArchive
import ArcFormat

/// The references between the objects of an archive, found in the columns that the program reads. No objects
/// are built.
struct ColumnReferences {
  private let view: RowsView
  private let readers: [ClassReader?]
  /// Whether unowned references and references that are read by key are omitted.
  private let onlyKeeping: Bool
  private let rowCount: UInt64
  private(set) var log = ReferenceLog()

  /// Finds all references of the roots and of the classes that have a reader, except weak references.
  ///
  /// - Parameters:
  ///   - view: the rows of the archive.
  ///   - readers: the readers of the classes, by index.
  ///   - roots: the columns of the roots, positioned at their beginning.
  /// - Throws: `ArchiveError` if a column is damaged.
  /// - Complexity: O(rows + references).
  init(ofAll view: RowsView, readers: [ClassReader?], roots: ColumnReaderSet) throws {
    try self.init(view, readers, roots, onlyKeeping: false)
  }

  /// Finds the references with which the objects that were read retain other objects. Omits references that
  /// are read by key, because the columns do not show which keys an object has read.
  init(keptBy rows: GraphRows, roots: ColumnReaderSet) throws {
    try self.init(rows.view, rows.schema.readers, roots, onlyKeeping: true)
  }

  private init(
    _ view: RowsView, _ readers: [ClassReader?], _ roots: ColumnReaderSet, onlyKeeping: Bool
  ) throws {
    self.view = view
    rowCount = UInt64(view.rowCount)
    self.readers = readers
    self.onlyKeeping = onlyKeeping
    for (_, nodes) in FollowedColumns(roots).roots {
      for node in nodes {
        let chunk = roots.chunk(ofNode: node)
        for position in 0..<chunk.count { note(chunk.unsigned(position), heldBy: 0) }
      }
    }
    for (index, reader) in readers.enumerated() {
      guard let reader else { continue }
      let columns =
        onlyKeeping ? [reader.keepingColumns] : reader.columnsToFollow(in: view.layouts[index])
      for columns in columns where !columns.roots.isEmpty { try add(columns, ofClass: index) }
    }
  }

  private mutating func note(_ target: UInt64, heldBy owner: Int) {
    if target > 0, target < rowCount { log.add(owner: owner, target: Int(target)) }
  }

  /// Adds the references of all objects of a class.
  private mutating func add(_ columns: FollowedColumns, ofClass index: Int) throws {
    for segment in view.segments {
      for (bound, ranges) in RowGroups(try view.rows(inSegment: segment)) where bound.classIndex == index {
        columns.set.bind(bound.chunks, rowCount: bound.rowCount)
        for (root, nodes) in columns.roots {
          try columns.set.forEachReference(of: ranges, ofRoot: root, nodes: nodes) { note($2, heldBy: $0) }
        }
      }
    }
  }
}

extension RowsView {
  /// Returns the rows that no path from the roots reaches. Only columns that the program reads are followed.
  /// Rows of classes without a reader are not returned.
  ///
  /// - Complexity: O(rows + references).
  func unreachedRows(of readers: [ClassReader?], roots: ColumnReaderSet) throws -> [Int] {
    let log = try ColumnReferences(ofAll: self, readers: readers, roots: roots).log
    let isReached = RowReferences(log, rowCount: rowCount).rowsReachedFromRoots()
    var found: [Int] = []
    for segment in segments {
      for run in try rows(inSegment: segment).runs where readers[run.classIndex] != nil {
        found += run.rows.filter { !isReached[$0] }
      }
    }
    return found
  }
}
