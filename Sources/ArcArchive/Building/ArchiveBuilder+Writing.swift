import ArcFormat

// Writes rows as soon as all earlier rows are written: in runs that fit in a segment, column by column.

extension ArchiveBuilder {
  /// Writes rows in order, up to the first row without values.
  func writePending() throws(ArchiveError) {
    while let rows = pending.removeValue(forKey: writer.rowCount) {
      do {
        try write(rows)
      } catch {
        let failure =
          error as? ArchiveError
          ?? ArchiveError(.notArchivable, found: "a value that cannot be written (\(error))")
        self.failure = failure
        throw failure
      }
    }
  }

  private func write(_ rows: PendingRows) throws {
    let classIndex = Int(classOfRow[writer.rowCount])
    writer.expectedRowCount = classOfRow.count
    let set = writer.columnSet(ofClass: classIndex)
    let end = rows.start + rows.count
    var next = rows.start
    while next < end {
      let count = min(try writer.rowCapacity(), end - next)
      let firstInSegment = writer.rowsInSegment(ofClass: classIndex)
      try writer.addRows(count, classIndex: classIndex)
      for (position, column) in rows.columns.enumerated() {
        guard let column else { continue }
        if writer.classes[classIndex].columns[position].flags.contains(.keyed) {
          set.padPresence(position, to: firstInSegment)
        }
        do {
          try write(column, next..<next + count, to: set, position)
        } catch let error as ArchiveError {
          let description = writer.classes[classIndex]
          throw error.located(className: description.name, key: description.columns[position].key)
        }
      }
      next += count
    }
  }

  /// Appends the values of a range of the objects to a column.
  private func write(
    _ pending: PendingColumn, _ range: Range<Int>, to set: ColumnWriterSet, _ position: Int
  ) throws {
    var column = set.column(position)
    var node = set.layout.roots[position]
    for _ in 0..<pending.presenceCount {
      for _ in range { column.append(bit: true) }
      column = column.child(0)
      node = set.layout.nodes[node].children[0]
    }
    switch pending.values {
    case .same(let value):
      let writer = ValueWriter(layout: set.layout)
      for _ in range { writer.append(value, to: column, node: node) }
    case .values(let values):
      let writer = ValueWriter(layout: set.layout)
      for index in range { writer.append(values[index], to: column, node: node) }
    case .swift(let values): try values.write(range, to: column)
    }
  }
}
