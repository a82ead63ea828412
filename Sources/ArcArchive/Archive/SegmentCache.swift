import ArcFormat

/// The segments of rows that were read last, as many as fit into `byteLimit`.
struct SegmentCache {
  private static let defaultByteLimit = 32 << 20
  /// Overhead of an entry beside its chunks and its payload.
  private static let entryByteCount = 512

  /// The maximum memory in bytes; the segment that was read last is kept in any case.
  var byteLimit = Self.defaultByteLimit
  /// Bytes of the chunks of the cached segments.
  private(set) var chunkByteCount = 0

  private var rows: [RowsSegment?] = []
  private var costs: [(index: Int, byteCount: Int, chunkByteCount: Int)] = []
  /// The index in `costs` of the oldest cached segment.
  private var oldest = 0
  private var byteCount = 0
  /// A segment of an earlier file whose memory can be reused.
  private var spare: RowsSegment?

  /// The rows of the segment at an index, if they are cached.
  subscript(index: Int) -> RowsSegment? { index < rows.count ? rows[index] : nil }

  /// Forgets the file.
  mutating func removeAll() {
    spare = rows.last ?? spare
    spare?.prepareForReuse()
    rows.truncate(to: 0)
    costs.truncate(to: 0)
    (oldest, byteCount, chunkByteCount) = (0, 0, 0)
    byteLimit = Self.defaultByteLimit
  }

  /// A segment that nothing uses any more, to be read anew; nil if there is none.
  mutating func takeSpare() -> RowsSegment? {
    guard spare != nil else { return nil }
    defer { spare = nil }
    return isKnownUniquelyReferenced(&spare) ? spare : nil
  }

  /// Adds rows, and removes those that were read first.
  mutating func keep(_ segment: RowsSegment, at index: Int, payloadByteCount: Int, chunkByteCount: Int) {
    // Appending is faster than `repeating`, which looks up the array's metadata each time.
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
