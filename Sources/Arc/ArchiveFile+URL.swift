public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveFile {
  /// Opens the archive in a file, as `ArchiveFile(path:options:limits:)` does for a path.
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, otherwise as that one does.
  public convenience init(contentsOf url: URL, options: OpenOptions = [], limits: Limits = .default) throws {
    try self.init(path: url.localPath(), options: options, limits: limits)
  }
}
