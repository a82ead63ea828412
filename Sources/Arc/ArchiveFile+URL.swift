public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveFile {
  /// Opens the archive in a file, which is read into memory: `ArchiveFile(path:)` for a URL.
  public convenience init(contentsOf url: URL, limits: Limits = .default) throws {
    try self.init(path: url.localPath(), limits: limits)
  }

  /// Opens the archive in a file that nobody changes while it is open, and reads only what is asked for. What happens
  /// if somebody does change it: `ArchiveFile(mappingPath:)`.
  public convenience init(mapping url: URL, limits: Limits = .default) throws {
    try self.init(mappingPath: url.localPath(), limits: limits)
  }
}
