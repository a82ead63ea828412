package import ArcFormat
import ArcRuntime

/// Reads segments of rows and strings. A segment is read when it is first used, and some segments stay in
/// memory.
extension ArchiveFile {
  /// Returns the rows of a segment. The first call checks the rows. Used by callers that return values of the
  /// rows to the user.
  func checkedRows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    let rows = try rows(inSegment: index)
    if !checkedSegments.value.contains(index) {
      try verifyRows(rows)
      checkedSegments.value.insert(index)
    }
    return rows
  }

  /// The cache of the rows that were decoded last.
  var decodedRows: ObjectCache {
    if let known = cachedDecodedRows { return known }
    let new = ObjectCache()
    cachedDecodedRows = new
    return new
  }

  /// The strings of the file. A segment of strings is loaded when one of its strings is needed.
  private var stringSegments: StringSegments {
    if let known = cachedStringSegments { return known }
    let new = StringSegments(segments.filter { $0.kind == .strings }, store: store, limits: limits)
    cachedStringSegments = new
    return new
  }

  /// Returns the string table with all strings. The first call reads the strings.
  ///
  /// - Throws: the code of the damage if a segment of strings is damaged.
  package func strings() throws(ArchiveError) -> StringTable {
    let table = schema.strings
    if areStringsLoaded { return table }
    // An earlier call may have failed after some segments, so all segments are read again.
    table.removeAll()
    for segment in contents.segments where segment.kind == .strings {
      try table.add(segment, in: store, limits: limits)
    }
    areStringsLoaded = true
    return table
  }

  /// Returns the string table for a caller that needs only some of the strings. A segment of strings is
  /// loaded when one of its strings is needed.
  func someStrings() -> StringTable {
    if !areStringsLoaded { schema.strings.load(from: stringSegments) }
    return schema.strings
  }

  /// Prepares the string table for a caller that reads columns: a segment of strings is loaded when one of
  /// its strings is needed.
  package func loadStringsWhenNeeded() { _ = someStrings() }

  /// The number of strings according to the index.
  var stringCount: Int { areStringsLoaded ? schema.strings.count : stringSegments.count }

  /// Checks all strings. Spec: 04-columns, rules X1 and X3.
  func verifyStrings() throws(ArchiveError) { try stringSegments.verify() }

  /// Prepares the file for a caller that reads all of it more than once: loads all strings, and makes the
  /// cache retain all rows that are read.
  package func cacheEverything() throws(ArchiveError) {
    loadedRows.value.byteLimit = .max
    _ = try strings()
  }

  /// Decompresses several segments of rows in parallel, for a caller that reads them next.
  ///
  /// If a segment cannot be decompressed, the error is thrown later, when the rows of the segment are read.
  ///
  /// - Parameter first: the index in `rowsSegments` of the first segment.
  /// - Returns: the index in `rowsSegments` after the last decompressed segment.
  func inflateRows(from first: Int) -> Int {
    let count = contents.rowsSegments.count
    guard count - first > 1 else { return count }
    let last = loadedRows.value.byteLimit == .max ? count : min(first + 2 * Processors.count, count)
    guard last - first > 1 else { return last }
    let (segments, rowsSegments) = (segments, rowsSegments)
    let compressed = rowsSegments[first..<last].filter {
      segments[$0].isCompressed && loadedRows.value[$0] == nil
    }
    guard compressed.count > 1 else { return last }
    // Nil for an error: reading the rows decompresses the segment again, and throws the error.
    let payloads = Parallel.map(compressed.count) { try? SegmentPayload(segments[compressed[$0]], in: store) }
    for (index, payload) in zip(compressed, payloads) { inflated.value[index] = payload }
    return last
  }

  /// Releases the memory of a segment of a mapped file, for a caller that reads all segments once.
  func discardPages(ofSegment index: Int) {
    store.discardPages(segments[index].byteOffset..<segments[index].endOffset)
  }

  /// Returns the rows of the segment at an index in `segments`, with their weak columns. The rows may come
  /// from a cache, which contains all rows after `cacheEverything`.
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
    if let segment = try weakColumns(of: info) {
      links = try SegmentPayload(segment, in: store)
    }
    let cachedByteCount = loadedRows.value.chunkByteCount
    var chunkByteCount = 0
    let rows = loadedRows.value.takeSpare() ?? RowsSegment()
    try rows.read(payload, links: links, info: info, layouts: layouts, classes: classes) {
      byteCount throws(ArchiveError) in
      chunkByteCount += byteCount
      try ArchiveLimits.check(
        cachedByteCount + chunkByteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    if links == nil, rows.needsWeakColumns { throw RowsSegment.noWeakColumns(of: info) }
    loadedRows.value.insert(
      rows, at: index, payloadByteCount: info.isCompressed ? info.rawByteCount : 0,
      chunkByteCount: chunkByteCount)
    return rows
  }
}
