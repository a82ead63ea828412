import ArcFormat

/// The functions of ``Archiver`` for callers that must not be blocked.
///
///     try await Archiver(compression: .zlib).write(document, to: url)
///
/// Each function takes a snapshot of the graph on the caller's actor, and does the rest on a thread of the
/// global executor. Later changes of the graph are not in the archive. If the task is cancelled, the function
/// throws `CancellationError` between two segments of about 1 MB. Taking the snapshot is not interrupted.
extension Archiver {
  /// Archives a graph. Packs the archive on a thread that does not belong to the caller's actor. Returns the
  /// bytes.
  ///
  ///     let bytes = try await Archiver(compression: .zlib).archive(museum) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil if progress is not reported.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived, or what an `encode(to:)`, a
  ///   hook or `progress` throws.
  nonisolated(nonsending) public func archive(
    _ root: some ArchivableValue, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(of: root).archive(progress: progress)
  }

  /// Archives several named roots. Packs the archive on a thread that does not belong to the caller's actor.
  /// Returns the bytes.
  ///
  ///     let bytes = try await Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let roots = try ArchiveFile(bytes: bytes).roots()
  ///     print(roots.properties.map(\.key))   // ["museum", "recent"]
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil if progress is not reported.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived, or what an `encode(to:)`, a
  ///   hook or `progress` throws.
  nonisolated(nonsending) public func archive(
    roots: KeyValuePairs<String, any ArchivableValue>, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(roots: roots).archive(progress: progress)
  }

  /// Archives a graph and writes the archive to a file, pipe or socket, off the caller's actor.
  ///
  ///     try await Archiver(compression: .zlib).write(museum, to: url) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// A file is replaced as a whole or not at all, see ``ArchiveOutput``. If the save fails or is cancelled,
  /// the old file is unchanged and no other file remains.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - output: the URL of a new or existing file, or an open descriptor.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil if progress is not reported.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    _ root: some ArchivableValue, to output: some ArchiveOutput, progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(of: root).write(to: output, progress: progress)
  }

  /// Archives several named roots and writes the archive to a file, pipe or socket, off the caller's actor.
  ///
  ///     let roots: KeyValuePairs<String, any ArchivableValue> = ["museum": museum, "recent": recent]
  ///     try await Archiver().write(roots: roots, to: url)
  ///     let artworks = try await Unarchiver().read([Artwork].self, from: url, root: "recent")
  ///
  /// If the save fails or is cancelled, the old file is unchanged.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - output: the URL of a new or existing file, or an open descriptor.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil if progress is not reported.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, to output: some ArchiveOutput,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(roots: roots).write(to: output, progress: progress)
  }
}
