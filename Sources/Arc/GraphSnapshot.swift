import ArcArchive
import ArcFormat

/// The contents of a graph at one moment, without its objects, for packing and writing later.
///
///     let snapshot = try Archiver().snapshot(of: document)   // on the actor of the document
///     try await snapshot.write(to: url)                      // packs and writes off the caller's actor
///
/// Taking a snapshot takes about as long as walking through the graph. A snapshot contains values and
/// strings, but no objects, so the objects may change or be released immediately. The archive of a snapshot
/// has the bytes that ``Archiver/archive(_:)`` would have returned at that moment. A snapshot can be written
/// any number of times, even concurrently. Until its release, a snapshot needs somewhat more memory than the
/// uncompressed archive.
///
/// The methods without `async` run on the caller's thread. The methods with `async` run on a thread of the
/// global executor. If the task is cancelled, the methods with `async` throw `CancellationError` between two
/// segments.
public struct GraphSnapshot: Sendable {
  let content: Content

  /// The content that is not packed yet.
  indirect enum Content: Sendable {
    /// An archive that contains the program's objects, and no unknown content that was preserved from a file.
    case filled(DetachedArchive)
    /// An archive that contains the program's objects, and unknown content that was preserved from a file.
    case preserved(PreservedGraph)
    /// An archive with rows in another order than the layout requires. Its rows are put into the right order
    /// when the archive is packed.
    case arranged(Content, ArchiveOptions)
  }

  init(_ content: Content) { self.content = content }

  /// Packs the archive in memory. Returns the bytes.
  ///
  ///     let bytes = try snapshot.archive()
  ///
  /// - Parameter progress: called after each segment of about 1 MB, on the caller's thread; nil if progress
  ///   is not reported.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError` with code `compressionFailed`, or what `progress` throws.
  public func archive(progress: ArchiveProgress.Handler? = nil) throws -> [UInt8] {
    try archive(ProgressReporter(progress, endsWithTask: false))
  }

  /// Packs the archive in memory, off the caller's actor. Returns the bytes.
  ///
  ///     let bytes = try await snapshot.archive { print($0.fractionCompleted) }
  ///
  /// - Parameter progress: called after each segment of about 1 MB, on any thread; nil if progress is not
  ///   reported.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError` with code `compressionFailed`, or what `progress` throws.
  @concurrent public func archive(progress: ArchiveProgress.Handler? = nil) async throws -> [UInt8] {
    try archive(ProgressReporter(progress, endsWithTask: true))
  }

  private func archive(_ reporter: ProgressReporter) throws -> [UInt8] {
    let bytes = try ArchiveError.whileWriting { try Self.pack(content, reporter) }
    reporter.finish()
    return bytes
  }

  /// Packs the archive. Returns the bytes of the archive. If `destination` is not nil, the archive is written
  /// to the destination instead, and no bytes are returned.
  private static func pack(
    _ content: Content, _ reporter: ProgressReporter, to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    switch content {
    case .filled(let filled): return try filled.write(to: destination, step: reporter.report(packed:of:))
    case .preserved(let graph):
      try reporter.checkCancellation()
      return try graph.write(to: destination)
    case .arranged(let content, let options):
      let bytes = try pack(content, reporter)
      try reporter.checkCancellation()
      return try options.arrange(bytes, to: destination)
    }
  }

  /// Packs the archive and writes it to a file, pipe or socket.
  ///
  ///     try snapshot.write(to: url)
  ///
  /// A file is replaced as a whole or not at all, see ``ArchiveOutput``.
  ///
  /// - Parameters:
  ///   - output: the URL of a new or existing file, or an open descriptor.
  ///   - progress: called after each segment of about 1 MB, on the caller's thread; nil if progress is not
  ///     reported.
  /// - Throws: `ArchiveError` with code `fileSystem` or `compressionFailed`, or what `progress` throws.
  public func write(to output: some ArchiveOutput, progress: ArchiveProgress.Handler? = nil) throws {
    try write(to: output, ProgressReporter(progress, endsWithTask: false))
  }

  /// Packs the archive and writes it to a file, pipe or socket, off the caller's actor.
  ///
  ///     try await snapshot.write(to: url) { print($0.fractionCompleted) }
  ///
  /// A file is replaced as a whole or not at all, see ``ArchiveOutput``. If the task is cancelled, the old
  /// file is unchanged.
  ///
  /// - Parameters:
  ///   - output: the URL of a new or existing file, or an open descriptor.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil if progress is not reported.
  /// - Throws: `CancellationError`, `ArchiveError` with code `fileSystem` or `compressionFailed`, or what
  ///   `progress` throws.
  @concurrent public func write(
    to output: some ArchiveOutput, progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try write(to: output, ProgressReporter(progress, endsWithTask: true))
  }

  private func write(to output: some ArchiveOutput, _ reporter: ProgressReporter) throws {
    try output.__destination.write { destination in
      _ = try Self.pack(content, reporter, to: destination)
      try reporter.checkCancellation()
    }
    reporter.finish()
  }
}

extension Archiver {
  /// Takes a snapshot of a graph: the contents of its archive, before they are packed.
  ///
  ///     let snapshot = try Archiver(compression: .zlib).snapshot(of: museum)
  ///     museum.name = "Changed later"        // not in the snapshot
  ///     try await snapshot.write(to: url)     // packs, compresses and writes off the caller's actor
  ///
  /// Call this method on the actor of the objects. The snapshot packs, compresses and writes the archive
  /// later, without the objects, because the snapshot does not refer to any object.
  ///
  /// - Parameter root: the value to archive as the single root.
  /// - Returns: the snapshot.
  /// - Throws: `ArchiveError` if a value cannot be archived, with a code such as `notArchivable`,
  ///   `unownedTarget` or `nameConflict`; or what an `encode(to:)` or a hook throws.
  /// - Complexity: O(objects + values), in constant stack.
  public func snapshot(of root: some ArchivableValue) throws -> GraphSnapshot {
    try snapshot([(ArchiveFile.defaultRoot, root)])
  }

  /// Takes a snapshot of a graph with several named roots.
  ///
  ///     let snapshot = try Archiver().snapshot(roots: ["museum": museum, "recent": recent])
  ///     let bytes = try snapshot.archive()
  ///     let artworks = try Unarchiver().unarchive([Artwork].self, from: bytes, root: "recent")
  ///
  /// - Parameter roots: the values by root name. Names must be distinct.
  /// - Returns: the snapshot, which does not refer to any object.
  /// - Throws: `ArchiveError` if a value cannot be archived, with a code such as `notArchivable`,
  ///   `unownedTarget` or `nameConflict`; or what an `encode(to:)` or a hook throws.
  public func snapshot(roots: KeyValuePairs<String, any ArchivableValue>) throws -> GraphSnapshot {
    try snapshot(roots.map { ($0.key, $0.value) })
  }
}
