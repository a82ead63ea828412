import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The functions of ``Archiver`` for callers that need not be stopped: each takes a snapshot where it is
/// called, on the caller's actor, and does the rest on a thread of the global executor.
///
///     try await Archiver(compression: .zlib).write(document, to: url)
///
/// A graph that is changed afterwards is written as it was. When the task is cancelled, they end with
/// `CancellationError` between two segments of about a megabyte; the walk through the graph is not
/// interrupted.
extension Archiver {
  /// Archives a graph.
  ///
  /// - Parameters:
  ///   - root: the value that becomes the single root.
  ///   - progress: told how far it is.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func archive(
    _ root: some ArchivableValue, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(of: root).archive(progress: progress)
  }

  /// Archives several roots with names of their own.
  ///
  /// - Parameters:
  ///   - roots: the values by their names, which must be distinct.
  ///   - progress: told how far it is.
  /// - Returns: the bytes of the archive.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func archive(
    roots: KeyValuePairs<String, any ArchivableValue>, progress: ArchiveProgress.Handler? = nil
  ) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await snapshot(roots: roots).archive(progress: progress)
  }

  /// Writes the archive of a graph to a new file in the same directory, which then replaces the one at `url`.
  /// A save that fails or is cancelled leaves the old file, and nothing else.
  ///
  /// - Parameters:
  ///   - root: the value that becomes the single root.
  ///   - url: the file that the archive replaces, or that is made.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func write(
    _ root: some ArchivableValue, to url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(of: root).write(to: url, progress: progress)
  }

  /// Writes the archive of several roots to a file, as `write(_:to:progress:)` does.
  ///
  /// - Parameters:
  ///   - roots: the values by their names, which must be distinct.
  ///   - url: the file that the archive replaces, or that is made.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, to url: URL,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(roots: roots).write(to: url, progress: progress)
  }

  /// Writes bytes to a file as archives are written, elsewhere.
  ///
  /// - Parameters:
  ///   - bytes: the bytes, such as those that `archive(_:)` returned.
  ///   - url: the file that they replace, or that is made.
  /// - Throws: `CancellationError`, or `ArchiveError` with code `fileSystem`; the old file then stays as it
  ///   was.
  @concurrent public static func write(archive bytes: [UInt8], to url: URL) async throws {
    try replaceFile(at: url) { file in
      try file.write(bytes)
      try Task.checkCancellation()
    }
  }

  /// Writes the archive of a graph to an open file, pipe or socket, from the current position on. What was
  /// written before an error or a cancellation is no archive.
  ///
  /// - Parameters:
  ///   - root: the value that becomes the single root.
  ///   - descriptor: what is written to.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func write(
    _ root: some ArchivableValue, toFileDescriptor descriptor: Int32,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(of: root).write(toFileDescriptor: descriptor, progress: progress)
  }

  /// Writes the archive of several roots to an open file, as `write(_:toFileDescriptor:progress:)` does.
  ///
  /// - Parameters:
  ///   - roots: the values by their names, which must be distinct.
  ///   - descriptor: what is written to.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what an `encode(to:)` or `progress` throws.
  nonisolated(nonsending) public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, toFileDescriptor descriptor: Int32,
    progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try Task.checkCancellation()
    try await snapshot(roots: roots).write(toFileDescriptor: descriptor, progress: progress)
  }
}
