import ArcRuntime

/// An archive opened for reading, without the classes of the program that wrote it.
///
///     let file = try ArchiveFile(bytes: bytes)
///     for description in file.classes { print(description.name, try file.rowCount(ofClass: description.name)) }
///
/// Opening checks header, trailer and index and reads the class table; rows and strings are checked when they are
/// asked for, or all at once by `verify()`. Not safe to use from two threads at once.
public final class ArchiveFile {
  /// Major and minor version of the format.
  public let version: (major: Int, minor: Int)
  /// Name and version of what wrote the file, as it says itself.
  public let writer: String
  /// All segments but the index, in file order.
  public let segments: [SegmentInfo]
  /// The class table. The class with the name `$roots` describes row 0: its columns are the named roots.
  public var classes: [ClassDescription] { tables.classes }
  /// Rows, the one of the roots included.
  public let rowCount: Int
  /// Bytes of the file.
  public let byteCount: Int

  package let limits: Limits
  package var layouts: [ColumnLayout] { tables.layouts }
  package let tables: FileTables
  private let store: ByteStore
  private var areStringsLoaded = false
  private var loadedRows: LoadedRows
  /// Rows that were decompressed ahead of time.
  private var inflated: [Int: SegmentPayload] = [:]
  /// Positions in `segments` of those with rows, in row order.
  package let rowsSegments: [Int]
  /// Segments with links, by the first row that they complete.
  private let linksByFirstRow: [Int: SegmentInfo]
  /// Positions in `segments` of rows that were checked.
  private var checkedSegments: Set<Int> = []
  /// Rows that were decoded last.
  private(set) lazy var decodedRows = DecodedRows()
  /// The strings, each segment read when one of its strings is asked for.
  private lazy var stringSegments = StringSegments(
    segments.filter { $0.kind == .strings }, store: store, limits: limits)

  /// Opens an archive in memory; the bytes are copied. Throws `ArchiveError`.
  public convenience init(bytes: [UInt8], limits: Limits = .default) throws {
    try self.init(store: ByteStore(copying: bytes), limits: limits)
  }

