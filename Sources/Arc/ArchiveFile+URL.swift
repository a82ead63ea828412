public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveFile {
  /// Reads the archive in a file into memory and opens it, as `ArchiveFile(path:limits:)` does for a path.
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, otherwise as that one does.
  public convenience init(contentsOf url: URL, limits: ArchiveLimits = .default) throws {
    try self.init(path: url.localPath(), limits: limits)
  }

  /// Opens the archive in a file, which stays there, as `ArchiveFile(mapping:limits:)` does for a path:
  /// **only for files that nobody changes while they are open.**
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be mapped, otherwise as that one
  ///   does.
  public convenience init(mapping url: URL, limits: ArchiveLimits = .default) throws {
    try self.init(mapping: url.localPath(), limits: limits)
  }
}
