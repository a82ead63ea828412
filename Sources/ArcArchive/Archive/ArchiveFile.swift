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
  /// Bytes of all segments after decompression.
  package var rawByteCount: Int { contents.rawByteCount }

  /// Whether queries use the file's chunk directory although `verify()` has not checked it.
  ///
  ///     let file = try ArchiveFile(mapping: url)
  ///     file.trustsChunkDirectory = true
  ///     let artworks = try file.rows(ofClass: "Artwork").where("year", atLeast: 2000)
  ///     print(try artworks.column("title", as: String.self))
  ///
  /// Set this property to true only for files whose writers you trust. Queries on columns then read and check
  /// only the chunks of the columns in use, and skip segments that the directory excludes. A wrong directory
  /// can hide rows, but cannot change values. If the property is false, queries read and check whole
  /// segments. After `verify()`, queries use the directory whether the property is true or false. Spec:
  /// 13-directory, section 3.
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

  /// Opens an archive in memory. The new `ArchiveFile` copies the bytes.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let file = try ArchiveFile(bytes: bytes)
  ///     print(file.rowCount)
  ///
  /// - Parameters:
  ///   - bytes: the archive: an array, a slice, or `Data`.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `limitExceeded` if the archive needs more than `limits` allow, or the
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
    // Before any content: a file of a later version is newer, not damaged. Spec: 05-graph, section 4.
    if cell.value.hasOtherSegments { try cell.value.checkSegmentsAreUsed(in: store) }
    schema = try FileSchema(reading: cell.value.segments, in: store, limits: limits)
  }

  /// Opens what is left of a damaged file: segments that `ArchiveRecovery` found intact or added, anywhere in
  /// `store`, whose numbers have no gaps. Their contents are checked as always.
  convenience init(
    recovered segments: [SegmentInfo], writer: String, store: ByteStore, limits: ArchiveLimits
  ) throws(ArchiveError) {
    try self.init(
      store: store, contents: ArchiveContents(recovered: segments, writer: writer), limits: limits)
  }

  /// Opens a file that another object has read the index of.
  init(
    store: ByteStore, contents: ArchiveContents, limits: ArchiveLimits
  ) throws(ArchiveError) {
    self.store = store
    self.limits = limits
    cell.value = contents
    schema = try FileSchema(reading: contents.segments, in: store, limits: limits)
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
