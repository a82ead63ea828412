import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The functions of ``Archiver`` for callers that must not be blocked.
///
///     try await Archiver(compression: .zlib).write(document, to: url)
///
/// Each function takes a snapshot of the graph on the caller's actor, and does the rest on a thread of the
/// global executor. Later changes of the graph are not in the archive. If the task is cancelled, the function
/// throws `CancellationError` between two segments of about 1 MB. Taking the snapshot is not interrupted.
extension Archiver {
  /// Archives a graph, and packs it off the caller's actor. Returns the bytes.
  ///
  ///     let bytes = try await Archiver(compression: .zlib).archive(museum) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived, or what an `encode(to:)`, a
  ///   hook or `progress` throws.
  nonisolated(nonsending) public func archive(
    _ root: some ArchivableValue, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(of: root).archive(progress: progress)
  }

  /// Archives several named roots, and packs them off the caller's actor. Returns the bytes.
  ///
  ///     let bytes = try await Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let roots = try ArchiveFile(bytes: bytes).roots()
  ///     print(roots.properties.map(\.key))   // ["museum", "recent"]
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived, or what an `encode(to:)`, a
  ///   hook or `progress` throws.
  nonisolated(nonsending) public func archive(
    roots: KeyValuePairs<String, any ArchivableValue>, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(roots: roots).archive(progress: progress)
  }

  /// Archives a graph and replaces a file with it, off the caller's actor.
  ///
  ///     try await Archiver(compression: .zlib).write(museum, to: url) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// The archive is written to a new file in the same directory, which then replaces the file at `url`. If
  /// the save fails or is cancelled, the old file is unchanged and no other file remains.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - url: the location of the file, which may exist.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    _ root: some ArchivableValue, to url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(of: root).write(to: url, progress: progress)
  }

  /// Archives several named roots and replaces a file with them, off the caller's actor.
  ///
  ///     let roots: KeyValuePairs<String, any ArchivableValue> = ["museum": museum, "recent": recent]
  ///     try await Archiver().write(roots: roots, to: url)
  ///     let artworks = try await Unarchiver().read([Artwork].self, from: url, root: "recent")
  ///
  /// If the save fails or is cancelled, the old file is unchanged.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - url: the location of the file, which may exist.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, to url: URL,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(roots: roots).write(to: url, progress: progress)
  }

  /// Replaces a file with the bytes of an archive, off the caller's actor.
  ///
  ///     let bytes = try await Archiver().archive(museum)
  ///     try await Archiver.write(archive: bytes, to: url)
  ///     let copy = try await Unarchiver().read(Museum.self, from: url)
  ///
  /// - Parameters:
  ///   - bytes: the archive, such as the result of `archive(_:)`.
  ///   - url: the location of the file, which may exist.
  /// - Throws: `CancellationError`, or `ArchiveError` with code `fileSystem`. The old file is then unchanged.
  @concurrent public static func write(archive bytes: [UInt8], to url: URL) async throws {
    try replaceFile(at: url) { file in
      try file.write(bytes)
      try Task.checkCancellation()
    }
  }

  /// Archives a graph and writes it to an open file, pipe or socket, off the caller's actor.
  ///
  ///     let output = try FileHandle(forWritingTo: url)
  ///     try await Archiver().write(museum, toFileDescriptor: output.fileDescriptor)
  ///     try output.close()
  ///
  /// Writing begins at the current position and does not seek. After an error or a cancellation, the output
  /// does not contain a valid archive.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - descriptor: the descriptor of the output.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    _ root: some ArchivableValue, toFileDescriptor descriptor: Int32,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(of: root).write(toFileDescriptor: descriptor, progress: progress)
  }

  /// Archives several named roots and writes them to an open file, pipe or socket, off the caller's actor.
  ///
  ///     let output = try FileHandle(forWritingTo: url)
  ///     let roots: KeyValuePairs<String, any ArchivableValue> = ["museum": museum, "recent": recent]
  ///     try await Archiver().write(roots: roots, toFileDescriptor: output.fileDescriptor)
  ///     try output.close()
  ///
  /// Writing begins at the current position and does not seek. After an error or a cancellation, the output
  /// does not contain a valid archive.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - descriptor: the descriptor of the output.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil for no calls.
  /// - Throws: `CancellationError`, `ArchiveError` if a value cannot be archived or with code `fileSystem` if
  ///   writing fails, or what an `encode(to:)`, a hook or `progress` throws.
  nonisolated(nonsending) public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, toFileDescriptor descriptor: Int32,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(roots: roots).write(toFileDescriptor: descriptor, progress: progress)
  }
}
