/// Finds the intact segments of a file. Any part of the file may be damaged.
///
/// If an index is found, the search computes the offset of each segment from the sizes in the index. It
/// counts the offsets from the start of the file, and also back from the index. So bytes that were inserted
/// or removed in one part of the file do not affect the segments in other parts. If no index is found,
/// segments are read from the start to the first damaged segment, because the numbers of the rows, strings
/// and classes in later segments are unknown.
///
/// - Complexity: O(*n*) in the number of bytes.
package struct SegmentSearch {
  /// A segment that the file contains, or contained before it was damaged.
  package struct Entry {
    /// The location of the segment, and the numbers of its rows, strings or classes.
    package var info: SegmentInfo
    /// Whether the segment is undamaged, according to its checksum.
    package var isIntact: Bool
  }

  /// The segments in the index. If no index was found, the segments before the first damaged segment.
  package private(set) var entries: [Entry] = []
  /// The name of the software that wrote the file, according to the index. Empty if no index was found.
  package private(set) var writer = ""
  /// Whether an intact index was found.
  package private(set) var hasIndex = false
  /// The offset of the first byte that could not be read. Set only if no index was found.
  package private(set) var endOffset = 0
  /// The segment of rows that is truncated at the end of the file. Its row count is unknown. Set only if no
  /// index was found.
  package private(set) var truncatedRows: SegmentInfo?
  /// The segment of strings that is truncated at the end of the file, with the number of its first string.
  /// Set only if no index was found.
  private(set) var truncatedStrings: SegmentInfo?

  private let store: ByteStore
  private let limits: ArchiveLimits
  /// The number of bytes that may still be read in the search for the index.
  private var budget: Int

  /// Searches a file.
  ///
  /// - Throws: `unsupportedVersion` or `unsupportedFeature` if the header is intact, but this version of Arc
  ///   cannot read the file.
  package init(_ store: ByteStore, limits: ArchiveLimits) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    budget = 4 * store.bytes.count + 4096
    try checkVersion()
    let isFirstIntact = segment(at: ArchiveHeader.byteCount) != nil
    for offset in indexOffsets() {
      guard let (writer, infos) = readIndex(at: offset) else { continue }
      let entries = locate(infos, indexOffset: offset)
      // The index of an archive that is embedded in this archive lists other segments.
      let isAtStart =
        entries.first.map { $0.isIntact && $0.info.byteOffset == ArchiveHeader.byteCount } ?? false
      guard isAtStart || !isFirstIntact else { continue }
      (self.entries, self.writer, hasIndex) = (entries, writer, true)
      return
    }
    try readInOrder()
  }

  /// Throws an error if the header is intact and its version is unsupported. The version in a damaged header
  /// is ignored.
  private func checkVersion() throws(ArchiveError) {
    var reader = ByteReader(store.bytes, fileOffset: 0)
    do throws(ArchiveError) {
      _ = try ArchiveHeader(reading: &reader)
    } catch {
      if error.code == .unsupportedVersion || error.code == .unsupportedFeature { throw error }
    }
  }

  /// Returns the segment at an offset. Nil if it is not intact. The numbers of its contents are not known
  /// yet.
  private func segment(at offset: Int) -> SegmentInfo? {
    let bytes = store.bytes
    guard offset >= 0, offset <= bytes.count else { return nil }
    var reader = ByteReader(bytes.suffix(from: offset), fileOffset: offset)
    // Bytes that cannot be read are not a segment. This also applies to the other functions of the search.
    // The checksum shows that bytes of an unknown kind are a segment, if a reader may ignore the kind.
    guard let header = try? SegmentHeader(reading: &reader),
      let stored = Int(exactly: header.storedByteCount), let raw = Int(exactly: header.rawByteCount),
      stored <= reader.remaining, raw <= limits.rawBytes
    else { return nil }
    let info = SegmentInfo(
      code: header.kind, byteOffset: offset, storedByteCount: stored, rawByteCount: raw,
      isCompressed: header.isCompressed, firstIndex: 0, count: 0)
    return (try? SegmentPayload(info, in: store)) == nil ? nil : info
  }

  // MARK: With an index

  /// Returns the offsets at which an index may begin: first the offset in the trailer, then each offset with
  /// the four bytes that name an index, from the end of the file to its start.
  private func indexOffsets() -> some Sequence<Int> {
    let bytes = store.bytes
    var offsets: [Int] = []
    let start = bytes.count - ArchiveTrailer.byteCount
    if start >= 0 {
      var reader = ByteReader(bytes.suffix(from: start), fileOffset: start)
      if let trailer = try? ArchiveTrailer(reading: &reader), let offset = Int(exactly: trailer.indexOffset) {
        offsets.append(offset)
      }
    }
    let code = SegmentInfo.Kind.index.code.rawValue
    // The limit is sufficient, because segments are not so close to each other.
    for offset in stride(from: bytes.count - 4, through: 0, by: -1) where offsets.count < 1000 {
      if bytes.integer(at: offset) == code { offsets.append(offset) }
    }
    return offsets
  }

  /// Reads an index. Returns nil if its numbers have gaps, or if its counts are impossible for the sizes of
  /// the segments.
  private mutating func readIndex(at offset: Int) -> (writer: String, [SegmentInfo])? {
    let bytes = store.bytes
    guard offset >= 0, bytes.count - offset >= SegmentHeader.byteCount else { return nil }
    var header = ByteReader(bytes.suffix(from: offset), fileOffset: offset)
    guard let header = try? SegmentHeader(reading: &header), SegmentInfo.Kind(header: header) == .index,
      header.storedByteCount <= UInt64(max(budget, 0))
    else { return nil }
    budget -= Int(header.storedByteCount)
    guard let info = segment(at: offset), let payload = try? SegmentPayload(info, in: store) else {
      return nil
    }
    var reader = payload.reader
    var infos: [SegmentInfo] = []
    guard let writer = try? SegmentIndex.read(&reader, into: &infos) else { return nil }
    var next: [SegmentInfo.Kind: Int] = [:]
    for info in infos {
      guard let kind = info.kind, [.classes, .strings, .rows].contains(kind) else { continue }
      guard info.firstIndex == next[kind, default: 0], kind != .rows || info.count > 0,
        kind != .strings || info.count <= info.rawByteCount
      else { return nil }
      next[kind] = info.firstIndex + info.count
    }
    guard let rowCount = next[.rows], rowCount <= Int(UInt32.max) else { return nil }
    return (writer, infos)
  }

  /// Locates each segment. Tries two offsets: the offset from the start of the file, and the offset relative
  /// to the index. If no intact segment is at either offset, the segment is damaged.
  private func locate(_ infos: [SegmentInfo], indexOffset: Int) -> [Entry] {
    let shift = indexOffset - (infos.last?.endOffset ?? ArchiveHeader.byteCount)
    return infos.map { info in
      for offset in shift == 0 ? [info.byteOffset] : [info.byteOffset, info.byteOffset + shift]
      where offset >= 0 {
        let moved = info.moved(to: offset)
        if info.rawByteCount <= limits.rawBytes, (try? SegmentPayload(moved, in: store)) != nil {
          return Entry(info: moved, isIntact: true)
        }
      }
      return Entry(info: info, isIntact: false)
    }
  }

  // MARK: Without an index

  /// Reads intact segments in order, up to the first damaged segment.
  private mutating func readInOrder() throws(ArchiveError) {
    var offset = ArchiveHeader.byteCount
    var next: [SegmentInfo.Kind: Int] = [:]
    while let info = segment(at: offset), info.kind != .index {
      guard let kind = info.kind else {
        entries.append(Entry(info: info, isIntact: true))
        offset = info.endOffset
        continue
      }
      guard let count = try? count(info) else { break }
      let numbered = info.numbered(first: next[kind, default: 0], count: count)
      let sum = next[kind, default: 0].addingReportingOverflow(count)
      guard !sum.overflow, sum.partialValue < 1 << 40 else { break }
      next[kind] = sum.partialValue
      entries.append(Entry(info: numbered, isIntact: true))
      offset = info.endOffset
    }
    endOffset = min(offset, store.bytes.count)
    guard let truncated = truncatedSegment(at: endOffset), let kind = truncated.kind else { return }
    let numbered = truncated.numbered(first: next[kind, default: 0], count: 0)
    if kind == .rows { truncatedRows = numbered }
    if kind == .strings { truncatedStrings = numbered }
  }

  /// Returns the segment at an offset if the segment is truncated at the end of the file. Otherwise returns
  /// nil.
  private func truncatedSegment(at offset: Int) -> SegmentInfo? {
    let bytes = store.bytes
    var reader = ByteReader(bytes.suffix(from: offset), fileOffset: offset)
    guard let header = try? SegmentHeader(reading: &reader),
      let stored = Int(exactly: header.storedByteCount),
      let raw = Int(exactly: header.rawByteCount), raw <= limits.rawBytes, stored < 1 << 40,
      SegmentHeader.wholeByteCount(stored) > bytes.count - offset
    else { return nil }
    return SegmentInfo(
      code: header.kind, byteOffset: offset, storedByteCount: stored, rawByteCount: raw,
      isCompressed: header.isCompressed, firstIndex: 0, count: 0)
  }

  /// Returns the number of classes, strings or rows in a segment, according to its payload. Returns 0 for
  /// other kinds of segments.
  private func count(_ info: SegmentInfo) throws(ArchiveError) -> Int {
    let payload = try SegmentPayload(info, in: store)
    var reader = payload.reader
    switch info.kind {
    case .strings: return try reader.count(itemBytes: 1)
    case .rows:
      var rowCount = 0
      for _ in 0..<(try reader.count(itemBytes: 2)) {
        _ = try reader.varint()
        let sum = rowCount.addingReportingOverflow(try reader.count(itemBytes: 0))
        guard !sum.overflow else {
          throw ArchiveError(
            .malformedSegment, found: "runs whose row counts have a sum of more than 2^63",
            expected: "runs with fewer than 2^32 rows in total")
        }
        rowCount = sum.partialValue
      }
      return rowCount
    default: return 0
    }
  }
}
