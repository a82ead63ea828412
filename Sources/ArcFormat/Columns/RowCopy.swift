/// Copies rows of one class in a segment to the columns of a writer, and redirects their references to new
/// rows.
///
/// Consecutive rows have consecutive values in each column, whatever the types of the columns. So a range of
/// rows is copied as one range of values per node.
package struct RowCopy {
  private let set: ColumnReaderSet
  private var positions: RowPositions
  private let columnCount: Int
  private let strings: StringTable
  /// The source of the rows. Retained because the chunks use its memory.
  private let segment: RowsSegment

  /// Creates a copier of the rows of a class. The columns must be verified.
  package init(_ rows: RowsSegment.ClassRows, of segment: RowsSegment, _ schema: FileSchema) {
    self.segment = segment
    set = schema.makeColumns(ofClass: rows.classIndex)
    set.bind(rows.chunks)
    columnCount = rows.columnCount
    strings = schema.strings
    positions = RowPositions(of: set, roots: Array(0..<rows.columnCount))
  }

  /// Appends rows to columns of the same layout.
  ///
  /// - Parameters:
  ///   - rows: the rows to append, as indices among the rows of the class in the segment.
  ///   - target: the columns to which the rows are appended.
  ///   - newRow: for each row number in the file, the row number in the new file. References are changed
  ///     accordingly.
  ///   - rowCount: the number of rows of the class in `target` before the call.
  ///   - isKeyed: returns whether a column is keyed, so that rows may have no value in it.
  /// - Throws: an error about the columns or about a string.
  /// - Complexity: O(values), and O(64 rows) if the rows do not follow the rows that were copied last.
  package mutating func append(
    _ rows: Range<Int>, to target: ColumnWriterSet, newRow: [UInt32], rowCount: Int,
    isKeyed: (_ column: Int) -> Bool
  ) throws {
    try positions.move(to: rows.lowerBound)
    let starts = (0..<columnCount).map { set.state(ofRoot: $0) }
    try positions.move(to: rows.upperBound)
    for root in 0..<columnCount {
      if isKeyed(root) { target.padPresence(root, to: rowCount) }
      let ends = set.state(ofRoot: root)
      for (offset, node) in set.layout.nodes(ofRoot: root).enumerated() {
        try append(
          starts[root][2 * offset]..<ends[2 * offset], from: starts[root][2 * offset + 1], ofNode: node,
          to: target.column(ofNode: node), newRow)
      }
    }
  }

  /// Appends values of one node. If the values are strings, their bytes begin at `textStart`.
  private func append(
    _ values: Range<Int>, from textStart: Int, ofNode node: Int, to column: ColumnWriter, _ newRow: [UInt32]
  ) throws {
    let chunk = set.chunk(ofNode: node)
    let kind = set.layout.nodes[node].kind
    switch kind.storage {
    case .none: break
    case .bits: for index in values { column.append(bit: chunk.bit(index)) }
    case .fixed(let width): append(chunk.values, values, width, to: column)
    case .integers where kind == .reference || kind == .weak:
      for index in values {
        let row = Int(truncatingIfNeeded: chunk.unsigned(index))
        column.append(newRow.indices.contains(row) ? newRow[row] : 0)
      }
    case .integers(let width, _) where chunk.width == width: append(chunk.values, values, width, to: column)
    case .integers(let width, let isSigned):
      for index in values {
        let bits =
          isSigned
          ? UInt64(bitPattern: chunk.values.signed(index, width: chunk.width)) : chunk.unsigned(index)
        Self.append(bits, width, to: column)
      }
    case .text:
      var start = textStart
      for index in values {
        if chunk.usesStringTable {
          column.append(text: try strings.string(chunk.unsigned(index)))
          continue
        }
        let end = start + Int(truncatingIfNeeded: chunk.unsigned(index))
        let bytes = chunk.text[start..<end]
        start = end
        if kind == .string, let text = String(checkedUTF8: bytes) {
          column.append(text: text)
        } else {
          column.append(bytes: bytes)
        }
      }
    }
  }

  private func append(_ bytes: ByteView, _ values: Range<Int>, _ width: Int, to column: ColumnWriter) {
    column.append(plain: bytes[values.lowerBound * width..<values.upperBound * width])
  }

  private static func append(_ bits: UInt64, _ width: Int, to column: ColumnWriter) {
    switch width {
    case 1: column.append(UInt8(truncatingIfNeeded: bits))
    case 2: column.append(UInt16(truncatingIfNeeded: bits))
    case 4: column.append(UInt32(truncatingIfNeeded: bits))
    default: column.append(bits)
    }
  }
}
