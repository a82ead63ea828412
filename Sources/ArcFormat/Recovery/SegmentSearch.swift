/// Finds the segments of a file that may be damaged anywhere.
///
/// With an index, each other segment is looked for where the index says, relative to the start of the file
/// and to the index itself, so that bytes inserted or missing at one point do no harm. Without one, segments
/// are read from the start up to the first that is damaged: what follows it has lost its numbers.
///
/// - Complexity: O(*n*) in the number of bytes.
package struct SegmentSearch {
  /// A segment that the file has or had.
  package struct Entry {
    /// Where the segment is.
    package var info: SegmentInfo
    /// Whether the bytes of the segment are those that were written.
    package var isIntact: Bool
  }

  /// The segments that the index lists, or those before the first that is damaged.
  package private(set) var entries: [Entry] = []
  /// What wrote the file, as the index states it; empty without an index.
  package private(set) var writer = ""
  /// Whether an intact index was found.
  package private(set) var hasIndex = false
  /// Without an index, the offset of the first byte that could not be read.
  package private(set) var endOffset = 0
  /// Without an index, the segment of rows that the end of the file cuts, without its numbers.
  package private(set) var cutRows: SegmentInfo?
  /// Without an index, the segment of strings that the end of the file cuts, with the number of its first.
  private(set) var cutStrings: SegmentInfo?

  private let store: ByteStore
  private let limits: ArchiveLimits
  /// How many bytes may still be read while looking for the index.
  private var budget: Int

  /// Searches a file.
  ///
  /// - Throws: `unsupportedVersion` or `unsupportedFeature` if the header is intact and its version cannot be
  ///   read.
  package init(_ store: ByteStore, limits: ArchiveLimits) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    budget = 4 * store.bytes.count + 4096
    try checkVersion()
    let isFirstIntact = segment(at: ArchiveHeader.byteCount) != nil
    for offset in indexOffsets() {
      guard let (writer, infos) = readIndex(at: offset) else { continue }
      let entries = locate(infos, indexOffset: offset)
      // The index of an archive that is embedded in this one lists other segments.
      let isAtStart =
        entries.first.map { $0.isIntact && $0.info.byteOffset == ArchiveHeader.byteCount } ?? false
      guard isAtStart || !isFirstIntact else { continue }
      (self.entries, self.writer, hasIndex) = (entries, writer, true)
      return
    }
    try readInOrder()
  }

  /// Throws if the header is intact and of a version that cannot be read; a damaged one tells nothing.
  private func checkVersion() throws(ArchiveError) {
    var reader = ByteReader(store.bytes, fileOffset: 0)
    do throws(ArchiveError) {
      _ = try ArchiveHeader(reading: &reader)
    } catch {
      if error.code == .unsupportedVersion || error.code == .unsupportedFeature { throw error }
    }
  }

  /// The segment at an offset if it is intact; the numbers of its contents are not known.
  private func segment(at offset: Int) -> SegmentInfo? {
    let bytes = store.bytes
    guard offset >= 0, offset <= bytes.count else { return nil }
    var reader = ByteReader(bytes.suffix(from: offset), fileOffset: offset)
    // Bytes that cannot be read are not a segment. The same holds for all functions of the search.
    guard let header = try? SegmentHeader(reading: &reader), SegmentInfo.Kind(header: header) != nil,
      let stored = Int(exactly: header.storedByteCount), let raw = Int(exactly: header.rawByteCount),
      stored <= reader.remaining, raw <= limits.rawBytes
    else { return nil }
    let info = SegmentInfo(
      code: header.kind, byteOffset: offset, storedByteCount: stored, rawByteCount: raw,
      isCompressed: header.isCompressed, firstIndex: 0, count: 0)
    return (try? SegmentPayload(info, in: store)) == nil ? nil : info
  }

  // MARK: With an index

  /// The offsets at which an index may begin: that in the trailer, then wherever the kind's bytes are, from
  /// the end of the file on.
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
    // Enough, since segments are not so close together.
    for offset in stride(from: bytes.count - 4, through: 0, by: -1) where offsets.count < 1000 {
      if bytes.integer(at: offset) == code { offsets.append(offset) }
    }
    return offsets
  }

  /// Reads an index whose numbers have no gaps and claim no more than segments can contain.
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

  /// Each segment at its offset from the start of the file or relative to the index; damaged if it is at
  /// neither.
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

  /// Reads intact segments in order up to the first that is damaged.
  private mutating func readInOrder() throws(ArchiveError) {
    var offset = ArchiveHeader.byteCount
    var next: [SegmentInfo.Kind: Int] = [:]
    while let info = segment(at: offset), let kind = info.kind, kind != .index {
      guard let count = try? count(info) else { break }
      let numbered = info.numbered(first: next[kind, default: 0], count: count)
      let sum = next[kind, default: 0].addingReportingOverflow(count)
      guard !sum.overflow, sum.partialValue < 1 << 40 else { break }
      next[kind] = sum.partialValue
      entries.append(Entry(info: numbered, isIntact: true))
      offset = info.endOffset
    }
    endOffset = min(offset, store.bytes.count)
    guard let cut = cutSegment(at: endOffset), let kind = cut.kind else { return }
    let numbered = cut.numbered(first: next[kind, default: 0], count: 0)
    if kind == .rows { cutRows = numbered }
    if kind == .strings { cutStrings = numbered }
  }

  /// The segment at an offset if the file ends inside of it.
  private func cutSegment(at offset: Int) -> SegmentInfo? {
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

  /// The number of classes, strings or rows that a segment states it adds; 0 for other kinds.
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
