import ArcArchive
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The functions of ``Unarchiver`` for callers that must not be blocked.
///
///     let document = try await Unarchiver().read(Document.self, from: url)
///
/// Each function has two versions. If the type belongs to no actor, a thread of the global executor reads the
/// file and builds the graph. If the type, or the type of its elements, belongs to an actor, the graph is
/// built on the caller's actor; only the file is read off the actor. The compiler chooses the version by the
/// constraint `SendableMetatype`, so a generic caller must repeat the constraint. If the task is cancelled,
/// the function throws `CancellationError` between two segments of about 1 MB, and releases every object.
extension Unarchiver {
  /// Reads a root of an archive, off the caller's actor. Returns the root.
  ///
  ///     let bytes = try await Archiver().archive(museum)
  ///     let copy = try await Unarchiver().unarchive(Museum.self, from: bytes) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: the archive.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `unarchive(_:from:root:)`.
  @concurrent public func unarchive<Value: ArchivableValue & SendableMetatype>(
    _ type: Value.Type, from bytes: some ContiguousBytes & Sendable, root: String = ArchiveFile.defaultRoot,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try self.root(type, named: root, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of an archive and builds its objects on the caller's actor. Returns the root.
  ///
  ///     // @Archivable @MainActor final class Placard { var title = "" }
  ///     let bytes = try await Archiver().archive(Placard())
  ///     let placard = try await Unarchiver().unarchive(Placard.self, from: bytes)   // on the main actor
  ///     print(placard.title)
  ///
  /// The compiler chooses this version if the type belongs to an actor.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: the archive.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `unarchive(_:from:root:)`.
  nonisolated(nonsending) public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes & Sendable, root: String = ArchiveFile.defaultRoot,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try self.root(type, named: root, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads several named roots of an archive, off the caller's actor. Returns the roots.
  ///
  ///     let bytes = try await Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let (copy, artworks) = try await Unarchiver().unarchive(
  ///       roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: bytes)
  ///     print(copy.name, artworks.count)
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - bytes: the archive.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `unarchive(roots:from:)`.
  @concurrent public func unarchive<each Value: ArchivableValue & SendableMetatype>(
    roots: repeat RootRequest<each Value>, from bytes: some ContiguousBytes & Sendable,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads several named roots of an archive and builds their objects on the caller's actor. Returns the
  /// roots.
  ///
  ///     let bytes = try await Archiver().archive(roots: ["placard": Placard(), "count": 1])
  ///     let (placard, count) = try await Unarchiver().unarchive(   // builds on the main actor
  ///       roots: .init("placard", Placard.self), .init("count", Int.self), from: bytes)
  ///     print(placard.title, count)
  ///
  /// The compiler chooses this version if one of the types belongs to an actor.
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - bytes: the archive.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `unarchive(roots:from:)`.
  nonisolated(nonsending) public func unarchive<each Value: ArchivableValue>(
    roots: repeat RootRequest<each Value>, from bytes: some ContiguousBytes & Sendable,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of a file, off the caller's actor. Returns the root.
  ///
  ///     let museum = try await Unarchiver().read(Museum.self, from: url) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the file.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `read(_:from:root:)`.
  @concurrent public func read<Value: ArchivableValue & SendableMetatype>(
    _ type: Value.Type, from url: URL, root: String = ArchiveFile.defaultRoot,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    try Task.checkCancellation()
    return try self.root(
      type, named: root, from: contents(of: url), of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads a root of a file and builds its objects on the caller's actor. Returns the root.
  ///
  ///     // @Archivable @MainActor final class Placard { var title = "" }
  ///     try await Archiver().write(Placard(), to: url)
  ///     let placard = try await Unarchiver().read(Placard.self, from: url)   // built on the main actor
  ///     print(placard.title)
  ///
  /// The compiler chooses this version if the type belongs to an actor. The bytes of the file are read off
  /// the caller's actor.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the file.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `read(_:from:root:)`.
  nonisolated(nonsending) public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = ArchiveFile.defaultRoot,
    progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending Value {
    let file = try await contentsOffActor(of: url)
    return try self.root(
      type, named: root, from: file, of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads several named roots of a file, off the caller's actor. Returns the roots.
  ///
  ///     let (museum, artworks) = try await Unarchiver().read(
  ///       roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: url)
  ///     print(museum.name, artworks.count)
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - url: the location of the file.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `read(roots:from:)`.
  @concurrent public func read<each Value: ArchivableValue & SendableMetatype>(
    roots: repeat RootRequest<each Value>, from url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    try Task.checkCancellation()
    return try self.roots(
      repeat each roots, from: contents(of: url), of: url, ProgressReporter(progress, endsWithTask: true))
  }

  /// Reads several named roots of a file and builds their objects on the caller's actor. Returns the roots.
  ///
  ///     try await Archiver().write(roots: ["placard": Placard(), "count": 1], to: url)
  ///     let (placard, count) = try await Unarchiver().read(   // builds on the main actor
  ///       roots: .init("placard", Placard.self), .init("count", Int.self), from: url)
  ///     print(placard.title, count)
  ///
  /// The compiler chooses this version if one of the types belongs to an actor. The bytes of the file are
  /// read off the caller's actor.
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - url: the location of the file.
  ///   - progress: called after each segment of about 1 MB, on any thread; nil to report no progress.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: `CancellationError` if the task is cancelled, an error that `progress` throws, or an error of
  ///   `read(roots:from:)`.
  nonisolated(nonsending) public func read<each Value: ArchivableValue>(
    roots: repeat RootRequest<each Value>, from url: URL, progress: ArchiveProgress.Handler? = nil
  ) async throws -> sending (repeat each Value) {
    let file = try await contentsOffActor(of: url)
    return try self.roots(
      repeat each roots, from: file, of: url, ProgressReporter(progress, endsWithTask: true))
  }

  @concurrent private func contentsOffActor(of url: URL) async throws -> sending ByteStore {
    try Task.checkCancellation()
    return try contents(of: url)
  }
}
