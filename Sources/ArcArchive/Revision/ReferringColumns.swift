import ArcFormat

/// The columns that contain references to objects of each class.
package struct ReferringColumns {
  /// The location of a column: the index of the class, and the index of the column in the class.
  package struct ColumnIndex: Hashable {
    package let classIndex: Int
    package let position: Int
  }

  private var columns: [Set<ColumnIndex>]

  /// Reads all references of a view to find the columns.
  ///
  /// - Throws: the code of the damage if a segment is damaged.
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

  /// Returns the columns with references to objects of a class.
  package func columns(referringTo classIndex: Int) -> Set<ColumnIndex> { columns[classIndex] }
}
