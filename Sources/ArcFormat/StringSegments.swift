/// The string table of a file of which only the segments are loaded that were asked for last.
///
/// Each is checked as a whole when it is loaded: checksum, lengths, and that it has as many strings as the index says.
final class StringSegments {
  /// Memory of the segments that are kept, about; the one in use may take more.
  private static let byteLimit = 16 << 20

  private let segments: [SegmentInfo]
  private let store: ByteStore
  private let limits: Limits
  /// By position in `segments`.
  private var loaded: [Int: StringTable] = [:]
  /// Those that are loaded, the oldest first.
  private var order: [Int] = []
  private var byteCount = 0

  /// `segments` are all of kind `strings`, in order.
  init(_ segments: [SegmentInfo], store: ByteStore, limits: Limits) {
    self.segments = segments
    self.store = store
    self.limits = limits
  }

  /// Strings of the file.
  var count: Int { segments.last.map { $0.first + $0.count } ?? 0 }

  /// The string with number `id`; throws if there is none, its segment is damaged, or its bytes are not UTF-8.
  func string(_ id: UInt64) throws(ArchiveError) -> String {
    guard let id = Int(exactly: id), id < count else {
      throw ArchiveError(.malformedColumn, found: "string \(id)", expected: "below \(count)")
    }
    let position = max(segments.partitioningIndex { $0.first > id } - 1, 0)
    return try table(position).string(UInt64(id - segments[position].first))
  }

  /// Loads each segment for itself and checks all of its strings. Spec: 04-columns, rules X1 and X3.
  func verify() throws(ArchiveError) {
    for position in segments.indices {
      do throws(ArchiveError) {
        let table = try table(position)
        for id in 0..<table.count { try table.checkUTF8(id) }
      } catch {
        throw error.located(byteOffset: segments[position].byteOffset)
      }
    }
  }

  private func table(_ position: Int) throws(ArchiveError) -> StringTable {
    if let table = loaded[position] { return table }
    let table = StringTable()
    try table.add(segments[position], in: store, limits: limits)
    let cost = cost(position)
    while !order.isEmpty, byteCount + cost > Self.byteLimit {
      let oldest = order.removeFirst()
      loaded[oldest] = nil
      byteCount -= self.cost(oldest)
    }
    loaded[position] = table
    order.append(position)
    byteCount += cost
    return table
  }

  /// What a loaded segment takes: its payload, two entries for each string, and something for itself.
  private func cost(_ position: Int) -> Int {
    // Both are below 2^40.
    segments[position].rawByteCount + 32 * segments[position].count + 4096
  }
}
