public import ArcFormat

extension ArchiveFile {
  /// An archive that several tasks read at the same time.
  ///
  ///     let source = try ArchiveFile(mapping: url).source
  ///     async let titles = try ArchiveFile(source).rows(ofClass: "Artwork").column("title", as: String.self)
  ///     async let years = try ArchiveFile(source).rows(ofClass: "Artwork").column("year", as: Int.self)
  ///     for (title, year) in zip(try await titles, try await years) { print(title, year) }
  ///
  /// Only one task may use an ``ArchiveFile``, because the file caches the data that it read. A source is
  /// `Sendable`, so each task can open a file of its own from the source. All these files use the same bytes
  /// and the same index. To share the rows of one class among tasks, see ``ArchiveRows/idRanges(atMost:)``.
  public struct Source: @unchecked Sendable {  // The store is not borrowed, so nothing changes it.
    fileprivate let store: ByteStore
    fileprivate let contents: ArchiveContents
    fileprivate let limits: ArchiveLimits
    fileprivate let rowCounts: [Int]
    fileprivate let isVerified: Bool
    fileprivate let trustsChunkDirectory: Bool
  }

  /// A source from which other tasks can open the archive.
  ///
  ///     let file = try ArchiveFile(mapping: url)
  ///     file.trustsChunkDirectory = true
  ///     let source = file.source
  ///     let count = try await Task { try ArchiveFile(source).rows(ofClass: "Artwork").ids().count }.value
  ///     print(count)
  ///
  /// The source stores the current value of ``trustsChunkDirectory``, and whether this file was verified.
  /// Files that are opened from the source start with both values. If this file was verified, they need not
  /// be verified again.
  public var source: Source {
    Source(
      store: store.isBorrowed ? ByteStore(copying: [UInt8](store.bytes)) : store, contents: contents,
      limits: limits, rowCounts: schema.rowCounts, isVerified: isVerified,
      trustsChunkDirectory: trustsChunkDirectory)
  }

  /// Opens the archive of a source, without copying its bytes or reading its index.
  ///
  ///     let source = try ArchiveFile(contentsOf: url).source
  ///     let file = try ArchiveFile(source)
  ///     print(file.rowCount)
  ///
  /// - Parameter source: the ``source`` of an open file.
  /// - Throws: `ArchiveError` with the code of the damage if the class table is damaged. This happens only if
  ///   another process changed a mapped file.
  /// - Complexity: O(*n*) in the size of the class table.
  public convenience init(_ source: Source) throws(ArchiveError) {
    try self.init(store: source.store, contents: source.contents, limits: source.limits)
    schema.rowCounts = source.rowCounts
    isVerified = source.isVerified
    trustsChunkDirectory = source.trustsChunkDirectory
  }
}
