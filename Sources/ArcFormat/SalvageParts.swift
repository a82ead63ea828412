import ArcRuntime

/// The intact segments of a damaged file, and others in the place of those that are lost: so that an `ArchiveFile` can
/// read them, with the numbers that they had.
struct SalvageParts: ~Copyable {
  /// The segments of the class table up to the first that is lost: later ones add columns behind unknown ones.
  private(set) var classes: [SegmentInfo] = []
  private(set) var metadata: SegmentInfo?
  /// Weak references whose segment is lost.
  private(set) var lostWeakCount = 0
  /// Positions of the intact rows in the segments of the file that was made.
  private(set) var rowsPositions: [Int] = []

  private let search: SegmentSearch
  private let limits: Limits
  /// Segments that stand behind the file's bytes.
  private var added = ByteWriter()

  init(_ search: SegmentSearch, limits: Limits) {
    self.search = search
    self.limits = limits
    for entry in search.entries where entry.info.kind == .classes {
      guard entry.isIntact else { break }
      classes.append(entry.info)
    }
    metadata = search.entries.first { $0.info.kind == .metadata && $0.isIntact }?.info
  }

  /// A file of what is left. The rows of lost segments are not to be read.
  mutating func file(_ bytes: [UInt8]) throws(ArchiveError) -> ArchiveFile {
    let start = SegmentHeader.alignedByteCount(bytes.count)
    let table = try ArchiveFile(
      salvaged: numbered(classes, in: bytes), writer: "", store: ByteStore(copying: bytes), limits: limits)
    var segments = table.segments
    var links = search.entries.filter { $0.info.kind == .links && $0.isIntact }.map(\.info)
    if !search.hasIndex { links.reverse() }
    let linksByFirstRow = Dictionary(links.map { ($0.first, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in search.entries {
      switch (entry.info.kind, entry.isIntact) {
      case (.strings, true): segments.append(entry.info)
      case (.strings, false): segments.append(try lostStrings(entry.info, start))
      case (.rows, true):
        rowsPositions.append(segments.count)
        segments.append(entry.info)
        guard let counts = weakCounts(entry.info, table), !counts.isEmpty else { continue }
        if search.hasIndex, let known = linksByFirstRow[entry.info.first], known.count == entry.info.count {
          segments.append(known)
        } else if !search.hasIndex, let next = links.popLast() {
          segments.append(next.numbered(first: entry.info.first, count: entry.info.count))
        } else {
          lostWeakCount += counts.reduce(0, +)
          segments.append(
            add(.links, start, first: entry.info.first, count: entry.info.count) { payload in
              for count in counts { ColumnChunk.writeNils(count, to: &payload) }
            })
        }
      case (.rows, false): segments.append(entry.info)
      default: break
      }
    }
    // What refers to rows that no segment tells of is to be found out of reach, not out of range.
    let rowCount = segments.last { $0.kind == .rows }.map { $0.first + $0.count } ?? 0
    segments.append(
      SegmentInfo(
        code: SegmentKind.rows.code, byteOffset: bytes.count, storedByteCount: 0, rawByteCount: 0,
        isCompressed: false, first: rowCount, count: Int(UInt32.max) - rowCount))
    let padding = [UInt8](repeating: 0, count: start - bytes.count)
    return try ArchiveFile(
      salvaged: segments, writer: search.writer,
      store: ByteStore(copying: bytes + padding + added.bytes), limits: limits)
  }

  /// Without an index nobody knows how many classes a segment adds.
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

  /// The values of each weak column that the rows ask for; nil if the rows cannot be read.
  private func weakCounts(_ info: SegmentInfo, _ table: ArchiveFile) -> [Int]? {
    guard let rows = try? table.rowsWithoutLinks(info), rows.needsLinks else {
      return nil
    }
    var counts: [Int] = []
    var total = 0
    for rows in rows.classes {
      let set = table.tables.columns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      defer { set.unbind() }
      let nodeCount = set.layout.nodeCount(ofColumns: rows.columnCount)
      var asked = [Int](repeating: 0, count: nodeCount)
      guard
        (try? set.skip(
          roots: rows.columnCount, count: rows.rowCount,
          noteWeak: { asked[$0] = asked[$0].addingReportingOverflow($1).partialValue })) != nil
      else { return nil }
      for node in 0..<nodeCount where set.layout.nodes[node].kind == .weak {
        // Lengths may claim anything; rows that are written into one segment never ask for so many.
        guard asked[node] >= 0, asked[node] <= info.rawByteCount + (1 << 20) - total else { return nil }
        total += asked[node]
        counts.append(asked[node])
      }
    }
    return counts
  }

  private mutating func lostStrings(_ info: SegmentInfo, _ start: Int) throws(ArchiveError) -> SegmentInfo {
    let texts = (info.first..<info.first + info.count).lazy.map { "⟨lost string #\($0)⟩" }
    // A string that is lost takes 40 bytes here at most, and had taken one at least.
    try Limits.check(
      added.count + 40 * info.count, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    return add(.strings, start, first: info.first, count: info.count) { payload in
      payload.varint(info.count)
      payload.fixed(UInt8(1))
      for text in texts { payload.fixed(UInt8(truncatingIfNeeded: text.utf8.count)) }
      for text in texts { payload.append(Array(text.utf8)) }
    }
  }

  /// Adds a segment behind the bytes of the file, which end at `start`.
  private mutating func add(
    _ kind: SegmentKind, _ start: Int, first: Int, count: Int, _ write: (inout ByteWriter) -> Void
  ) -> SegmentInfo {
    var payload = ByteWriter()
    write(&payload)
    let offset = added.count
    SegmentHeader(
      kind: kind, isCompressed: false, storedByteCount: payload.count, rawByteCount: payload.count
    ).write(to: &added)
    added.append(payload.bytes)
    let end = offset + SegmentHeader.wholeByteCount(payload.count) - SegmentHeader.checksumByteCount
    added.append([UInt8](repeating: 0, count: end - added.count))
    added.fixed(added.checksum(from: offset))
    return SegmentInfo(
      code: kind.code, byteOffset: start + offset, storedByteCount: payload.count,
      rawByteCount: payload.count, isCompressed: false, first: first, count: count)
  }
}

extension SegmentHeader {
  /// The next multiple of the alignment.
  fileprivate static func alignedByteCount(_ byteCount: Int) -> Int {
    byteCount + ChunkEncoding.padding(at: byteCount)
  }
}
