import ArcArchive
import ArcFormat

/// The classes whose objects the requested roots reach by properties that the program reads. Other classes
/// may be missing in the program, and their code does not run.
///
/// Classes are needed as a whole: if one object of a class is needed, all objects of the class are built.
struct NeededClasses {
  private let view: RowsView
  private let readers: [ClassReader?]
  private let rowClasses: RowClasses
  private var isNeeded: [Bool]
  private var pending: [Int] = []

  /// Marks the classes that the roots reach. If a class has no reader because the program lacks it, all its
  /// references are followed. So one error can name all missing classes.
  ///
  /// - Parameters:
  ///   - view: the rows of the archive.
  ///   - readers: the readers of the classes, by index.
  ///   - absent: the classes whose references are not followed.
  ///   - roots: the columns of the roots, positioned at their beginning.
  /// - Throws: `ArchiveError` if a segment is damaged.
  /// - Complexity: O(rows + references + classes × segments).
  init(
    in view: RowsView, readers: [ClassReader?], absent: Set<Int> = [], roots: ColumnReaderSet
  ) throws {
    self.view = view
    self.readers = readers
    rowClasses = try view.rowClasses()
    isNeeded = readers.map { _ in false }
    noteTargets(of: FollowedColumns(roots))
    while let index = pending.popLast() {
      if !absent.contains(index) { try noteTargets(ofClass: index) }
    }
  }

  /// Whether the class at `index` is needed.
  func contains(_ index: Int) -> Bool { isNeeded[index] }

  /// Marks the classes to which objects of the class at `index` refer as needed.
  private mutating func noteTargets(ofClass index: Int) throws {
    let layout = view.layouts[index]
    let columns = readers[index]?.columnsToFollow(in: layout) ?? [FollowedColumns(reading: layout)]
    try view.forEachSegment(ofClass: index) { _, rows in
      for columns in columns where !columns.roots.isEmpty {
        columns.set.bind(rows.chunks)
        noteTargets(of: columns)
      }
    }
  }

  private mutating func noteTargets(of columns: FollowedColumns) {
    let rowClasses = rowClasses
    for node in columns.roots.lazy.flatMap(\.nodes) {
      rowClasses.forEachTarget(of: columns.set.chunk(ofNode: node)) { _, index in
        guard index > 0, !isNeeded[index] else { return }
        isNeeded[index] = true
        pending.append(index)
      }
    }
  }
}
