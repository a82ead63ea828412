/// The string table of a file of which only recently used segments are loaded.
///
/// Each segment is checked as a whole when it is loaded: its checksum, its lengths, and its number of
/// strings.
package final class StringSegments {
  /// Approximate maximum memory of the loaded segments; the one in use may take more.
  private static let byteLimit = 16 << 20
  /// The maximum memory if the reader goes back and forth between segments, each of which would be loaded for
  /// each mention of a string: then all stay, if they are not more than this.
  private static let largeByteLimit = 256 << 20

  private let segments: [SegmentInfo]
  private let store: ByteStore
  private let limits: ArchiveLimits
  /// Loaded segments, by index in `segments`.
  private var loaded: [Int: StringTable] = [:]
  /// Indices of the loaded segments, the oldest first.
  private var order: [Int] = []
  private var byteCount = 0
  /// The memory of all segments, and of those that were loaded so far, each as often as it was.
  private let totalByteCount: Int
  private var loadedByteCount = 0
  /// The ids in the segment that was asked last, and its table: most strings are in that of the one before.
  private var last: (ids: Range<UInt64>, table: StringTable)?

  /// Makes a table of all `STRS` segments, in order; loads none.
  package init(_ segments: [SegmentInfo], store: ByteStore, limits: ArchiveLimits) {
    self.segments = segments
    self.store = store
    self.limits = limits
    totalByteCount = segments.reduce(0) { $0 &+ Self.cost($1) }
  }

  /// The number of strings in the file, as the index states it.
  package var count: Int { segments.last.map { $0.firstIndex + $0.count } ?? 0 }

  /// The string with an id. Spec: 04-columns, rule X2.
  ///
  /// - Throws: `malformedColumn` if there is none, or what is wrong with its segment or its bytes.
  func string(_ id: UInt64) throws(ArchiveError) -> String {
    let (table, first) = try table(ofString: id)
    return try table.string(id - first)
  }

  /// The bytes of the string with an id, which are not checked; valid until the next string is asked for. Nil
  /// if there is none, or its segment is damaged.
  func bytes(_ id: UInt64) -> ByteView? {
    guard let (table, first) = try? table(ofString: id) else { return nil }
    return table.bytes(id - first)
  }

  /// The table of the segment with a string, and the id of the first string in it.
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

  /// Loads each segment and checks all of its strings. Spec: 04-columns, rules X1 and X3.
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

  /// The table of the segment at an index; unloads the oldest ones to stay within `byteLimit`.
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

  /// Approximate memory of a loaded segment: its payload, two entries for each string, and a constant.
  private static func cost(_ segment: SegmentInfo) -> Int {
    // Cannot overflow: both are below 2^40.
    segment.rawByteCount + 32 * segment.count + 4096
  }
}
