public import ArcFormat
import ArcRuntime

/// An archive opened for reading, without the classes of the program that wrote it.
///
///     let file = try ArchiveFile(contentsOf: url)
///     for info in file.classInfos {
///       print(info.name, try file.rowCount(ofClass: info.name))
///     }
///
/// Opening checks the header, the trailer and the index, and reads the class table. Rows and strings are
/// checked when they are first used; `verify()` checks all of them. Two threads must not use one
/// `ArchiveFile` at once. For several tasks, open one `ArchiveFile` per task from a ``Source``.
public final class ArchiveFile {
  /// The name of the root in an archive that was written from one value: `root`.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let roots = try ArchiveFile(bytes: bytes).roots()
  ///     print(roots[ArchiveFile.defaultRoot] ?? .null)   // reference(#1)
  public static let defaultRoot = "root"

  /// The format version of the file: the major and the minor version number.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let (major, minor) = file.version
  ///     print("format \(major).\(minor)")
  public var version: (major: Int, minor: Int) { contents.version }
  /// The name and the version of the software that wrote the file, such as `Arc 1.0`.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     print(file.writer)   // Arc …
  ///     print(file.byteCount)
  public var writer: String { contents.writer }
  /// All segments of the file except the index, in file order.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     for segment in file.segments where segment.kind == .rows {
  ///       print(segment.byteOffset, segment.storedByteCount, segment.count)
  ///     }
  public var segments: [SegmentInfo] { contents.segments }
  /// The class table. Its first class, `$roots`, describes row 0, whose columns are the named roots.
  package var classes: [ClassDescription] { schema.classes }
  /// The number of rows, including row 0 with the roots.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let objectCount = file.rowCount - 1
  ///     print("\(objectCount) objects")
  public var rowCount: Int { contents.rowCount }
  /// The size of the file in bytes.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let rawCount = file.segments.reduce(0) { $0 + $1.rawByteCount }
  ///     print("\(file.byteCount) bytes, \(rawCount) before compression")
  public var byteCount: Int { store.bytes.count }
  /// The number of bytes of all segments after decompression.
  package var rawByteCount: Int { contents.rawByteCount }

  /// Whether queries use the file's chunk directory although `verify()` has not checked it.
  ///
  ///     let file = try ArchiveFile(mapping: url)
  ///     file.trustsChunkDirectory = true
  ///     let artworks = try file.rows(ofClass: "Artwork").where("year", atLeast: 2000)
  ///     print(try artworks.column("title", as: String.self))
  ///
  /// Set this property to true only for files whose writers you trust. Queries on columns then read and check
  /// only the chunks of the columns in use, and skip segments that the directory excludes. If the writer of a
  /// compressed file listed points for decompression, queries decompress only these chunks. A wrong directory
  /// can hide rows, but cannot change values, unless it was crafted to show other bytes of a compressed file.
  /// If the property is false, queries read and check whole segments. After `verify()`, queries use the
  /// directory whether the property is true or false. Spec: 13-directory, section 3.
  public var trustsChunkDirectory = false

  package let limits: ArchiveLimits
  package var layouts: [ColumnLayout] { schema.layouts }
  package let schema: FileSchema
  private let cell = Cell(ArchiveContents())
  var contents: ArchiveContents { @inline(__always) _read { yield cell.value } }
  /// Returns the segment with the weak columns of a segment of rows. Nil if the file has none.
  ///
  /// - Throws: `malformedSegment` if some segment of weak columns belongs to no segment of rows.
  func weakColumns(of rows: SegmentInfo) throws(ArchiveError) -> SegmentInfo? {
    try cell.value.weakColumns(of: rows)
  }
  /// The indices of the `ROWS` segments in `segments`, in row order.
  package var rowsSegments: [Int] { contents.rowsSegments }

  /// The bytes of the file.
  package var bytes: ByteView { store.bytes }

  // The state of `ArchiveFile+Directory`.
  /// A closure that `verify()` calls if only the chunk directory is wrong. `verify()` then does not throw the
  /// error, because the file is sound without its directory. If the closure is nil, `verify()` throws the
  /// error. Spec: 15-conformance, section 1.
  package var wrongDirectoryHandler: ((ArchiveError) -> Void)?
  /// Whether `verify()` has succeeded.
  var isVerified = false
  /// The chunk directory. The outer optional is nil until the directory is read; the inner optional is nil if
  /// the file has no directory.
  var cachedDirectory: ChunkDirectory??
  /// The points of compressed segments at which decompression can begin, by the offset of the segment. Set
  /// together with `cachedDirectory`.
  var cachedPoints: [Int: SegmentPoints] = [:]

