/// Which columns of a file have references to objects of each class.
package struct ReferringColumns {
  /// A column of a class, by their indices.
  package struct ColumnIndex: Hashable {
    package let classIndex: Int
    package let position: Int
  }

  private var columns: [Set<ColumnIndex>]

  /// Finds the columns.
  ///
  /// - Throws: what is wrong with a segment.
  /// - Complexity: O(rows + references).
  package init(of file: ArchiveFile) throws {
    columns = Array(repeating: [], count: file.classes.count)
    var classOfRow = [Int](repeating: 0, count: file.rowCount)
    for segment in file.rowsSegments {
      for run in try file.rows(inSegment: segment).runs {
        for row in run.rows { classOfRow[row] = run.classIndex }
      }
    }
    for (index, layout) in file.layouts.enumerated() {
      let nodes = layout.nodes.indices.filter {
        layout.nodes[$0].kind == .reference || layout.nodes[$0].kind == .weak
      }
      if nodes.isEmpty { continue }
      let set = ColumnReaderSet(reading: layout)
      for segment in file.rowsSegments {
        let rows = try file.rows(inSegment: segment)
        guard let bound = rows.classes.first(where: { $0.classIndex == index }) else { continue }
        set.bind(bound.chunks)
        for node in nodes {
          let column = ColumnIndex(classIndex: index, position: layout.root(of: node))
          let chunk = set.chunk(ofNode: node)
          for position in 0..<chunk.count {
            let row = Int(truncatingIfNeeded: chunk.unsigned(position))
            if row > 0, row < classOfRow.count { columns[classOfRow[row]].insert(column) }
          }
        }
      }
    }
  }

  /// The columns with references to objects of a class.
  package func columns(referringTo classIndex: Int) -> Set<ColumnIndex> { columns[classIndex] }
}
