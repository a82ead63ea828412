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
  public var classes: [ClassDescription] { schema.classes }
  /// The number of rows, the row of the roots included.
  public var rowCount: Int { contents.rowCount }
  /// The size of the file in bytes.
  public var byteCount: Int { store.bytes.count }
  /// Bytes of all segments after decompression.
  package var rawByteCount: Int { contents.rawByteCount }

  /// Whether columns are read by what a directory of chunks says in a file that was not verified. Set it for
  /// files of writers that you trust; after `verify()` it has no effect.
  ///
  /// `ArchiveRows.column(_:declaredBy:as:)` then reads and checks the chunks of that column alone, and
  /// passes over segments that by the directory have nothing of what is asked for. A wrong directory can hide
  /// rows, but not give other values. Spec: 13-directory, section 3.
  public var trustsChunkDirectory = false

  package let limits: ArchiveLimits
  package var layouts: [ColumnLayout] { schema.layouts }
  package let schema: FileSchema
  private let cell = Cell(ArchiveContents())
  var contents: ArchiveContents { @inline(__always) _read { yield cell.value } }
  /// Indices in `segments` of the `ROWS` segments, in row order.
  package var rowsSegments: [Int] { contents.rowsSegments }

  /// The bytes of the file.
  package var bytes: ByteView { store.bytes }

  // What `ArchiveFile+Directory` keeps.
  /// Whether `verify()` found nothing wrong.
  var isVerified = false
  /// What the file's directory says, once it was read: nil within if it has none.
  var readDirectory: ChunkDirectory??

  // What `ArchiveFile+Segments` keeps.
  let store: ByteStore
  var areStringsLoaded = false
  var madeStringSegments: StringSegments?
  var madeDecodedRows: ObjectCache?
  let loadedRows = Cell(SegmentCache())
  /// Payloads that were decompressed ahead of time, by index in `segments`.
  let inflated = Cell<[Int: SegmentPayload]>([:])
  /// Indices in `segments` of those whose rows were checked.
  let checkedSegments = Cell<Set<Int>>([])

  /// Opens an archive in memory: an array, a slice, `Data`. The bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `ArchiveError`.
  /// - Complexity: O(*n*) in the number of bytes.
  public convenience init(bytes: some Collection<UInt8>, limits: ArchiveLimits = .default)
    throws(ArchiveError)
  {
    try self.init(store: ByteStore(copying: bytes), limits: limits)
  }

  package init(store: ByteStore, limits: ArchiveLimits) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    try cell.value.read(store, limits: limits)
    // Before any content: a file of a later version is newer, not damaged. Spec: 05-graph, section 4.
    if cell.value.hasOtherSegments { try cell.value.checkSegmentsAreUsed(in: store) }
    schema = try FileSchema(reading: cell.value.segments, in: store, limits: limits)
  }

  /// Opens what is left of a damaged file: segments that `ArchiveRecovery` found intact or added, anywhere in
  /// `store`, whose numbers have no gaps. Their contents are checked as always.
  init(recovered segments: [SegmentInfo], writer: String, store: ByteStore, limits: ArchiveLimits)
    throws(ArchiveError)
  {
    self.store = store
    self.limits = limits
    cell.value = ArchiveContents(recovered: segments, writer: writer)
    schema = try FileSchema(reading: segments, in: store, limits: limits)
  }

  // MARK: Reading another file

  /// The offset at which a file seems to contain the same class table as this one; nil if none is found.
  package func locationOfClasses(in bytes: ByteView) -> Int? { schema.location(in: bytes) }

  /// Opens another file with the same class table in place of this one, and reuses memory; all that was read
  /// before is forgotten. The caller keeps `bytes` unchanged until `prepareForReuse`; `location` is what
  /// `locationOfClasses` returned for them.
  ///
  /// Returns false if the class table is another one; then this object must not be used until it is reopened.
  package func reopen(
    _ bytes: ByteView, locationOfClasses location: Int
  ) throws(ArchiveError) -> Bool {
    store.borrow(bytes)
    try cell.value.read(store, limits: limits)
    guard hasOnlyKnownClasses(at: location) else { return false }
    if contents.hasOtherSegments { try contents.checkSegmentsAreUsed(in: store) }
    return true
  }

  /// Whether the only `CLSS` segment is the one found to be the same.
  private func hasOnlyKnownClasses(at offset: Int) -> Bool {
    var isFound = false
    for segment in segments where segment.kind == .classes {
      guard !isFound, segment.byteOffset == offset, schema.isSource(segment) else { return false }
      isFound = true
    }
    return isFound
  }

  /// Forgets the file, and no longer uses the memory passed to `reopen`. Keeps the class table.
  package func prepareForReuse() {
    store.endBorrowing()
    areStringsLoaded = false
    if !inflated.value.isEmpty { inflated.value = [:] }
    if !checkedSegments.value.isEmpty { checkedSegments.value = [] }
    (madeStringSegments, madeDecodedRows) = (nil, nil)
    if isVerified { isVerified = false }
    if readDirectory != nil { readDirectory = nil }
    loadedRows.value.removeAll()
    schema.prepareForReuse()
  }
}