  // The state of `ArchiveFile+Segments`.
  let store: ByteStore
  var areStringsLoaded = false
  var cachedStringSegments: StringSegments?
  var cachedDecodedRows: ObjectCache?
  let loadedRows = Cell(SegmentCache())
  /// Payloads that were decompressed before they were needed, by index in `segments`.
  let inflated = Cell<[Int: SegmentPayload]>([:])
  /// The indices in `segments` of the segments whose rows were checked.
  let checkedSegments = Cell<Set<Int>>([])

  /// Opens an archive in memory. The new `ArchiveFile` copies the bytes.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let file = try ArchiveFile(bytes: bytes)
  ///     print(file.rowCount)
  ///
  /// - Parameters:
  ///   - bytes: the archive: an array, a slice, or `Data`.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `limitExceeded` if reading the archive exceeds `limits`, or the
  ///   code of the damage that opening finds.
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
    // This check precedes the reading of all content, because a file of a later format version must be
    // reported as newer, not as damaged. Spec: 05-graph, section 4.
    try cell.value.checkSegments(in: store)
    schema = try FileSchema(reading: cell.value.segments, in: store, limits: limits)
  }

  /// Opens the intact segments of a damaged file. The segments can be at any location in `store`.
  /// `ArchiveRecovery` found some of them in the file and added others; the row numbers of all segments have
  /// no gaps. Their contents are checked as in any other file.
  convenience init(
    recovered segments: [SegmentInfo], writer: String, store: ByteStore, limits: ArchiveLimits
  ) throws(ArchiveError) {
    try self.init(
      store: store, contents: ArchiveContents(recovered: segments, writer: writer), limits: limits)
  }

  /// Opens a file whose index was already read.
  init(
    store: ByteStore, contents: ArchiveContents, limits: ArchiveLimits
  ) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    cell.value = contents
    schema = try FileSchema(reading: contents.segments, in: store, limits: limits)
  }

  // MARK: Reading another file

  /// Returns the offset of the class table in another file, if this class table is equal to the class table
  /// of this file. `bytes` contains the other file. Nil if its metadata is not followed by an equal class
  /// table.
  package func locationOfClasses(in bytes: ByteView) -> Int? { schema.location(in: bytes) }

  /// Opens another file in this `ArchiveFile` and reuses its memory, if the other file has an equal class
  /// table. Discards everything that was read from the previous file.
  ///
  /// - Parameters:
  ///   - bytes: the other file. The caller keeps the bytes unchanged until it calls `prepareForReuse`.
  ///   - location: the result of `locationOfClasses(in:)` for the bytes.
  /// - Returns: false if the class table differs. The object must then not be used until another `reopen`
  ///   succeeds.
  /// - Throws: the code of the damage that opening finds.
  package func reopen(
    _ bytes: ByteView, locationOfClasses location: Int
  ) throws(ArchiveError) -> Bool {
    store.borrow(bytes)
    try cell.value.read(store, limits: limits)
    guard hasOnlyKnownClasses(at: location) else { return false }
    try contents.checkSegments(in: store)
    return true
  }

  /// Whether the file has exactly one `CLSS` segment, at `offset`, whose bytes equal the known class table.
  private func hasOnlyKnownClasses(at offset: Int) -> Bool {
    var isFound = false
    for segment in segments where segment.kind == .classes {
      guard !isFound, segment.byteOffset == offset, schema.isSource(segment) else { return false }
      isFound = true
    }
    return isFound
  }

  /// Discards the contents of the file, and stops using the memory that was passed to `reopen`. The class
  /// table is preserved.
  package func prepareForReuse() {
    store.endBorrowing()
    areStringsLoaded = false
    if !inflated.value.isEmpty { inflated.value = [:] }
    if !checkedSegments.value.isEmpty { checkedSegments.value = [] }
    (cachedStringSegments, cachedDecodedRows) = (nil, nil)
    if isVerified { isVerified = false }
    if cachedDirectory != nil { cachedDirectory = nil }
    if !cachedPoints.isEmpty { cachedPoints = [:] }
    loadedRows.value.removeAll()
    schema.prepareForReuse()
  }
}
