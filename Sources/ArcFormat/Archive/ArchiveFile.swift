import ArcRuntime

/// An archive opened for reading, without the classes of the program that wrote it.
///
///     let file = try ArchiveFile(bytes: bytes)
///     for description in file.classes {
///       print(description.name, try file.rowCount(ofClass: description.name))
///     }
///
/// Opening checks header, trailer and index and reads the class table; rows and strings are checked when they
/// are first used, or all at once by `verify()`. Not safe to use from two threads at once.
public final class ArchiveFile {
  /// The major and minor version of the format.
  public var version: (major: Int, minor: Int) { contents.version }
  /// The name and version of what wrote the file, as it states them.
  public var writer: String { contents.writer }
  /// All segments except the index, in file order.
  public var segments: [SegmentInfo] { contents.segments }
  /// The class table; its first class, `$roots`, describes row 0, whose columns are the named roots.
  public var classes: [ClassDescription] { tables.classes }
  /// The number of rows, the row of the roots included.
  public var rowCount: Int { contents.rowCount }
  /// The size of the file in bytes.
  public var byteCount: Int { unsafe store.bytes.count }
  /// Bytes of all segments after decompression.
  package var rawByteCount: Int { contents.rawByteCount }

  package let limits: Limits
  package var layouts: [ColumnLayout] { tables.layouts }
  package let tables: FileSchema
  private let store: ByteStore
  private let cell = Cell(ArchiveContents())
  var contents: ArchiveContents { @inline(__always) _read { yield cell.value } }
  private var areStringsLoaded = false
  private let loadedRows = Cell(SegmentCache())
  /// Payloads that were decompressed ahead of time, by index in `segments`.
  private let inflated = Cell<[Int: SegmentPayload]>([:])
  /// Indices in `segments` of the `ROWS` segments, in row order.
  package var rowsSegments: [Int] { contents.rowsSegments }
  /// Indices in `segments` of those whose rows were checked.
  private let checkedSegments = Cell<Set<Int>>([])
  private var madeDecodedRows: ObjectCache?
  private var madeStringSegments: StringSegments?

  /// Opens an archive in memory: an array, a slice, `Data`. The bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `ArchiveError`.
  /// - Complexity: O(*n*) in the number of bytes.
  public convenience init(bytes: some Collection<UInt8>, limits: Limits = .default) throws {
    try self.init(store: ByteStore(copying: bytes), limits: limits)
  }

