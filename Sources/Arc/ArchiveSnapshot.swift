import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A graph as it was at one moment, ready to be packed and written elsewhere.
///
///     let snapshot = try Archiver().snapshot(of: document)   // where the document is used
///     try await snapshot.write(to: url)                      // packs, compresses and writes elsewhere
///
/// Making it takes about as long as walking through the graph. It holds values and strings, none of the
/// objects: these may change or go at once. Whatever it is written to gets the bytes that
/// ``Archiver/archive(_:)`` would have returned at that moment. It can be written any number of times, also
/// at the same time, and takes memory for its columns, somewhat more than the archive uncompressed, until it
/// is released.
///
/// The functions without `async` work where they are called; with it they work on a thread of the global
/// executor, and end with `CancellationError` between two segments when their task is cancelled.
public struct ArchiveSnapshot: Sendable {
  let content: Content

  /// What is left to pack.
  indirect enum Content: Sendable {
    case filled(FilledArchive)
    /// With what the program does not know.
    case kept(KeptGraph)
    /// To be arranged when it is packed.
    case arranged(Content, ArchiveArrangement)
  }

  init(_ content: Content) { self.content = content }

  /// Packs the archive into memory.
  ///
  /// - Parameter progress: told how far it is.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError` with code `compressionFailed`, or what `progress` throws.
  public func archive(progress: ArchiveProgress.Handler? = nil) throws -> [UInt8] {
    try archive(ProgressReporter(progress, endsWithTask: false))
  }

  /// Packs the archive into memory, elsewhere.
  ///
  /// - Parameter progress: told how far it is.
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

  /// Packs the archive; returns no bytes if there is a destination, which then has all.
  private static func pack(
    _ content: Content, _ reporter: ProgressReporter, to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    switch content {
    case .filled(let filled): return try filled.write(to: destination, step: reporter.report(packed:of:))
    case .kept(let graph):
      try reporter.checkCancellation()
      return try graph.write(to: destination)
    case .arranged(let content, let arrangement):
      let bytes = try pack(content, reporter)
      try reporter.checkCancellation()
      return try arrangement.archive(bytes, to: destination)
    }
  }

  /// Packs the archive and writes it to a file, as ``Archiver/write(_:to:)`` does: whatever happens,
  /// the file is the old one or the new one as a whole, and durable.
  ///
  /// - Parameters:
  ///   - url: the file that it replaces, or that is made.
  ///   - progress: told how far it is.
  /// - Throws: `ArchiveError`, or what `progress` throws.
  public func write(to url: URL, progress: ArchiveProgress.Handler? = nil) throws {
    try write(to: url, ProgressReporter(progress, endsWithTask: false))
  }

  /// Packs the archive and writes it to a file, elsewhere. A cancelled save leaves the old file.
  ///
  /// - Parameters:
  ///   - url: the file that it replaces, or that is made.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what `progress` throws.
  @concurrent public func write(to url: URL, progress: ArchiveProgress.Handler? = nil) async throws {
    try write(to: url, ProgressReporter(progress, endsWithTask: true))
  }

  private func write(to url: URL, _ reporter: ProgressReporter) throws {
    try Archiver.replaceFile(at: url) { file in
      _ = try Self.pack(content, reporter) { bytes throws(ArchiveError) in try file.write(bytes) }
      try reporter.checkCancellation()
    }
    reporter.finish()
  }

  /// Packs the archive and writes it to an open file, pipe or socket, as
  /// ``Archiver/write(_:toFileDescriptor:)`` does. What was written before an error is no archive.
  ///
  /// - Parameters:
  ///   - descriptor: what is written to, from the current position on.
  ///   - progress: told how far it is.
  /// - Throws: `ArchiveError`, or what `progress` throws.
  public func write(toFileDescriptor descriptor: Int32, progress: ArchiveProgress.Handler? = nil) throws {
    try write(toFileDescriptor: descriptor, ProgressReporter(progress, endsWithTask: false))
  }

  /// Packs the archive and writes it to an open file, pipe or socket, elsewhere. What was written before an
  /// error or a cancellation is no archive.
  ///
  /// - Parameters:
  ///   - descriptor: what is written to, from the current position on.
  ///   - progress: told how far it is.
  /// - Throws: `CancellationError`, `ArchiveError`, or what `progress` throws.
  @concurrent public func write(
    toFileDescriptor descriptor: Int32, progress: ArchiveProgress.Handler? = nil
  ) async throws {
    try write(toFileDescriptor: descriptor, ProgressReporter(progress, endsWithTask: true))
  }

  private func write(toFileDescriptor descriptor: Int32, _ reporter: ProgressReporter) throws {
    let output = DescriptorOutput(descriptor)
    try ArchiveError.whileWriting {
      _ = try Self.pack(content, reporter) { bytes throws(ArchiveError) in try output.write(bytes) }
    }
    reporter.finish()
  }
}

extension Archiver {
  /// Takes what an archive of a graph will contain, as it is now, without packing it.
  ///
  /// This is the part of archiving that needs the objects: call it where they are used, on their actor.
  /// Packing, checksums, compression and writing are left to the snapshot.
  ///
  /// - Parameter root: the value that becomes the single root.
  /// - Returns: the snapshot, which refers to none of the objects.
  /// - Throws: `ArchiveError`, or what an `encode(to:)` throws.
  /// - Complexity: O(objects + values), in constant stack.
  public func snapshot(of root: some ArchivableValue) throws -> ArchiveSnapshot {
    try snapshot([(Self.rootName, root)])
  }

  /// Takes what an archive of several roots will contain, as `snapshot(of:)` does.
  ///
  /// - Parameter roots: the values by their names, which must be distinct.
  /// - Returns: the snapshot, which refers to none of the objects.
  /// - Throws: `ArchiveError`, or what an `encode(to:)` throws.
  public func snapshot(roots: KeyValuePairs<String, any ArchivableValue>) throws -> ArchiveSnapshot {
    try snapshot(roots.map { ($0.key, $0.value) })
  }
}
