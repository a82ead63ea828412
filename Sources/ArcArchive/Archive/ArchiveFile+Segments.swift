package import ArcFormat
import ArcRuntime

/// Segments of rows and strings, read when they are first used; some are kept.
extension ArchiveFile {
  /// The rows of a segment, checked on first use: for callers that hand out values of them.
  func checkedRows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    let rows = try rows(inSegment: index)
    if !checkedSegments.value.contains(index) {
      try verifyRows(rows)
      checkedSegments.value.insert(index)
    }
    return rows
  }

  /// The cache of rows that were decoded last.
  var decodedRows: ObjectCache {
    if let known = madeDecodedRows { return known }
    let made = ObjectCache()
    madeDecodedRows = made
    return made
  }

  /// The strings of the file, of which segments are loaded as needed.
  private var stringSegments: StringSegments {
    if let known = madeStringSegments { return known }
    let made = StringSegments(segments.filter { $0.kind == .strings }, store: store, limits: limits)
    madeStringSegments = made
    return made
  }

  /// The string table with all strings, which the first call reads.
  ///
  /// - Throws: what is wrong with a segment of strings.
  package func strings() throws(ArchiveError) -> StringTable {
    let table = schema.strings
    if areStringsLoaded { return table }
    // An earlier call may have failed after some segments: all are read again.
    table.removeAll()
    for segment in contents.segments where segment.kind == .strings {
      try table.add(segment, in: store, limits: limits)
    }
    areStringsLoaded = true
    return table
  }

  /// The string table for a caller that needs some of the strings: their segments are loaded as needed.
  func someStrings() -> StringTable {
    if !areStringsLoaded { schema.strings.load(from: stringSegments) }
    return schema.strings
  }

  /// Has segments of strings loaded when one of their strings is needed, for a caller that reads columns.
  package func readStringsWhenNeeded() { _ = someStrings() }

  /// The number of strings that the index states.
  var stringCount: Int { areStringsLoaded ? schema.strings.count : stringSegments.count }

  /// Checks all strings. Spec: 04-columns, rules X1 and X3.
  func verifyStrings() throws(ArchiveError) { try stringSegments.verify() }

  /// Loads all strings and keeps all rows that are read: for a caller that reads everything more than once.
  package func keepEverything() throws(ArchiveError) {
    loadedRows.value.byteLimit = .max
    _ = try strings()
  }

  /// Decompresses several segments of rows in parallel, for a caller that reads them next, from index `first`
  /// in `rowsSegments` on. Errors are left to be found when the segments are read.
  ///
  /// - Returns: the index after the last such segment.
  func inflateRows(from first: Int) -> Int {
    let (segments, rowsSegments) = (segments, rowsSegments)
    let last =
      loadedRows.value.byteLimit == .max
      ? rowsSegments.count : min(first + 2 * Processors.count, rowsSegments.count)
    guard last - first > 1 else { return last }
    let compressed = rowsSegments[first..<last].filter {
      segments[$0].isCompressed && loadedRows.value[$0] == nil
    }
    guard compressed.count > 1 else { return last }
    // A segment that is not inflated here is inflated when its rows are read, which throws the error.
    let payloads = Parallel.map(compressed.count) { try? SegmentPayload(segments[compressed[$0]], in: store) }
    for (index, payload) in zip(compressed, payloads) { inflated.value[index] = payload }
    return last
  }

  /// Releases the memory of a segment of a mapped file, for a caller that goes through all segments.
  func discardPages(ofSegment index: Int) {
    store.discardPages(segments[index].byteOffset..<segments[index].endOffset)
  }

  /// The rows of the segment at an index in `segments`, with their weak columns. Some are cached, all after
  /// `keepEverything`.
  ///
  /// Spec: 04-columns, rule L1; 07-limits, rule A2.
  package func rows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    if let rows = loadedRows.value[index] { return rows }
    let info = segments[index]
    let payload: SegmentPayload
    if !inflated.value.isEmpty, let ready = inflated.value.removeValue(forKey: index) {
      payload = ready
    } else {
      payload = try SegmentPayload(info, in: store)
    }
    var links: SegmentPayload?
    if let segment = contents.weakColumnsByFirstRow[info.firstIndex], segment.count == info.count {
      links = try SegmentPayload(segment, in: store)
    }
    let keptByteCount = loadedRows.value.chunkByteCount
    var chunkByteCount = 0
    let rows = loadedRows.value.takeSpare() ?? RowsSegment()
    try rows.read(payload, links: links, info: info, layouts: layouts, classes: classes) {
      byteCount throws(ArchiveError) in
      chunkByteCount += byteCount
      try ArchiveLimits.check(
        keptByteCount + chunkByteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    if links == nil, rows.needsWeakColumns { throw RowsSegment.noWeakColumns(of: info) }
    loadedRows.value.keep(
      rows, at: index, payloadByteCount: info.isCompressed ? info.rawByteCount : 0,
      chunkByteCount: chunkByteCount)
    return rows
  }
}
