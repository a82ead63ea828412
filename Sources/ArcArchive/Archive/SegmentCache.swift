import ArcFormat

/// The segments of rows that were read last, as many as fit in `byteLimit`.
struct SegmentCache {
  private static let defaultByteLimit = 32 << 20
  /// The overhead of an entry in bytes, without the chunks and the payload.
  private static let entryByteCount = 512

  /// The maximum memory in bytes. The segment that was read last stays in the cache even if it is larger.
  var byteLimit = Self.defaultByteLimit
  /// The number of bytes of the chunks of all cached segments.
  private(set) var chunkByteCount = 0

  private var rows: [RowsSegment?] = []
  private var costs: [(index: Int, byteCount: Int, chunkByteCount: Int)] = []
  /// The index in `costs` of the oldest cached segment.
  private var oldest = 0
  private var byteCount = 0
  /// A segment of an earlier file, whose memory can be reused. Nil if there is none.
  private var spare: RowsSegment?

  /// The rows of the segment at an index. Nil if they are not cached.
  subscript(index: Int) -> RowsSegment? { index < rows.count ? rows[index] : nil }

  /// Removes all segments, and saves one of them for reuse.
  mutating func removeAll() {
    spare = rows.last ?? spare
    spare?.prepareForReuse()
    rows.truncate(to: 0)
    costs.truncate(to: 0)
    (oldest, byteCount, chunkByteCount) = (0, 0, 0)
    byteLimit = Self.defaultByteLimit
  }

  /// Removes and returns the spare segment, so that the caller can reuse its memory. Nil if there is none, or
  /// if another object still uses the segment.
  mutating func takeSpare() -> RowsSegment? {
    guard spare != nil else { return nil }
    defer { spare = nil }
    return isKnownUniquelyReferenced(&spare) ? spare : nil
  }

  /// Adds the rows of a segment. Then removes the segments that were read first, until the cache fits in
  /// `byteLimit`.
  mutating func insert(_ segment: RowsSegment, at index: Int, payloadByteCount: Int, chunkByteCount: Int) {
    // Appending is faster than `Array(repeating:count:)`, which looks up the metadata of the array each time.
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
