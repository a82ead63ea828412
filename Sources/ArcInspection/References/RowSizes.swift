import ArcArchive
import ArcFormat
import ArcRuntime

/// The size of each row: the size that the row's values would have in plain columns. A string in the file's
/// string table contributes only the size of its number in the table.
struct RowSizes {
  /// The number of bits of each row.
  private(set) var bitCounts: [Int]

  /// Computes the sizes, one segment at a time.
  ///
  /// - Throws: An `ArchiveError` if the file was not verified and is damaged.
  /// - Complexity: O(values).
  init(of file: ArchiveFile) throws(ArchiveError) {
    bitCounts = Array(repeating: 0, count: file.rowCount)
    var sets: [Int: ColumnReaderSet] = [:]
    for index in file.rowsSegments {
      for (rows, ranges) in RowGroups(try file.rows(inSegment: index)) {
        let set = sets[rows.classIndex] ?? ColumnReaderSet(reading: file.layouts[rows.classIndex])
        sets[rows.classIndex] = set
        set.bind(rows.chunks)
        // The memory of the expanded values is released before the next class is read.
        defer { set.prepareForReuse() }
        for root in 0..<rows.columnCount {
          let nodes = Array(set.layout.nodes(ofRoot: root))
          let sizes = nodes.map { ValueSizes(set, node: $0) }
          try set.forEachRow(of: ranges, ofRoot: root, nodes: nodes) { row, node, values in
            bitCounts[row] &+= sizes[node].bitCount(of: values)
          }
        }
      }
    }
  }
}

/// The sizes of the values of one node in a segment.
private struct ValueSizes {
  private let chunk: Chunk
  /// The number of bits of a value. For a string or data, does not include the bytes of the content.
  private let bitCount: Int
  /// Whether the values in the chunk are the lengths of strings or data. The chunk then also contains the
  /// bytes of these strings or data.
  private let hasText: Bool

  init(_ set: ColumnReaderSet, node: Int) {
    chunk = set.chunk(ofNode: node)
    let kind = set.layout.nodes[node].kind
    bitCount = chunk.width == 0 ? 1 : chunk.width * 8
    hasText = [.string, .data, .decimal].contains(kind) && !chunk.usesStringTable
  }

  func bitCount(of values: Range<Int>) -> Int {
    let values = values.clamped(to: 0..<chunk.count)
    var sum = bitCount &* values.count
    if hasText {
      for position in values { sum &+= Int(truncatingIfNeeded: chunk.unsigned(position)) &* 8 }
    }
    return sum
  }
}