  package init(store: ByteStore, limits: Limits) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    try cell.value.read(store, limits: limits)
    // Before any content: a file of a later version is newer, not damaged. Spec: 05-graph, section 4.
    if cell.value.hasOtherSegments { try cell.value.checkSegmentsAreUsed(in: store) }
    tables = try Self.readClasses(cell.value.segments, store: store, limits: limits)
  }

  /// Opens what is left of a damaged file: segments that `ArchiveRecovery` found intact or added, anywhere in
  /// `store`, whose numbers have no gaps. Their contents are checked as always.
  init(recovered segments: [SegmentInfo], writer: String, store: ByteStore, limits: Limits)
    throws(ArchiveError)
  {
    self.store = store
    self.limits = limits
    cell.value = ArchiveContents(recovered: segments, writer: writer)
    tables = try Self.readClasses(segments, store: store, limits: limits)
  }

  // MARK: Reading another file

  /// The offset at which a file seems to contain the same class table as this one; nil if none is found.
  package func locationOfClasses(in bytes: UnsafeRawBufferPointer) -> Int? { unsafe tables.place(in: bytes) }

  /// Opens another file with the same class table in place of this one, and reuses memory; all that was read
  /// before is forgotten. The caller keeps `bytes` unchanged until `close`. `place` is what `locationOfClasses`
  /// returned for these bytes.
  ///
  /// Returns false if the class table is another one; then this object must not be used until it is reopened.
  package func reopen(
    _ bytes: UnsafeRawBufferPointer, locationOfClasses place: Int
  ) throws(ArchiveError) -> Bool {
    unsafe store.borrow(bytes)
    try cell.value.read(store, limits: limits)
    guard hasOnlyKnownClasses(at: place) else { return false }
    if contents.hasOtherSegments { try contents.checkSegmentsAreUsed(in: store) }
    return true
  }

  /// Whether the only `CLSS` segment is the one found to be the same.
  private func hasOnlyKnownClasses(at place: Int) -> Bool {
    var isFound = false
    for segment in segments where segment.kind == .classes {
      guard !isFound, segment.byteOffset == place, tables.isSource(segment) else { return false }
      isFound = true
    }
    return isFound
  }

  /// Forgets the file, and no longer uses the memory passed to `reopen`. Keeps the class table.
  package func close() {
    store.forget()
    areStringsLoaded = false
    if !inflated.value.isEmpty { inflated.value = [:] }
    if !checkedSegments.value.isEmpty { checkedSegments.value = [] }
    (madeStringSegments, madeDecodedRows) = (nil, nil)
    loadedRows.value.restart()
    tables.restart()
  }

  // MARK: Classes

  /// Reads and checks the class table. Spec: 02-container, rule I5; 07-limits, rules A5 and A6.
  private static func readClasses(
    _ segments: [SegmentInfo], store: ByteStore, limits: Limits
  ) throws(ArchiveError) -> FileSchema {
    let segmentCount = segments.count { $0.kind == .classes }
    var classes: [ClassDescription] = []
    var indices = ShortMap<ExactName, Int>()
    var byteCount = 0
    for segment in segments where segment.kind == .classes {
      byteCount += segment.rawByteCount
      try Limits.check(
        byteCount, within: limits.classTableBytes, "classTableBytes", byteOffset: segment.byteOffset)
      let payload = try SegmentPayload(segment, in: store)
      var reader = payload.reader
      let known = classes.count
      try ClassTableSegment.read(&reader, into: &classes, indices: &indices, limits: limits)
      guard known == segment.first, classes.count == known + segment.count else {
        throw ArchiveError(
          .indexMismatch, found: plural(classes.count - known, "new class", "new classes"),
          expected: "\(segment.count)",
          byteOffset: segment.byteOffset)
      }
    }
    try checkNames(classes, byteOffset: segments.first { $0.kind == .classes }?.byteOffset)
    let hierarchy = ClassHierarchy(classes)
    var layouts: [ColumnLayout] = []
    for (index, description) in classes.enumerated() {
      try checkColumns(description, index, hierarchy)
      let layout = try ColumnLayout(description)
      try Limits.check(layout.nodes.count, within: limits.columnsPerClass, "columnsPerClass")
      layouts.append(layout)
    }
    let segment = segmentCount == 1 ? segments.first { $0.kind == .classes } : nil
    return FileSchema(
      classes, indices, layouts, hierarchy, source: segment.map { SegmentCopy($0, in: store) })
  }

  /// Checks that class 0 is that of the roots, and that no other class has a reserved name.
  ///
  /// Spec: 03-classes, rules C5 and C6.
  private static func checkNames(_ classes: [ClassDescription], byteOffset: Int?) throws(ArchiveError) {
    guard let roots = classes.first, roots.name == ClassDescription.rootsName, roots.superclass == nil,
      roots.columns.allSatisfy({ $0.flags.isEmpty })
    else {
      throw ArchiveError(
        .malformedClassTable,
        found: classes.first.map { "'\($0.name)' as the first class" } ?? "a class table without classes",
        expected: "'\(ClassDescription.rootsName)', the class of the named roots", byteOffset: byteOffset,
        className: classes.first?.name)
    }
    for description in classes.dropFirst()
    where ColumnLayout.isReserved(description.name) || description.superclass == 0 {
      throw ArchiveError(
        .malformedClassTable, found: "a class with a reserved name or the roots as its superclass",
        byteOffset: byteOffset, className: description.name)
    }
  }

  /// Checks that columns are declared by the class or a superclass, and that no two share a declaring class
  /// and key, unless they are keyed and differ in their attributes. Spec: 03-classes, rules C3 and C4.
  private static func checkColumns(
    _ description: ClassDescription, _ index: Int, _ hierarchy: ClassHierarchy
  ) throws(ArchiveError) {
    for column in description.columns {
      guard hierarchy.isClass(index, orSubclassOf: column.declaringClass) else {
        throw ArchiveError(
          .malformedClassTable, found: "declaring class \(column.declaringClass)",
          expected: "the class itself or a superclass", className: description.name, key: column.key)
      }
    }
    if let column = description.repeatedColumn() {
      throw ArchiveError(
        .malformedClassTable, found: "two columns with one key",
        expected: "keyed columns that differ in their attributes", className: description.name,
        key: column.key)
    }
  }

  /// The metadata of the archive: what its author said of it.
  ///
  /// - Throws: what is wrong with its segment.
  /// - Complexity: O(*n*) in the number of bytes of the metadata.
  public func metadata() throws(ArchiveError) -> [String: String] {
    // Keys differ by their bytes; of two that Swift considers equal, which no dictionary can have written,
    // the first counts.
    Dictionary(try metadataEntries(), uniquingKeysWith: { first, _ in first })
  }

  /// The metadata in the order of the keys' bytes. Spec: 02-container, rule D3.
  package func metadataEntries() throws(ArchiveError) -> [(key: String, value: String)] {
    guard let segment = segments.first(where: { $0.kind == .metadata }) else { return [] }
    let metadata = try metadata(at: segment)
    guard metadata.count == segment.count else {
      throw ArchiveError(
        .indexMismatch, found: plural(metadata.count, "entry of metadata", "entries of metadata"),
        expected: "\(segment.count)",
        byteOffset: segment.byteOffset)
    }
    return metadata
  }

  /// Reads the metadata in a segment of the file.
  func metadata(at segment: SegmentInfo) throws(ArchiveError) -> [(key: String, value: String)] {
    let payload = try SegmentPayload(segment, in: store)
    var reader = payload.reader
    return try MetadataSegment.read(&reader)
  }

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
    let table = tables.strings
    if areStringsLoaded { return table }
    // An earlier call may have failed after some segments: all are read again.
    table.restart()
    for segment in contents.segments where segment.kind == .strings {
      try table.add(segment, in: store, limits: limits)
    }
    areStringsLoaded = true
    return table
  }

  /// The string table for a caller that needs some of the strings: their segments are loaded as needed.
  func someStrings() -> StringTable {
    if !areStringsLoaded { tables.strings.segments = stringSegments }
    return tables.strings
  }

  /// The number of strings that the index states.
  var stringCount: Int { areStringsLoaded ? tables.strings.count : stringSegments.count }

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
    let payloads = Parallel.map(compressed.count) { try? SegmentPayload(segments[compressed[$0]], in: store) }
    for (index, payload) in zip(compressed, payloads) { inflated.value[index] = payload }
    return last
  }

  /// Releases the memory of a segment of a mapped file, for a caller that goes through all segments.
  func discardPages(ofSegment index: Int) {
    store.discardPages(segments[index].byteOffset..<segments[index].endOffset)
  }

  /// The rows of a segment without weak columns, which is not cached.
  func rowsWithoutLinks(_ info: SegmentInfo) throws(ArchiveError) -> RowsSegment {
    let rows = RowsSegment()
    try rows.read(
      SegmentPayload(info, in: store), links: nil, info: info, layouts: layouts, classes: classes
    ) { byteCount throws(ArchiveError) in
      try Limits.check(byteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    return rows
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
    if let segment = contents.weakColumnsByFirstRow[info.first], segment.count == info.count {
      links = try SegmentPayload(segment, in: store)
    }
    let keptByteCount = loadedRows.value.chunkByteCount
    var chunkByteCount = 0
    let rows = loadedRows.value.takeSpare() ?? RowsSegment()
    try rows.read(payload, links: links, info: info, layouts: layouts, classes: classes) {
      byteCount throws(ArchiveError) in
      chunkByteCount += byteCount
      try Limits.check(
        keptByteCount + chunkByteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    if links == nil, rows.needsWeakColumns {
      throw ArchiveError(
        .malformedSegment, found: "no LINK segment for rows \(info.first)..<\(info.first + info.count)",
        byteOffset: info.byteOffset)
    }
    loadedRows.value.keep(
      rows, at: index, payloadByteCount: info.isCompressed ? info.rawByteCount : 0,
      chunkByteCount: chunkByteCount)
    return rows
  }
}
