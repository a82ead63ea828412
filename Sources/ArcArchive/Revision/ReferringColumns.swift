import ArcFormat

/// The columns whose references refer to objects of each class.
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
  package init(of view: RowsView) throws {
    var columns = Array(repeating: Set<ColumnIndex>(), count: view.classes.count)
    let rowClasses = try view.rowClasses()
    for (index, layout) in view.layouts.enumerated() {
      let nodes = layout.nodes.indices.filter {
        layout.nodes[$0].kind == .reference || layout.nodes[$0].kind == .weak
      }
      if nodes.isEmpty { continue }
      let set = ColumnReaderSet(reading: layout)
      try view.forEachSegment(ofClass: index) { _, rows in
        set.bind(rows.chunks)
        for node in nodes {
          let column = ColumnIndex(classIndex: index, position: layout.root(of: node))
          rowClasses.forEachTarget(of: set.chunk(ofNode: node)) { columns[$1].insert(column) }
        }
      }
    }
    self.columns = columns
  }

  /// The columns with references to objects of a class.
  package func columns(referringTo classIndex: Int) -> Set<ColumnIndex> { columns[classIndex] }
}
