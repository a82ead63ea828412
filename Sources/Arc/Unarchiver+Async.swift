import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The functions of ``Unarchiver`` for callers that need not be stopped.
///
///     let document = try await Unarchiver().read(Document.self, from: url)
///
/// Of types that belong to no actor, a thread of the global executor reads the file and builds the graph.
/// Types of an actor, and collections of them, are built on the caller's actor, out of a file that is read
/// elsewhere: the compiler chooses by the constraint `SendableMetatype`, so a generic caller passes it on.
/// When the task is cancelled, reading ends with `CancellationError` between two segments of about a
/// megabyte, and every object is released.
extension Unarchiver {
  /// Reads a root of an archive, elsewhere.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - bytes: the archive.
  ///   - root: its name; that of a single root, if it is not given.
  ///   - progress: told how far it is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `CancellationError`, what `progress` throws, or as `unarchive(_:from:root:)` does.
  @concurrent public func unarchive<Value: ArchivableValue & SendableMetatype>(
    _ type: Value.Type, from bytes: some ContiguousBytes & Sendable, root: String = Archiver.rootName,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try self.root(type, named: root, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of an archive on the caller's actor, to which its type belongs.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - bytes: the archive.
  ///   - root: its name; that of a single root, if it is not given.
  ///   - progress: told how far it is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `CancellationError`, what `progress` throws, or as `unarchive(_:from:root:)` does.
  nonisolated(nonsending) public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes & Sendable, root: String = Archiver.rootName,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try self.root(type, named: root, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads roots of an archive by their names, elsewhere.
  ///
  /// - Parameters:
  ///   - roots: the names and types of the roots.
  ///   - bytes: the archive.
  ///   - progress: told how far it is.
  /// - Returns: the roots, in the order in which they were asked for.
  /// - Throws: `CancellationError`, what `progress` throws, or as `unarchive(roots:from:)` does.
  @concurrent public func unarchive<each Value: ArchivableValue & SendableMetatype>(
    roots: repeat Root<each Value>, from bytes: some ContiguousBytes & Sendable,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads roots of an archive by their names on the caller's actor, to which some of their types belong.
  ///
  /// - Parameters:
  ///   - roots: the names and types of the roots.
  ///   - bytes: the archive.
  ///   - progress: told how far it is.
  /// - Returns: the roots, in the order in which they were asked for.
  /// - Throws: `CancellationError`, what `progress` throws, or as `unarchive(roots:from:)` does.
  nonisolated(nonsending) public func unarchive<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from bytes: some ContiguousBytes & Sendable,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of a file, elsewhere.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - url: the file.
  ///   - root: its name; that of a single root, if it is not given.
  ///   - progress: told how far it is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `CancellationError`, what `progress` throws, or as `read(_:from:root:)` does.
  @concurrent public func read<Value: ArchivableValue & SendableMetatype>(
    _ type: Value.Type, from url: URL, root: String = Archiver.rootName,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try Task.checkCancellation()
    return try self.root(
      type, named: root, from: contents(of: url), of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of a file on the caller's actor, to which its type belongs; the file itself
  /// elsewhere.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - url: the file.
  ///   - root: its name; that of a single root, if it is not given.
  ///   - progress: told how far it is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `CancellationError`, what `progress` throws, or as `read(_:from:root:)` does.
  nonisolated(nonsending) public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = Archiver.rootName,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    let file = try await contentsElsewhere(of: url)
    return try self.root(
      type, named: root, from: file, of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads roots of a file by their names, elsewhere.
  ///
  /// - Parameters:
  ///   - roots: the names and types of the roots.
  ///   - url: the file.
  ///   - progress: told how far it is.
  /// - Returns: the roots, in the order in which they were asked for.
  /// - Throws: `CancellationError`, what `progress` throws, or as `read(roots:from:)` does.
  @concurrent public func read<each Value: ArchivableValue & SendableMetatype>(
    roots: repeat Root<each Value>, from url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try Task.checkCancellation()
    return try self.roots(
      repeat each roots, from: contents(of: url), of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads roots of a file by their names on the caller's actor, to which some of their types belong; the
  /// file itself elsewhere.
  ///
  /// - Parameters:
  ///   - roots: the names and types of the roots.
  ///   - url: the file.
  ///   - progress: told how far it is.
  /// - Returns: the roots, in the order in which they were asked for.
  /// - Throws: `CancellationError`, what `progress` throws, or as `read(roots:from:)` does.
  nonisolated(nonsending) public func read<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    let file = try await contentsElsewhere(of: url)
    return try self.roots(
      repeat each roots, from: file, of: url, ProgressReporter(progress, endsWithTask: true))
  }

  @concurrent private func contentsElsewhere(of url: URL) async throws -> sending ByteStore {
    try Task.checkCancellation()
    return try contents(of: url)
  }
}
