package import ArcRuntime

/// The segments of a file and their totals, according to its header, trailer and index.
///
/// Spec: 02-container, sections 1, 4 and 5.
package struct ArchiveContents {
  /// The format version of the file.
  package private(set) var version = (major: 0, minor: 0)
  /// The name and the version of the software that wrote the file.
  package private(set) var writer = ""
  /// All segments except the index, in file order.
  package private(set) var segments: [SegmentInfo] = []
  /// The indices of the `ROWS` segments in `segments`, in row order.
  package private(set) var rowsSegments: [Int] = []
  /// The `LINK` segments, which contain weak references. The key is the first row whose weak references the
  /// segment contains.
  package private(set) var weakColumnsByFirstRow = ShortMap<Int, SegmentInfo>()
  /// The number of rows, including row 0 with the roots.
  package private(set) var rowCount = 0
  /// The number of bytes of all segments after decompression.
  package private(set) var rawByteCount = 0
  /// Whether there is a `META` segment.
  package private(set) var hasMetadata = false
  /// Whether there is a segment of a kind that this library does not know.
  private var hasUnknownKinds = false
  /// The index in `segments` of the first segment whose header differs from its index entry. Nil if all
  /// headers agree. The error is thrown later, by `checkSegments`, because other checks precede it.
  private var wrongHeader: Int?
  /// Whether each `LINK` segment is known to belong to a `ROWS` segment.
  private var areLinksChecked = false

  /// Creates contents that do not describe a file yet.
  package init() {}

  /// Describes the segments that were recovered from a damaged file. The numbers of their rows, strings and
  /// classes must not have gaps.
  package init(recovered segments: [SegmentInfo], writer: String) {
    version = (Int(ArchiveHeader.currentMajor), Int(ArchiveHeader.currentMinor))
    self.writer = writer
    self.segments = segments
    sortSegments()
    rowCount = rowsSegments.last.map { segments[$0].firstIndex + segments[$0].count } ?? 0
  }

  /// Reads the header, the trailer and the index of a file. Reuses the memory of the contents of the previous
  /// file.
  ///
  /// Spec: 02-container, rule T1; 07-limits, rule A1.
  package mutating func read(_ store: ByteStore, limits: ArchiveLimits) throws(ArchiveError) {
    let bytes = store.bytes
    let byteCount = bytes.count
    try ArchiveLimits.check(byteCount, within: limits.fileBytes, "fileBytes")
    var reader = ByteReader(bytes, fileOffset: 0)
    let header = try ArchiveHeader(reading: &reader)
    version = (Int(header.major), Int(header.minor))
    guard byteCount >= ArchiveHeader.byteCount + ArchiveTrailer.byteCount else {
      throw ArchiveError(
        .truncated, found: "a file of \(plural(byteCount, "byte"))",
        expected:
          "at least \(ArchiveHeader.byteCount + ArchiveTrailer.byteCount) bytes, for a header and a trailer",
        byteOffset: byteCount)
    }
    let trailerOffset = byteCount - ArchiveTrailer.byteCount
    var end = ByteReader(bytes.suffix(from: trailerOffset), fileOffset: trailerOffset)
    let trailer = try ArchiveTrailer(reading: &end)
    try readIndex(trailer, trailerOffset: trailerOffset, store: store, limits: limits)
    sortSegments()
    try checkRows(trailer, trailerOffset, limits)
  }

  /// Computes the properties that depend on `segments`, such as `rowsSegments`, in one pass.
  private mutating func sortSegments() {
    (hasMetadata, hasUnknownKinds, areLinksChecked) = (false, false, false)
    if weakColumnsByFirstRow.count > 0 { weakColumnsByFirstRow = ShortMap() }
    var count = 0
    for index in segments.indices {
      switch segments[index].kind {
      case .rows:
        rowsSegments.setOrAppend(index, at: count)
        count += 1
      case .classes, .strings, .index: break
      case .metadata: hasMetadata = true
      case .weakColumns: _ = weakColumnsByFirstRow.insert(segments[index], for: segments[index].firstIndex)
      case nil: hasUnknownKinds = true
      }
    }
    rowsSegments.truncate(to: count)
  }

  /// Reads the index, which is directly before the trailer. The index has an entry for each other segment.
  ///
  /// Spec: 02-container, rules I1, T3 and T4; 07-limits, rule A2.
  private mutating func readIndex(
    _ trailer: ArchiveTrailer, trailerOffset: Int, store: ByteStore, limits: ArchiveLimits
  ) throws(ArchiveError) {
    guard let indexOffset = Int(exactly: trailer.indexOffset), indexOffset >= ArchiveHeader.byteCount,
      indexOffset <= trailerOffset - SegmentHeader.wholeByteCount(0)
    else {
      throw ArchiveError(
        .damagedTrailer, found: "a trailer with the index offset \(trailer.indexOffset)",
        expected: "an index offset between the header and the trailer",
        byteOffset: trailerOffset)
    }
    var reader = ByteReader(store.bytes.suffix(from: indexOffset), fileOffset: indexOffset)
    let header = try SegmentHeader(reading: &reader)
    let byteCount = trailerOffset - indexOffset
    guard SegmentInfo.Kind(header: header) == .index, let rawByteCount = Int(exactly: header.rawByteCount),
      let storedByteCount = Int(exactly: header.storedByteCount), storedByteCount <= byteCount,
      SegmentHeader.wholeByteCount(storedByteCount) == byteCount
    else {
      throw ArchiveError(
        .indexMismatch, found: "no index segment at the offset in the trailer",
        expected: "an index segment of \(plural(byteCount, "byte")), up to the trailer",
        byteOffset: indexOffset)
    }
    let info = SegmentInfo(
      code: header.kind, byteOffset: indexOffset, storedByteCount: storedByteCount,
      rawByteCount: rawByteCount,
      isCompressed: header.isCompressed, firstIndex: 0, count: Int(trailer.segmentCount))
    try ArchiveLimits.check(rawByteCount, within: limits.rawBytes, "rawBytes", byteOffset: indexOffset)
    let payload = try SegmentPayload(info, in: store)
    var entries = payload.reader
    writer = try SegmentIndex.read(&entries, into: &segments)
    var total = rawByteCount
    for segment in segments {
      // The sum cannot overflow: the previous total is within the limit, and each entry is below 2^40.
      total += segment.rawByteCount
      try ArchiveLimits.check(total, within: limits.rawBytes, "rawBytes", byteOffset: segment.byteOffset)
    }
    self.rawByteCount = total
    guard segments.count == info.count, (segments.last?.endOffset ?? ArchiveHeader.byteCount) == indexOffset
    else {
      throw ArchiveError(
        .indexMismatch,
        found: "an index of \(plural(segments.count, "segment")) before byte "
          + "\(segments.last?.endOffset ?? ArchiveHeader.byteCount)",
        expected: "\(plural(info.count, "segment")) before byte \(indexOffset)",
        byteOffset: indexOffset)
    }
    var checksum: UInt32 = 0
    wrongHeader = nil
    var border = SegmentBorder.read(at: ArchiveHeader.byteCount, in: store)
    for (position, segment) in segments.enumerated() {
      if wrongHeader == nil, border?.isHeader(of: segment) != true { wrongHeader = position }
      border = SegmentBorder.read(at: segment.endOffset, in: store)
      checksum = Checksum.crc32(of: border?.precedingChecksum ?? 0, seed: checksum)
    }
    guard checksum == trailer.segmentsChecksum else {
      throw ArchiveError(
        .damagedTrailer, found: "a trailer whose checksum does not match the checksums of the segments",
        expected: "the checksum of the checksums of all segments", byteOffset: trailerOffset)
    }
  }

  /// Checks that the index numbers rows, strings and classes without gaps.
  ///
  /// Spec: 02-container, rule I2; 07-limits, rule A3.
  private mutating func checkRows(
    _ trailer: ArchiveTrailer, _ trailerOffset: Int, _ limits: ArchiveLimits
  ) throws(ArchiveError) {
    var (classCount, stringCount, rowCount) = (0, 0, 0)
    for segment in segments {
      guard let kind = segment.kind, kind != .weakColumns, kind != .metadata else { continue }
      let next = kind == .classes ? classCount : kind == .strings ? stringCount : rowCount
      guard kind != .index, kind != .rows || segment.count > 0, segment.firstIndex == next else {
        throw ArchiveError(
          .indexMismatch,
          found:
            "a \(kind.rawValue) segment of \(plural(segment.count, "entry", "entries")), which begins at "
            + "entry \(segment.firstIndex)",
          expected: kind == .index
            ? "a single index, after all other segments"
            : "a segment of at least one entry, which begins at entry \(next)", byteOffset: segment.byteOffset
        )
      }
      switch kind {
      case .classes: classCount = next + segment.count
      case .strings: stringCount = next + segment.count
      default: rowCount = next + segment.count
      }
    }
    guard rowCount > 0, UInt64(rowCount) == trailer.rowCount, rowCount <= Int(UInt32.max) else {
      throw ArchiveError(
        .indexMismatch, found: "an index whose segments have \(plural(rowCount, "row"))",
        expected: 1...UInt64(UInt32.max) ~= trailer.rowCount
          ? "a row count of \(trailer.rowCount), as in the trailer"
          : "a row count in the trailer from 1 to 2^32 - 1, not \(trailer.rowCount)",
        byteOffset: trailerOffset)
    }
    try ArchiveLimits.check(rowCount, within: limits.rows, "rows")
    self.rowCount = rowCount
  }

  /// Checks the headers of all segments, and each segment of an unknown kind with its content. A segment of
  /// an unknown kind must permit readers to ignore it.
  ///
  /// This function treats a chunk directory as a segment of an unknown kind. `verifyDirectory` checks its
  /// contents. Spec: 05-graph, section 4, steps 4 and 5.
  package func checkSegments(in store: ByteStore) throws(ArchiveError) {
    if hasMetadata { try checkMetadataCount() }
    if let wrongHeader { try SegmentPayload.checkHeader(segments[wrongHeader], in: store) }
    guard hasUnknownKinds else { return }
    for segment in segments where segment.kind == nil { _ = try SegmentPayload(segment, in: store) }
  }

  /// Checks that there is at most one `META` segment. Spec: 02-container, rule D2.
  private func checkMetadataCount() throws(ArchiveError) {
    var count = 0
    for segment in segments where segment.kind == .metadata {
      count += 1
      guard count == 1, segment.firstIndex == 0 else {
        throw ArchiveError(
          .malformedSegment,
          found: "META segment number \(count), which begins at entry \(segment.firstIndex)",
          expected: "at most one META segment, which begins at entry 0", byteOffset: segment.byteOffset)
      }
    }
  }

  /// Returns the `LINK` segment with the weak columns of a `ROWS` segment. Nil if the file has none.
  ///
  /// - Throws: `malformedSegment` if some `LINK` segment belongs to no `ROWS` segment. Only the first call
  ///   checks this. Spec: 04-columns, rule L1.
  package mutating func weakColumns(of rows: SegmentInfo) throws(ArchiveError) -> SegmentInfo? {
    if weakColumnsByFirstRow.count == 0 { return nil }
    if !areLinksChecked {
      try checkLinks()
      areLinksChecked = true
    }
    guard let links = weakColumnsByFirstRow[rows.firstIndex], links.count == rows.count else { return nil }
    return links
  }

  /// Checks that each `LINK` segment belongs to a `ROWS` segment, and that no `ROWS` segment has several
  /// `LINK` segments. Spec: 04-columns, rule L1.
  private func checkLinks() throws(ArchiveError) {
    var open = Set(rowsSegments.map { [segments[$0].firstIndex, segments[$0].count] })
    for segment in segments where segment.kind == .weakColumns {
      guard open.remove([segment.firstIndex, segment.count]) != nil else {
        throw ArchiveError(
          .malformedSegment,
          found: "a LINK segment for \(plural(segment.count, "row")) from row \(segment.firstIndex) on",
          expected:
            "at most one LINK segment for each ROWS segment, for exactly the rows of the ROWS segment",
          byteOffset: segment.byteOffset)
      }
    }
  }
}

extension Array {
  /// Replaces the element at `index`, or appends an element if `index` is `count`. A caller can thus fill an
  /// array again without allocating memory.
  @inlinable package mutating func setOrAppend(_ element: Element, at index: Int) {
    if index < count { self[index] = element } else { append(element) }
  }

  /// Removes all elements after the first `count` elements.
  @inlinable package mutating func truncate(to count: Int) {
    while self.count > count { removeLast() }
  }
}
