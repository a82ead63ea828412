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
  public var version: (major: Int, minor: Int) { contents.version }
  /// Name and version of what wrote the file, as it says itself.
  public var writer: String { contents.writer }
  /// All segments but the index, in file order.
  public var segments: [SegmentInfo] { contents.segments }
  /// The class table. The class with the name `$roots` describes row 0: its columns are the named roots.
  public var classes: [ClassDescription] { tables.classes }
  /// Rows, the one of the roots included.
  public var rowCount: Int { contents.rowCount }
  /// Bytes of the file.
  public var byteCount: Int { unsafe store.bytes.count }
  /// Bytes of all segments, after decompression.
  package var rawByteCount: Int { contents.rawByteCount }

  package let limits: Limits
  package var layouts: [ColumnLayout] { tables.layouts }
  package let tables: FileTables
  private let store: ByteStore
  private let cell = Cell(ArchiveContents())
  var contents: ArchiveContents { @inline(__always) _read { yield cell.value } }
  private var areStringsLoaded = false
  private let loadedRows = Cell(LoadedRows())
  /// Rows that were decompressed ahead of time.
  private let inflated = Cell<[Int: SegmentPayload]>([:])
  /// Positions in `segments` of those with rows, in row order.
  package var rowsSegments: [Int] { contents.rowsSegments }
  /// Positions in `segments` of rows that were checked.
  private let checkedSegments = Cell<Set<Int>>([])
  private var madeDecodedRows: DecodedRows?
  private var madeStringSegments: StringSegments?

  /// Opens an archive in memory; the bytes are copied. Throws `ArchiveError`.
  public convenience init(bytes: [UInt8], limits: Limits = .default) throws {
    try self.init(store: ByteStore(copying: bytes), limits: limits)
  }

  package init(store: ByteStore, limits: Limits) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    try cell.value.read(store, limits: limits)
    // Before any content: what a later version added is newer, not damaged. Spec: 05-graph, section 4.
    if cell.value.hasOtherSegments { try cell.value.checkSegmentsAreUsed(in: store) }
    tables = try Self.readClasses(cell.value.segments, store: store, limits: limits)
  }

  /// What is left of a damaged file: segments that `ArchiveSalvage` found intact or put in, anywhere in `store`, with
  /// numbers without gaps. Their contents are checked as always.
  init(salvaged segments: [SegmentInfo], writer: String, store: ByteStore, limits: Limits)
    throws(ArchiveError)
  {
    self.store = store
    self.limits = limits
    cell.value = ArchiveContents(salvaged: segments, writer: writer)
    tables = try Self.readClasses(segments, store: store, limits: limits)
  }

  // MARK: Another file

  /// Where a file may have the same class table as this one. Only a guess.
  package func placeOfClasses(in bytes: UnsafeRawBufferPointer) -> Int? { unsafe tables.place(in: bytes) }

  /// Opens another file in place of this one, in memory that the caller keeps unchanged until `close`; everything that
  /// was read before is forgotten, but memory is used again. False, and nothing that can be used, if the file has
  /// another class table. `place` is where `placeOfClasses` found the same one.
  package func reopen(
    _ bytes: UnsafeRawBufferPointer, placeOfClasses place: Int
  ) throws(ArchiveError) -> Bool {
    unsafe store.borrow(bytes)
    try cell.value.read(store, limits: limits)
    guard hasOnlyKnownClasses(at: place) else { return false }
    if contents.hasOtherSegments { try contents.checkSegmentsAreUsed(in: store) }
    return true
  }

  /// Whether the only segment with classes is the one that was found to be the same.
  private func hasOnlyKnownClasses(at place: Int) -> Bool {
    var isFound = false
    for segment in segments where segment.kind == .classes {
      guard !isFound, segment.byteOffset == place, tables.isSource(segment) else { return false }
      isFound = true
    }
    return isFound
  }

  /// Forgets the file: its memory belongs to the caller of `reopen` again. Keeps the class table.
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

  private static func readClasses(
    _ segments: [SegmentInfo], store: ByteStore, limits: Limits
  ) throws(ArchiveError) -> FileTables {
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
    return FileTables(
      classes, indices, layouts, hierarchy, source: segment.map { SegmentCopy($0, in: store) })
  }

  /// The roots come first, and no other class has a name that stands for something else.
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

  /// Columns are declared by the class or a superclass, and no two of them answer to the same question.
  /// Spec: 03-classes, rules C3 and C4.
  private static func checkColumns(
    _ description: ClassDescription, _ index: Int, _ hierarchy: ClassHierarchy
  ) throws(ArchiveError) {
    var seen = ShortMap<ExactName, Bool>()
    for column in description.columns {
      guard hierarchy.isClass(index, orSubclassOf: column.declaringClass) else {
        throw ArchiveError(
          .malformedClassTable, found: "declaring class \(column.declaringClass)",
          expected: "the class itself or a superclass", className: description.name, key: column.key)
      }
      let isKeyed = column.flags.contains(.keyed)
      let identity = "\(column.declaringClass) \(isKeyed ? column.attributes.description : "") \(column.key)"
      guard seen.insert(true, for: ExactName(identity)) else {
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
        .indexMismatch, found: plural(metadata.count, "entry of metadata", "entries of metadata"),
        expected: "\(segment.count)",
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
    if !checkedSegments.value.contains(index) {
      try verifyRows(rows)
      checkedSegments.value.insert(index)
    }
    return rows
  }

  /// Rows that were decoded last.
  var decodedRows: DecodedRows {
    if let known = madeDecodedRows { return known }
    let made = DecodedRows()
    madeDecodedRows = made
    return made
  }

  /// The strings, each segment read when one of its strings is asked for.
  private var stringSegments: StringSegments {
    if let known = madeStringSegments { return known }
    let made = StringSegments(segments.filter { $0.kind == .strings }, store: store, limits: limits)
    madeStringSegments = made
    return made
  }

  /// The string table with all strings; read once. Throws if a segment of it is damaged.
  package func strings() throws(ArchiveError) -> StringTable {
    let table = tables.strings
    if areStringsLoaded { return table }
    // What was read before a segment was found to be damaged is read again.
    table.restart()
    for segment in contents.segments where segment.kind == .strings {
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
    loadedRows.value.byteLimit = .max
    _ = try strings()
  }

  /// Decompresses rows at the same time, for a caller that reads them next: as many as are kept, beginning with
  /// position `first` in `rowsSegments`. What fails is left to be found when it is asked for. Returns the position
  /// behind the last one.
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

  /// Lets go of the memory of a segment of a mapped file that a caller who goes from segment to segment is done with.
  func discardPages(ofSegment index: Int) {
    store.discardPages(segments[index].byteOffset..<segments[index].endOffset)
  }

  /// The rows of a segment, without weak columns and not kept.
  func rowsWithoutLinks(_ info: SegmentInfo) throws(ArchiveError) -> RowsSegment {
    let rows = RowsSegment()
    try rows.read(
      SegmentPayload(info, in: store), links: nil, info: info, layouts: layouts, classes: classes
    ) { byteCount throws(ArchiveError) in
      try Limits.check(byteCount, within: limits.rawBytes, "rawBytes", byteOffset: info.byteOffset)
    }
    return rows
  }

  /// The rows of the segment at a position in `segments`, with their weak columns. Some are kept, all of them after
  /// `keepEverything`.
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
    if let segment = contents.linksByFirstRow[info.first], segment.count == info.count {
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
    if links == nil, rows.needsLinks {
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
