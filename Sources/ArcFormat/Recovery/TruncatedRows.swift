/// The rows of a segment that is truncated at the end of the file. Some of their columns are complete. Empty
/// columns replace the missing columns, so that the segment can be read.
///
/// A segment contains one class after another, and for each class one column after another. Therefore, a
/// class has all its columns, only its first columns, or none. Spec: 04-columns, section 6.
package struct TruncatedRows {
  /// The number of columns of a class.
  package struct Columns {
    /// The number of complete columns, which are the first columns of the class.
    package let wholeCount: Int
    /// The number of columns in the segment before it was truncated.
    package let count: Int
  }

  /// The maximum number of bytes of empty columns. The segments of real files are far smaller.
  private static let maximumEmptyByteCount = 1 << 24

  /// The number of rows in the segment.
  private(set) var rowCount = 0
  /// For each class that has complete columns, by class index: the numbers of its columns. The rows of all
  /// other classes are lost.
  package private(set) var columns: [Int: Columns] = [:]
  /// A payload of the whole segment: the complete columns and the empty columns.
  private(set) var payload: [UInt8] = []

  private var emptyByteCount = 0

  /// Reads a truncated payload. Nil if no rows can be recovered from it.
  init?(_ bytes: [UInt8], layouts: [ColumnLayout], limits: ArchiveLimits) {
    guard let whole = bytes.withByteView({ complete($0, layouts, limits) }), !columns.isEmpty else {
      return nil
    }
    payload = whole
  }

  /// Returns the payload, with empty columns after the complete columns. Nil if the runs of rows are
  /// incomplete, or if a type has no empty value.
  private mutating func complete(_ bytes: ByteView, _ layouts: [ColumnLayout], _ limits: ArchiveLimits)
    -> [UInt8]?
  {
    var reader = ByteReader(bytes, fileOffset: 0)
    guard let rowsOfClass = readRuns(&reader, classCount: layouts.count, limits) else { return nil }
    var writer = ByteWriter()
    var isTruncated = false
    for (classIndex, rowCount) in rowsOfClass {
      let layout = layouts[classIndex]
      // If reading throws, the rows are truncated there. This also applies to the functions below.
      if !isTruncated, let count = try? reader.count(itemBytes: 0), count <= layout.roots.count {
        var end = reader.position
        let wholeCount = wholeColumnCount(&reader, layout, count, &end)
        if wholeCount > 0 || count == 0 {
          columns[classIndex] = Columns(wholeCount: wholeCount, count: count)
        }
        isTruncated = wholeCount < count
        guard isTruncated else { continue }
        writer.append(bytes[0..<end])
        guard writeEmpty(wholeCount..<count, layout, rowCount, to: &writer) else { return nil }
      } else {
        if !isTruncated { writer.append(bytes[0..<reader.position]) }
        isTruncated = true
        writer.varint(layout.roots.count)
        guard writeEmpty(0..<layout.roots.count, layout, rowCount, to: &writer) else { return nil }
      }
    }
    if !isTruncated { writer.append(bytes[0..<reader.position]) }
    return writer.bytes
  }

  /// Reads the runs of rows. Returns the number of rows of each class, in ascending order of the classes.
  /// Spec: 04-columns, rule R1.
  private mutating func readRuns(
    _ reader: inout ByteReader, classCount: Int, _ limits: ArchiveLimits
  ) -> [(key: Int, value: Int)]? {
    guard let runCount = try? reader.count(itemBytes: 2) else { return nil }
    var rowsOfClass: [Int: Int] = [:]
    for _ in 0..<runCount {
      guard let classIndex = try? reader.count(itemBytes: 0), classIndex < classCount,
        let length = try? reader.count(itemBytes: 0), length > 0, length <= limits.rows - rowCount
      else { return nil }
      rowCount += length
      rowsOfClass[classIndex, default: 0] += length
    }
    return rowCount == 0 ? nil : rowsOfClass.sorted { $0.key < $1.key }
  }

  /// Returns the number of complete columns of a class. Sets `end` to the position after the last complete
  /// column.
  private func wholeColumnCount(
    _ reader: inout ByteReader, _ layout: ColumnLayout, _ count: Int, _ end: inout Int
  ) -> Int {
    for column in 0..<count {
      for node in layout.roots[column]..<layout.nodeCount(ofColumns: column + 1) {
        let kind = layout.nodes[node].kind
        guard kind != .weak, !kind.storage.isNone else { continue }
        guard (try? Chunk(reading: &reader, kind: kind)) != nil else { return column }
      }
      end = reader.position
    }
    return count
  }

  // MARK: Empty columns

  /// Writes chunks for some columns of a class. Their values are nil, empty or zero. Returns false if a type
  /// has no empty value, or if the chunks are too large. Spec: 04-columns, rule V2.
  private mutating func writeEmpty(
    _ range: Range<Int>, _ layout: ColumnLayout, _ rowCount: Int, to writer: inout ByteWriter
  ) -> Bool {
    guard let first = range.first else { return true }
    var counts = [Int](repeating: 0, count: layout.nodes.count)
    for column in range { counts[layout.roots[column]] = rowCount }
    for index in layout.roots[first]..<layout.nodeCount(ofColumns: range.upperBound) {
      let node = layout.nodes[index]
      var tag = 0
      if node.kind == .enumeration, counts[index] > 0 {
        // Chooses a case without associated values, or a case whose associated values do not mention an
        // enclosing type.
        guard let plain = node.payloads.firstIndex(where: { $0.map { node.children[$0] > index } ?? true })
        else { return false }
        tag = node.payloads.firstIndex { $0 == nil } ?? plain
      }
      let nested = node.nestedValues(tag)
      for child in node.children[nested.columns] where child > index {
        counts[child] = counts[index] * nested.count
      }
      guard writeEmpty(counts[index], node.kind, tag: UInt32(truncatingIfNeeded: tag), to: &writer) else {
        return false
      }
    }
    return true
  }

  private mutating func writeEmpty(
    _ count: Int, _ kind: ColumnKind, tag: UInt32, to writer: inout ByteWriter
  ) -> Bool {
    let width = kind == .weak ? 0 : kind.storage.emptyWidth
    let byteCount = count.multipliedReportingOverflow(by: width)
    guard !byteCount.overflow, byteCount.partialValue <= Self.maximumEmptyByteCount - emptyByteCount else {
      return false
    }
    emptyByteCount += byteCount.partialValue
    guard width > 0 else { return true }
    var zeros = [UInt8](repeating: 0, count: byteCount.partialValue)
    switch kind.storage {
    case .none: break
    case .bits: zeros.withByteView { Chunk.write(bits: $0, to: &writer) }
    case .fixed(let width):
      zeros.withByteView {
        Chunk.write(fixed: CollectedValues(bytes: $0, borrowed: []), width: width, to: &writer)
      }
    case .integers(let width, let isSigned):
      if kind == .enumeration, tag > 0 {
        for position in zeros.indices {
          zeros[position] = UInt8(truncatingIfNeeded: tag >> (position % 4 * 8))
        }
      }
      zeros.withByteView {
        Chunk.write(
          integers: CollectedValues(bytes: $0, borrowed: []), width: width, isSigned: isSigned, to: &writer)
      }
    case .text:
      // A decimal has at least one digit.
      let text = [UInt8](repeating: UInt8(ascii: "0"), count: kind == .decimal ? count : 0)
      if kind == .decimal {
        for position in stride(from: 0, to: zeros.count, by: width) { zeros[position] = 1 }
      }
      zeros.withByteView { lengths in
        text.withByteView { Chunk.write(lengths: lengths, of: $0, to: &writer) }
      }
    }
    return true
  }
}

extension ColumnKind.Storage {
  /// The number of bytes that one empty value occupies before its chunk is packed.
  fileprivate var emptyWidth: Int {
    switch self {
    case .none: 0
    case .bits: 1
    case .integers(let width, _), .fixed(let width): width
    case .text: 8
    }
  }
}
