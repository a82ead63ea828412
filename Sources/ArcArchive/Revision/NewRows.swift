package import ArcFormat

/// Rows that a revision of an archive makes: of one class, with the same keys and types, and numbers of their
/// own.
package final class NewRows {
  package let description: ClassDescription
  let layout: ColumnLayout
  private let set: ColumnWriterSet
  /// The numbers of the rows, in the order in which they were added.
  private(set) var ids: [UInt32] = []

  /// Creates columns without rows.
  ///
  /// - Parameter description: the class, with columns that have a value in each row; weak ones are written as
  ///   references.
  /// - Throws: `malformedEncoding` for a type that no column holds.
  package init(_ description: ClassDescription) throws(ArchiveError) {
    self.description = description
    layout = try ColumnLayout(description)
    set = ColumnWriterSet(strings: nil, context: nil)
    set.extend(to: layout)
  }

  /// Adds a row, with a number above those that were added before.
  ///
  /// - Parameters:
  ///   - id: the number of the row.
  ///   - values: a value for each column, which the column holds.
  package func add(_ id: ObjectID, _ values: [ArchiveValue]) {
    let writer = ValueWriter(layout: layout)
    for (column, value) in values.enumerated() where column < layout.roots.count {
      writer.append(value, to: set.column(column), node: layout.roots[column])
    }
    ids.append(id.rawValue)
  }

  /// The rows as a segment.
  func segment(classIndex: Int) throws(ArchiveError) -> RowsSegment {
    let memory = ChunkBytes(of: set)
    var reader = ByteReader(memory.bytes, fileOffset: 0)
    var chunks: [Chunk?] = []
    for node in layout.nodes {
      let storage = node.kind.storage
      chunks.append(storage.isNone ? nil : try Chunk(reading: &reader, kind: node.kind, storage: storage))
    }
    return RowsSegment(
      firstRow: Int(ids.first ?? 0), rowCount: ids.count, runs: runs(classIndex: classIndex),
      classes: [
        RowsSegment.ClassRows(
          classIndex: classIndex, rowCount: ids.count, columnCount: layout.roots.count, chunks: chunks)
      ], owner: memory)
  }

  private func runs(classIndex: Int) -> [RowsSegment.Run] {
    var ranges: [Range<Int>] = []
    for id in ids {
      let row = Int(id)
      if let last = ranges.last, last.upperBound == row {
        ranges[ranges.count - 1] = last.lowerBound..<row + 1
      } else {
        ranges.append(row..<row + 1)
      }
    }
    return ranges.map { RowsSegment.Run(classIndex: classIndex, rows: $0) }
  }
}

/// The chunks of columns, as they would be in a file.
private final class ChunkBytes {
  private let buffer: ByteBuffer
  var bytes: ByteView { buffer.view }

  init(of set: ColumnWriterSet) {
    var writer = ByteWriter()
    set.writeChunks(to: &writer)
    let bytes = writer.bytes
    let buffer = ByteBuffer(count: bytes.count)
    bytes.withByteView { buffer.copy($0, to: 0) }
    self.buffer = buffer
  }

  deinit { buffer.free() }
}
