import ArcRuntime

/// The intact segments of a damaged file, and substitutes for lost segments. All segments have the original
/// numbers of their rows, strings and classes, so that a reader of undamaged files can read them.
package struct RecoveredSegments: ~Copyable {
  /// The segments of the class table that precede the first lost segment. Later segments cannot be used,
  /// because they might add columns to columns that are lost.
  package private(set) var classes: [SegmentInfo] = []
  /// The segment of metadata. Nil if it is not intact.
  package private(set) var metadata: SegmentInfo?
  /// The number of weak references that are lost because their `LINK` segments are damaged.
  package private(set) var lostWeakCount = 0
  /// The indices of the intact segments of rows among the segments that `file(_:)` returns.
  package private(set) var rowsPositions: [Int] = []
  /// The segment of rows that is truncated at the end of the file, and its recovered rows. Nil if the file
  /// has no such segment.
  package private(set) var truncated: (info: SegmentInfo, rows: TruncatedRows)?
  /// The number of lost strings in the segment of strings that is truncated at the end of the file.
  package private(set) var lostStringCount = 0

  private let search: SegmentSearch
  private let limits: ArchiveLimits
  /// The substitute segments. They are stored after the bytes of the file.
  private var added = ByteWriter()

  /// Chooses the segments to recover, among the segments that a search found.
  package init(_ search: SegmentSearch, limits: ArchiveLimits) {
    self.search = search
    self.limits = limits
    for entry in search.entries where entry.info.kind == .classes {
      guard entry.isIntact else { break }
      classes.append(entry.info)
    }
    metadata = search.entries.first { $0.info.kind == .metadata && $0.isIntact }?.info
  }

  /// Builds a file from the recovered segments. Returns its segments and its bytes. The caller must not read
  /// the rows of lost segments.
  package mutating func file(
    _ bytes: [UInt8]
  ) throws(ArchiveError) -> (segments: [SegmentInfo], store: ByteStore) {
    let start = SegmentHeader.alignedByteCount(bytes.count)
    var segments = try numbered(classes, in: bytes)
    let original = ByteStore(copying: bytes)
    let schema = try FileSchema(reading: segments, in: original, limits: limits)
    var links = search.entries.filter { $0.info.kind == .weakColumns && $0.isIntact }.map(\.info)
    if !search.hasIndex { links.reverse() }
    let weakColumnsByFirstRow = Dictionary(
      links.map { ($0.firstIndex, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in search.entries {
      switch (entry.info.kind, entry.isIntact) {
      case (.strings, true): segments.append(entry.info)
      case (.strings, false): segments.append(try lostStrings(entry.info, start))
      case (.rows, true):
        rowsPositions.append(segments.count)
        segments.append(entry.info)
        guard let counts = weakCounts(entry.info, in: original, schema), !counts.isEmpty else { continue }
        if search.hasIndex, let known = weakColumnsByFirstRow[entry.info.firstIndex],
          known.count == entry.info.count
        {
          segments.append(known)
        } else if !search.hasIndex, let next = links.popLast() {
          segments.append(next.numbered(first: entry.info.firstIndex, count: entry.info.count))
        } else {
          segments.append(lostLinks(entry.info, counts, start))
        }
      case (.rows, false): segments.append(entry.info)
      default: break
      }
    }
    if let info = search.truncatedStrings, let strings = truncatedStrings(info, in: bytes, start) {
      segments.append(strings)
    }
    if let (info, rows) = truncatedRows(in: bytes, schema.layouts) {
      let whole = add(.rows, start, first: info.firstIndex, count: rows.rowCount) { $0.append(rows.payload) }
      truncated = (whole, rows)
      rowsPositions.append(segments.count)
      segments.append(whole)
      if let counts = weakCounts(whole, in: store(bytes, start), schema), !counts.isEmpty {
        segments.append(lostLinks(whole, counts, start))
      }
    }
    // A reference to a row that is in no segment must refer to a lost row, not to a row after the last row.
    let rowCount = segments.last { $0.kind == .rows }.map { $0.firstIndex + $0.count } ?? 0
    segments.append(
      SegmentInfo(
        code: SegmentInfo.Kind.rows.code, byteOffset: bytes.count, storedByteCount: 0, rawByteCount: 0,
        isCompressed: false, firstIndex: rowCount, count: Int(UInt32.max) - rowCount))
    return (segments, store(bytes, start))
  }

  /// Returns the bytes of the file, followed by the added segments.
  private func store(_ bytes: [UInt8], _ start: Int) -> ByteStore {
    ByteStore(copying: bytes + [UInt8](repeating: 0, count: start - bytes.count) + added.bytes)
  }

  /// Returns the segment of rows that is truncated at the end of the file, and its recovered rows. Nil if no
  /// rows can be recovered.
  private func truncatedRows(in bytes: [UInt8], _ layouts: [ColumnLayout]) -> (
    info: SegmentInfo, rows: TruncatedRows
  )? {
    guard let info = search.truncatedRows else { return nil }
    return TruncatedRows(beginning(of: info, in: bytes), layouts: layouts, limits: limits).map { (info, $0) }
  }

  /// Returns the existing part of the payload of a segment that is truncated at the end of the file.
  private func beginning(of info: SegmentInfo, in bytes: [UInt8]) -> [UInt8] {
    let start = min(info.byteOffset + SegmentHeader.byteCount, bytes.count)
    return bytes.withByteView { view -> [UInt8] in
      let stored = view[start..<min(start + info.storedByteCount, view.count)]
      guard info.isCompressed else { return Array(stored) }
      return Deflate.decompressBeginning(of: stored, rawByteCount: info.rawByteCount)
    }
  }

  /// Adds a segment with the complete strings of the truncated segment at the end of the file. Returns the
  /// added segment. Nil if there are no complete strings.
  private mutating func truncatedStrings(_ info: SegmentInfo, in bytes: [UInt8], _ start: Int) -> SegmentInfo?
  {
    let payload = beginning(of: info, in: bytes)
    let (strings, count) = payload.withByteView { view in
      StringsSegment.beginning(view).map { ($0.strings.map { Array($0) }, $0.count) } ?? ([], 0)
    }
    lostStringCount = count - strings.count
    guard !strings.isEmpty else { return nil }
    return add(.strings, start, first: info.firstIndex, count: strings.count) { payload in
      StringsSegment.write(
        lengths: strings.map { UInt64($0.count) }, bytes: Array(strings.joined()), to: &payload)
    }
  }

  /// Adds a `LINK` segment for rows whose weak references are lost. All weak references in it are nil.
  /// Returns the added segment.
  private mutating func lostLinks(_ rows: SegmentInfo, _ counts: [Int], _ start: Int) -> SegmentInfo {
    lostWeakCount += counts.reduce(0, +)
    return add(.weakColumns, start, first: rows.firstIndex, count: rows.count) { payload in
      for count in counts { Chunk.write(nils: count, to: &payload) }
    }
  }

  /// Numbers the segments of classes. Reads the segments for this purpose, because a file without an index
  /// does not contain the number of classes in each segment.
  private func numbered(_ classes: [SegmentInfo], in bytes: [UInt8]) throws(ArchiveError) -> [SegmentInfo] {
    guard !search.hasIndex else { return classes }
    let store = ByteStore(copying: bytes)
    var known: [ClassDescription] = []
    var indices = ShortMap<ExactName, Int>()
    var numbered: [SegmentInfo] = []
    for info in classes {
      let payload = try SegmentPayload(info, in: store)
      var reader = payload.reader
      let first = known.count
      try ClassTableSegment.read(&reader, into: &known, indices: &indices, limits: limits)
      numbered.append(info.numbered(first: first, count: known.count - first))
    }
    return numbered
  }

  /// Returns the number of values in each weak column of a segment of rows. Nil if the rows cannot be read,
  /// or have no weak columns.
  private func weakCounts(_ info: SegmentInfo, in store: ByteStore, _ schema: FileSchema) -> [Int]? {
    guard let rows = try? rowsWithoutLinks(info, in: store, schema), rows.needsWeakColumns else {
      return nil
    }
    var counts: [Int] = []
    var total = 0
    for rows in rows.classes {
      let set = schema.columns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      defer { set.prepareForReuse() }
      let nodeCount = set.layout.nodeCount(ofColumns: rows.columnCount)
      var valueCounts = [Int](repeating: 0, count: nodeCount)
      guard
        (try? set.skip(
          roots: rows.columnCount, count: rows.rowCount,
          noteWeak: { valueCounts[$0] = valueCounts[$0].addingReportingOverflow($1).partialValue })) != nil
      else { return nil }
      for node in 0..<nodeCount where set.layout.nodes[node].kind == .weak {
        // The lengths in a damaged file can have any value. A segment that was written never has so many weak
        // references.
        guard valueCounts[node] >= 0, valueCounts[node] <= info.rawByteCount + (1 << 20) - total else {
          return nil
        }
        total += valueCounts[node]
        counts.append(valueCounts[node])
      }
    }
    return counts
  }

  /// Reads the rows of a segment without their weak columns.
  private func rowsWithoutLinks(
    _ info: SegmentInfo, in store: ByteStore, _ schema: FileSchema
  ) throws(ArchiveError) -> RowsSegment {
    let rows = RowsSegment()
    try rows.read(
      SegmentPayload(info, in: store), links: nil, info: info, layouts: schema.layouts,
      classes: schema.classes
    ) { byteCount throws(ArchiveError) in
      try ArchiveLimits.check(byteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    return rows
  }

  /// Adds a segment of placeholder strings for a lost segment, and returns it. Spec: 07-limits, rule A2.
  private mutating func lostStrings(_ info: SegmentInfo, _ start: Int) throws(ArchiveError) -> SegmentInfo {
    let texts = (info.firstIndex..<info.firstIndex + info.count).lazy.map { "⟨lost string #\($0)⟩" }
    // A placeholder string takes at most 40 bytes. The lost string took at least one byte.
    try ArchiveLimits.check(
      added.count + 40 * info.count, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    return add(.strings, start, first: info.firstIndex, count: info.count) { payload in
      payload.varint(info.count)
      payload.fixed(UInt8(1))
      for text in texts { payload.fixed(UInt8(truncatingIfNeeded: text.utf8.count)) }
      for text in texts { payload.append(Array(text.utf8)) }
    }
  }

  /// Adds a segment after the bytes of the file, which end at `start`. Returns the added segment.
  private mutating func add(
    _ kind: SegmentInfo.Kind, _ start: Int, first: Int, count: Int, _ write: (inout ByteWriter) -> Void
  ) -> SegmentInfo {
    var payload = ByteWriter()
    write(&payload)
    let offset = added.count
    SegmentHeader(
      kind: kind.code, isCompressed: false, storedByteCount: payload.count, rawByteCount: payload.count
    ).write(to: &added)
    added.append(payload.bytes)
    let end = offset + SegmentHeader.wholeByteCount(payload.count) - SegmentHeader.checksumByteCount
    added.append([UInt8](repeating: 0, count: end - added.count))
    added.fixed(added.checksum(from: offset))
    return SegmentInfo(
      code: kind.code, byteOffset: start + offset, storedByteCount: payload.count,
      rawByteCount: payload.count, isCompressed: false, firstIndex: first, count: count)
  }
}

extension SegmentHeader {
  /// Returns the smallest multiple of the alignment that is at least `byteCount`.
  fileprivate static func alignedByteCount(_ byteCount: Int) -> Int {
    byteCount + Alignment.padding(at: byteCount)
  }
}
