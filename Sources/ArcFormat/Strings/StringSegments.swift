/// The string table of a file. Only recently used segments are in memory.
///
/// Each segment is checked as a whole when it is loaded: its checksum, the lengths, and the number of
/// strings.
package final class StringSegments {
  /// The approximate maximum memory, in bytes, of the loaded segments. A requested segment is loaded even if
  /// it alone needs more.
  private static let byteLimit = 16 << 20
  /// The maximum of `totalByteCount` at which Arc stops unloading segments if a reader alternates between
  /// segments. Without this rule, each string could load a segment again.
  private static let largeByteLimit = 256 << 20

  private let segments: [SegmentInfo]
  private let store: ByteStore
  private let limits: ArchiveLimits
  /// The loaded segments, by index in `segments`.
  private var loaded: [Int: StringTable] = [:]
  /// The indices of the loaded segments, in the order in which they were loaded.
  private var order: [Int] = []
  private var byteCount = 0
  /// The approximate memory, in bytes, that all segments would need if they were loaded.
  private let totalByteCount: Int
  private var loadedByteCount = 0
  /// The ids of the strings in the segment that was used last, and the table of this segment. Most strings
  /// are in the same segment as the string that was requested before.
  private var last: (ids: Range<UInt64>, table: StringTable)?

  /// Creates a table from all `STRS` segments, in order. Does not load a segment.
  package init(_ segments: [SegmentInfo], store: ByteStore, limits: ArchiveLimits) {
    self.segments = segments
    self.store = store
    self.limits = limits
    totalByteCount = segments.reduce(0) { $0 &+ Self.cost($1) }
  }

  /// The number of strings in the file, according to the index.
  package var count: Int { segments.last.map { $0.firstIndex + $0.count } ?? 0 }

  /// Returns the string with an id. Spec: 04-columns, rule X2.
  ///
  /// - Throws: `malformedColumn` if there is no such string, or the error of the string's segment or bytes.
  func string(_ id: UInt64) throws(ArchiveError) -> String {
    let (table, first) = try table(ofString: id)
    return try table.string(id - first)
  }

  /// Returns the bytes of the string with an id, without checking them. They are valid until the next string
  /// is requested. Nil if there is no such string, or if its segment is damaged.
  func bytes(_ id: UInt64) -> ByteView? {
    guard let (table, first) = try? table(ofString: id) else { return nil }
    return table.bytes(id - first)
  }

  /// Returns the table of the segment that contains a string, and the id of the segment's first string.
  private func table(ofString id: UInt64) throws(ArchiveError) -> (table: StringTable, first: UInt64) {
    if let last, last.ids.contains(id) { return (last.table, last.ids.lowerBound) }
    guard let index = Int(exactly: id), index < count else {
      throw ArchiveError(
        .malformedColumn, found: "string number \(id)", expected: "a string number below \(count)")
    }
    let position = max(segments.partitioningIndex { $0.firstIndex > index } - 1, 0)
    let (first, table) = (UInt64(segments[position].firstIndex), try table(position))
    last = (first..<first + UInt64(table.count), table)
    return (table, first)
  }

  /// Loads each segment and checks all its strings. Spec: 04-columns, rules X1 and X3.
  package func verify() throws(ArchiveError) {
    for position in segments.indices {
      do throws(ArchiveError) {
        let table = try table(position)
        for id in 0..<table.count { try table.checkUTF8(id) }
      } catch {
        throw error.located(byteOffset: segments[position].byteOffset)
      }
    }
  }

  /// Returns the table of the segment at an index. Loads the segment if necessary, and unloads the oldest
  /// segments to stay within `byteLimit`.
  private func table(_ position: Int) throws(ArchiveError) -> StringTable {
    if let table = loaded[position] { return table }
    let table = StringTable()
    try table.add(segments[position], in: store, limits: limits)
    let cost = Self.cost(segments[position])
    loadedByteCount &+= cost
    let isThrashing = loadedByteCount / 4 > totalByteCount && totalByteCount <= Self.largeByteLimit
    while !order.isEmpty, !isThrashing, byteCount + cost > Self.byteLimit {
      let oldest = order.removeFirst()
      loaded[oldest] = nil
      last = nil
      byteCount -= Self.cost(segments[oldest])
    }
    loaded[position] = table
    order.append(position)
    byteCount += cost
    return table
  }

  /// Returns the approximate memory, in bytes, of a loaded segment: its payload, two table entries per
  /// string, and a constant.
  private static func cost(_ segment: SegmentInfo) -> Int {
    // The sum cannot overflow, because both numbers are below 2^40.
    segment.rawByteCount + 32 * segment.count + 4096
  }
}
