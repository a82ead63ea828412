public import ArcArchive
public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveFile {
  /// Reads the archive at a URL into memory and opens it.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     try file.verify()
  ///     print(file.rowCount, file.writer)
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, `limitExceeded` if the file
  ///   needs more than `limits` allow, or the code of the damage that opening finds.
  public convenience init(contentsOf url: URL, limits: ArchiveLimits = .default) throws {
    try self.init(path: url.localPath(), limits: limits)
  }

  /// Opens the archive at a URL without reading it into memory.
  ///
  ///     let file = try ArchiveFile(mapping: url)
  ///     let museum = try file.object(ObjectID(rawValue: 1))   // reads one segment and its strings
  ///     print(museum["name"] ?? .null)
  ///
  /// The file is mapped into memory, and only the parts in use are read. **Use this initializer only for
  /// files that no program changes while they are open.** The initializer `ArchiveFile(mapping:limits:)` for
  /// a path explains the risk.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be mapped, `limitExceeded` if
  ///   the file needs more than `limits` allow, or the code of the damage that opening finds.
  public convenience init(mapping url: URL, limits: ArchiveLimits = .default) throws {
    try self.init(mapping: url.localPath(), limits: limits)
  }

  /// Writes the bytes of the archive to a file, pipe or socket.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     try ArchiveFile(bytes: bytes).write(to: url)
  ///     print(bytes.count)
  ///
  /// A file is replaced as a whole or not at all, see ``ArchiveOutput``. To archive objects on one actor and
  /// write them on another, use ``Archiver/snapshot(of:)``.
  ///
  /// - Parameter output: the URL of a new or existing file, or an open descriptor.
  /// - Throws: `ArchiveError` with code `fileSystem` if writing fails. An existing file is then unchanged.
  public func write(to output: some ArchiveOutput) throws {
    try output.__destination.write { write in try write(Array(bytes)) }
  }
}
