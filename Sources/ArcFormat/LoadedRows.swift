/// The segments of rows that were read last, as many as fit into `byteLimit`.
struct LoadedRows {
  private static let defaultByteLimit = 32 << 20
  /// What an entry costs beside its chunks and its payload.
  private static let entryByteCount = 512

  /// Bytes of memory that may be kept; the segment that was read last is kept in any case.
  var byteLimit = Self.defaultByteLimit
  /// Bytes that the chunks of the segments take.
  private(set) var chunkByteCount = 0

  private var rows: [RowsSegment?] = []
  private var costs: [(index: Int, byteCount: Int, chunkByteCount: Int)] = []
  /// The oldest one in `costs`.
  private var oldest = 0
  private var byteCount = 0
  /// A segment of an earlier file, whose memory the next one may use.
  private var spare: RowsSegment?

  /// The rows of the segment at a position, if they are kept.
  subscript(index: Int) -> RowsSegment? { index < rows.count ? rows[index] : nil }

  /// Forgets the file.
  mutating func restart() {
    spare = rows.last ?? spare
    spare?.close()
    rows.cut(to: 0)
    costs.cut(to: 0)
    (oldest, byteCount, chunkByteCount) = (0, 0, 0)
    byteLimit = Self.defaultByteLimit
  }

  /// A segment that nobody uses any more, to be read anew.
  mutating func takeSpare() -> RowsSegment? {
    guard spare != nil else { return nil }
    defer { spare = nil }
    return isKnownUniquelyReferenced(&spare) ? spare : nil
  }

  /// Keeps rows, and lets go of those that were read first.
  mutating func keep(_ segment: RowsSegment, at index: Int, payloadByteCount: Int, chunkByteCount: Int) {
    // Appending is faster than `repeating`, which looks for the array's metadata each time.
    while rows.count <= index { rows.append(nil) }
    rows[index] = segment
    self.chunkByteCount += chunkByteCount
    guard byteLimit < .max else { return }
    let cost = payloadByteCount + chunkByteCount + Self.entryByteCount
    while oldest < costs.count, byteCount > byteLimit - cost {
      let last = costs[oldest]
      rows[last.index] = nil
      byteCount -= last.byteCount
      self.chunkByteCount -= last.chunkByteCount
      oldest += 1
    }
    if oldest > 64, oldest > costs.count / 2 {
      costs.removeFirst(oldest)
      oldest = 0
    }
    byteCount += cost
    costs.append((index, cost, chunkByteCount))
  }
}
