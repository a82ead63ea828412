package import ArcFormat

/// New rows that a revision adds to an archive. All rows have the same class and columns, and numbers that
/// the caller chooses.
package final class NewRows {
  package let description: ClassDescription
  let layout: ColumnLayout
  private let set: ColumnWriterSet
  /// The numbers of the rows, in the order in which they were added.
  private(set) var ids: [UInt32] = []

  /// Creates columns without rows.
  ///
  /// - Parameter description: the class. All its columns have a value in each row. Weak references are
  ///   written like strong references.
  /// - Throws: `malformedEncoding` if no column can store a type.
  package init(_ description: ClassDescription) throws(ArchiveError) {
    self.description = description
    layout = try ColumnLayout(description)
    set = ColumnWriterSet(strings: nil, context: nil)
    set.extend(to: layout)
  }

  /// Adds a row. Its number is above the numbers of the rows that were added before.
  ///
  /// - Parameters:
  ///   - id: the number of the row.
  ///   - values: a value for each column, which the column can store.
  package func add(_ id: ObjectID, _ values: [ArchiveValue]) {
    let writer = ValueWriter(layout: layout)
    for (column, value) in values.enumerated() where column < layout.roots.count {
      writer.append(value, to: set.column(column), node: layout.roots[column])
    }
    ids.append(id.rawValue)
  }

  /// Returns the rows as a segment.
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

/// The memory of the chunks of columns, in the format of a file.
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