  /// `known` are used again if they belong to the same class table.
  package init(store: ByteStore, limits: Limits, known: FileTables? = nil) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    let bytes = unsafe store.bytes
    byteCount = bytes.count
    try Limits.check(byteCount, within: limits.fileBytes, "fileBytes")
    var reader = unsafe ByteReader(bytes, fileOffset: 0)
    let header = try ArchiveHeader(reading: &reader)
    version = (Int(header.major), Int(header.minor))
    guard byteCount >= ArchiveHeader.byteCount + ArchiveTrailer.byteCount else {
      throw ArchiveError(
        .truncated, found: "\(byteCount) bytes", expected: "a header and a trailer", byteOffset: byteCount)
    }
    let trailerOffset = byteCount - ArchiveTrailer.byteCount
    var end = unsafe ByteReader(
      UnsafeRawBufferPointer(rebasing: bytes[trailerOffset...]), fileOffset: trailerOffset)
    let trailer = try ArchiveTrailer(reading: &end)
    let (writer, segments) = try Self.readIndex(
      trailer, trailerOffset: trailerOffset, store: store, limits: limits)
    self.writer = writer
    self.segments = segments
    loadedRows = LoadedRows(segmentCount: segments.count)
    rowsSegments = segments.indices.filter { segments[$0].kind == .rows }
    var links: [Int: SegmentInfo] = [:]
    for segment in segments where segment.kind == .links && links[segment.first] == nil {
      links[segment.first] = segment
    }
    linksByFirstRow = links
    rowCount = try Self.checkRows(segments, trailer, limits)
    tables = try Self.readClasses(segments, store: store, limits: limits, known: known)
    try checkSegmentsAreUsed()
  }

  /// What is left of a damaged file: segments that `ArchiveSalvage` found intact or put in, anywhere in `store`, with
  /// numbers without gaps. Their contents are checked as always.
  init(salvaged segments: [SegmentInfo], writer: String, store: ByteStore, limits: Limits)
    throws(ArchiveError)
  {
    self.store = store
    self.limits = limits
    self.segments = segments
    self.writer = writer
    version = (Int(ArchiveHeader.currentMajor), Int(ArchiveHeader.currentMinor))
    byteCount = unsafe store.bytes.count
    loadedRows = LoadedRows(segmentCount: segments.count)
    rowsSegments = segments.indices.filter { segments[$0].kind == .rows }
    var links: [Int: SegmentInfo] = [:]
    for segment in segments where segment.kind == .links { links[segment.first] = segment }
    linksByFirstRow = links
    rowCount = rowsSegments.last.map { segments[$0].first + segments[$0].count } ?? 0
    tables = try Self.readClasses(segments, store: store, limits: limits, known: nil)
  }

  /// Every `LINK` segment completes one `ROWS` segment, there is one `META` segment at most, and unknown segments may
  /// be ignored. Spec: 02-container, rules S3 and D2; 04-columns, rule L1.
  private func checkSegmentsAreUsed() throws(ArchiveError) {
    guard segments.contains(where: { $0.kind == .links || $0.kind == .metadata || $0.kind == nil }) else {
      return
    }
    for (place, segment) in segments.filter({ $0.kind == .metadata }).enumerated() {
      guard place == 0, segment.first == 0 else {
        throw ArchiveError(
          .malformedSegment, found: "META segment \(place + 1), of entries from \(segment.first)",
          expected: "one at most, from 0", byteOffset: segment.byteOffset)
      }
    }
    var open = Set(rowsSegments.map { [segments[$0].first, segments[$0].count] })
    for segment in segments where segment.kind == .links {
      guard open.remove([segment.first, segment.count]) != nil else {
        throw ArchiveError(
          .malformedSegment, found: "a LINK segment for rows from \(segment.first)",
          expected: "one for each ROWS segment at most", byteOffset: segment.byteOffset)
      }
    }
    for segment in segments where segment.kind == nil { _ = try SegmentPayload(segment, in: store) }
  }

  /// The index stands between the last segment and the trailer, and names every segment. Spec: 02-container, rule I1.
  private static func readIndex(
    _ trailer: ArchiveTrailer, trailerOffset: Int, store: ByteStore, limits: Limits
  ) throws(ArchiveError) -> (writer: String, segments: [SegmentInfo]) {
    guard let indexOffset = Int(exactly: trailer.indexOffset), indexOffset >= ArchiveHeader.byteCount,
      indexOffset <= trailerOffset - SegmentHeader.wholeByteCount(0)
    else {
      throw ArchiveError(
        .damagedTrailer, found: "an index at byte \(trailer.indexOffset)",
        expected: "a place inside the file",
        byteOffset: trailerOffset)
    }
    var reader = unsafe ByteReader(
      UnsafeRawBufferPointer(rebasing: store.bytes[indexOffset...]), fileOffset: indexOffset)
    let header = try SegmentHeader(reading: &reader)
    let room = trailerOffset - indexOffset
    guard SegmentKind(header: header) == .index, let rawByteCount = Int(exactly: header.rawByteCount),
      let storedByteCount = Int(exactly: header.storedByteCount), storedByteCount <= room,
      SegmentHeader.wholeByteCount(storedByteCount) == room
    else {
      throw ArchiveError(
        .indexMismatch, found: "no index segment of \(room) bytes", byteOffset: indexOffset)
    }
    let info = SegmentInfo(
      code: header.kind, byteOffset: indexOffset, storedByteCount: storedByteCount,
      rawByteCount: rawByteCount,
      isCompressed: header.isCompressed, first: 0, count: Int(trailer.segmentCount))
    try Limits.check(rawByteCount, within: limits.rawBytes, "rawBytes", byteOffset: indexOffset)
    let payload = try SegmentPayload(info, in: store)
    var entries = payload.reader
    let (writer, segments) = try SegmentIndex.read(&entries)
    var total = rawByteCount
    for segment in segments {
      // Both are far below 2^62: the total was within the limit before, and an entry is below 2^40.
      total += segment.rawByteCount
      try Limits.check(total, within: limits.rawBytes, "rawBytes", byteOffset: segment.byteOffset)
    }
    guard segments.count == info.count, (segments.last?.endOffset ?? ArchiveHeader.byteCount) == indexOffset
    else {
      throw ArchiveError(
        .indexMismatch, found: "an index of \(segments.count) segments that do not fill the file",
        expected: "\(info.count) segments up to byte \(indexOffset)", byteOffset: indexOffset)
    }
    var checksum: UInt32 = 0
    for segment in segments {
      let field = store.checksumField(at: segment.endOffset - SegmentHeader.checksumByteCount)
      checksum = Checksum.crc32(of: field, seed: checksum)
    }
    guard checksum == trailer.segmentsChecksum else {
      throw ArchiveError(
        .damagedTrailer, found: "checksums that differ from the segments'", byteOffset: trailerOffset)
    }
    return (writer, segments)
  }

  /// Rows, strings and classes follow each other without gap. Spec: 02-container, rule I2.
  private static func checkRows(
    _ segments: [SegmentInfo], _ trailer: ArchiveTrailer, _ limits: Limits
  ) throws(ArchiveError) -> Int {
    var (classCount, stringCount, rowCount) = (0, 0, 0)
    for segment in segments {
      guard let kind = segment.kind, kind != .links, kind != .metadata else { continue }
      let next = kind == .classes ? classCount : kind == .strings ? stringCount : rowCount
      guard kind != .index, kind != .rows || segment.count > 0, segment.first == next else {
        throw ArchiveError(
          .indexMismatch,
          found: "a \(kind.rawValue) segment of \(segment.count) that begins at \(segment.first)",
          expected: "\(next)", byteOffset: segment.byteOffset)
      }
      switch kind {
      case .classes: classCount = next + segment.count
      case .strings: stringCount = next + segment.count
      default: rowCount = next + segment.count
      }
    }
    guard rowCount > 0, UInt64(rowCount) == trailer.rowCount, rowCount <= Int(UInt32.max) else {
      throw ArchiveError(
        .indexMismatch, found: "\(rowCount) rows", expected: "\(trailer.rowCount), and at least 1")
    }
    try Limits.check(rowCount, within: limits.rows, "rows")
    return rowCount
  }

  private static func readClasses(
    _ segments: [SegmentInfo], store: ByteStore, limits: Limits, known tables: FileTables?
  ) throws(ArchiveError) -> FileTables {
    let segmentCount = segments.count { $0.kind == .classes }
    var classes: [ClassDescription] = []
    var indices = ShortMap<String, Int>()
    var byteCount = 0
    for segment in segments where segment.kind == .classes {
      byteCount += segment.rawByteCount
      try Limits.check(
        byteCount, within: limits.classTableBytes, "classTableBytes", byteOffset: segment.byteOffset)
      if segmentCount == 1, let tables, tables.fit(segment, in: store, limits: limits) { return tables }
      let payload = try SegmentPayload(segment, in: store)
      var reader = payload.reader
      let known = classes.count
      try ClassTableSegment.read(&reader, into: &classes, indices: &indices, limits: limits)
      guard known == segment.first, classes.count == known + segment.count else {
        throw ArchiveError(
          .indexMismatch, found: "\(classes.count - known) new classes", expected: "\(segment.count)",
          byteOffset: segment.byteOffset)
      }
    }
    try checkNames(classes)
    let hierarchy = ClassHierarchy(classes)
    var layouts: [ColumnLayout] = []
    for (index, description) in classes.enumerated() {
      try checkColumns(description, index, hierarchy)
      let layout = try ColumnLayout(description)
      try Limits.check(layout.nodes.count, within: limits.columnsPerClass, "columnsPerClass")
      layouts.append(layout)
    }
    let segment = segmentCount == 1 ? segments.first { $0.kind == .classes } : nil
    return FileTables(
      classes, indices, layouts, hierarchy, source: segment.map { SegmentCopy($0, in: store) }, limits: limits
    )
  }

  /// The roots come first, and no other class has a name that stands for something else.
  /// Spec: 03-classes, rules C5 and C6.
  private static func checkNames(_ classes: [ClassDescription]) throws(ArchiveError) {
    guard let roots = classes.first, roots.name == ClassDescription.rootsName, roots.superclass == nil,
      roots.columns.allSatisfy({ $0.flags.isEmpty })
    else {
      throw ArchiveError(
        .malformedClassTable, found: "class table without roots",
        expected: "'\(ClassDescription.rootsName)' first")
    }
    for description in classes.dropFirst()
    where ColumnLayout.isReserved(description.name) || description.superclass == 0 {
      throw ArchiveError(
        .malformedClassTable, found: "a class with a reserved name or the roots as its superclass",
        className: description.name)
    }
  }

  /// Columns are declared by the class or a superclass, and no two of them answer to the same question.
  /// Spec: 03-classes, rules C3 and C4.
  private static func checkColumns(
    _ description: ClassDescription, _ index: Int, _ hierarchy: ClassHierarchy
  ) throws(ArchiveError) {
    var seen = ShortMap<String, Bool>()
    for column in description.columns {
      guard hierarchy.isClass(index, orSubclassOf: column.declaringClass) else {
        throw ArchiveError(
          .malformedClassTable, found: "declaring class \(column.declaringClass)",
          expected: "the class itself or a superclass", className: description.name, key: column.key)
      }
      let isKeyed = column.flags.contains(.keyed)
      let identity = "\(column.declaringClass) \(isKeyed ? column.attributes.description : "") \(column.key)"
      guard seen.insert(true, for: identity) else {
        throw ArchiveError(
          .malformedClassTable, found: "two columns with one key", className: description.name,
          key: column.key)
      }
    }
  }

  /// What the user of the writer said of the archive: names and texts, in the order of the names' bytes. Names are
  /// distinct by their bytes, not by `==`. Throws if its segment is damaged. O(bytes of the metadata).
  public func metadata() throws(ArchiveError) -> [(key: String, value: String)] {
    guard let segment = segments.first(where: { $0.kind == .metadata }) else { return [] }
    let metadata = try metadata(at: segment)
    guard metadata.count == segment.count else {
      throw ArchiveError(
        .indexMismatch, found: "\(metadata.count) entries of metadata", expected: "\(segment.count)",
        byteOffset: segment.byteOffset)
    }
    return metadata
  }

  /// The metadata in a segment of the file.
  func metadata(at segment: SegmentInfo) throws(ArchiveError) -> [(key: String, value: String)] {
    let payload = try SegmentPayload(segment, in: store)
    var reader = payload.reader
    return try MetadataSegment.read(&reader)
  }

  /// The rows of a segment, of which the caller is about to hand out some: they are checked when they are asked for
  /// first.
  func checkedRows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    let rows = try rows(inSegment: index)
    if !checkedSegments.contains(index) {
      try verifyRows(rows)
      checkedSegments.insert(index)
    }
    return rows
  }

  /// The string table with all strings; read once. Throws if a segment of it is damaged.
  package func strings() throws(ArchiveError) -> StringTable {
    let table = tables.strings
    if areStringsLoaded { return table }
    // What was read before a segment was found to be damaged is read again.
    table.restart()
    for segment in segments where segment.kind == .strings {
      try table.add(segment, in: store, limits: limits)
    }
    areStringsLoaded = true
    return table
  }

  /// The string table, for a caller that asks for some of the strings: their segments are read when it does.
  func someStrings() -> StringTable {
    if !areStringsLoaded { tables.strings.segments = stringSegments }
    return tables.strings
  }

  /// How many strings the index says that there are.
  var stringCount: Int { areStringsLoaded ? tables.strings.count : stringSegments.count }

  /// Checks all strings. Spec: 04-columns, rules X1 and X3.
  func verifyStrings() throws(ArchiveError) { try stringSegments.verify() }

  /// Loads all strings, and keeps all rows that are read: for a caller that reads everything more than once.
  package func keepEverything() throws(ArchiveError) {
    loadedRows.byteLimit = .max
    _ = try strings()
  }

  /// Decompresses rows at the same time, for a caller that reads them next: as many as are kept, beginning with
  /// position `first` in `rowsSegments`. What fails is left to be found when it is asked for. Returns the position
  /// behind the last one.
  func inflateRows(from first: Int) -> Int {
    let last =
      loadedRows.byteLimit == .max
      ? rowsSegments.count : min(first + 2 * Processors.count, rowsSegments.count)
    let compressed = rowsSegments[first..<last].filter { segments[$0].isCompressed && loadedRows[$0] == nil }
    guard compressed.count > 1 else { return last }
    let payloads = Parallel.map(compressed.count) { try? SegmentPayload(segments[compressed[$0]], in: store) }
    for (index, payload) in zip(compressed, payloads) { inflated[index] = payload }
    return last
  }

  /// Lets go of the memory of a segment of a mapped file that a caller who goes from segment to segment is done with.
  func discardPages(ofSegment index: Int) {
    store.discardPages(segments[index].byteOffset..<segments[index].endOffset)
  }

  /// The rows of a segment, without weak columns and not kept.
  func rowsWithoutLinks(_ info: SegmentInfo) throws(ArchiveError) -> RowsSegment {
    try RowsSegment(
      SegmentPayload(info, in: store), links: nil, info: info, layouts: layouts, classes: classes
    ) {
      byteCount throws(ArchiveError) in
      try Limits.check(byteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
  }

  /// The rows of the segment at a position in `segments`, with their weak columns. Some are kept, all of them after
  /// `keepEverything`.
  package func rows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    if let rows = loadedRows[index] { return rows }
    let info = segments[index]
    let payload: SegmentPayload
    if !inflated.isEmpty, let ready = inflated.removeValue(forKey: index) {
      payload = ready
    } else {
      payload = try SegmentPayload(info, in: store)
    }
    var links: SegmentPayload?
    if !linksByFirstRow.isEmpty, let segment = linksByFirstRow[info.first], segment.count == info.count {
      links = try SegmentPayload(segment, in: store)
    }
    let keptByteCount = loadedRows.chunkByteCount
    var chunkByteCount = 0
    let rows = try RowsSegment(payload, links: links, info: info, layouts: layouts, classes: classes) {
      byteCount throws(ArchiveError) in
      chunkByteCount += byteCount
      try Limits.check(
        keptByteCount + chunkByteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    if links == nil, rows.needsLinks(layouts: layouts) {
      throw ArchiveError(
        .malformedSegment, found: "no LINK segment for rows \(info.first)..<\(info.first + info.count)",
        byteOffset: info.byteOffset)
    }
    loadedRows.keep(
      rows, at: index, payloadByteCount: info.isCompressed ? info.rawByteCount : 0,
      chunkByteCount: chunkByteCount)
    return rows
  }
}
