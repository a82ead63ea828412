import ArcFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// Returns the path of the local file to which the URL refers.
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the URL does not refer to a local file.
  package func localPath() throws(ArchiveError) -> String {
    guard scheme == nil || isFileURL else {
      throw ArchiveError(
        .fileSystem, found: "the URL '\(absoluteString)'", expected: "a file URL",
        remedy: "load the data of the URL, for example with URLSession, and pass the bytes")
    }
    if let host = host(percentEncoded: false), !host.isEmpty, host.lowercased() != "localhost" {
      throw ArchiveError(
        .fileSystem, found: "the URL '\(absoluteString)' of the host '\(host)'",
        expected: "the URL of a file on this computer")
    }
    return path
  }

  /// Returns the paths of all files and folders in a folder and its subfolders, relative to the folder, in
  /// any order. Links to folders are not followed.
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the folder cannot be listed.
  package func pathsInFolder() throws(ArchiveError) -> [String] {
    let path = try localPath()
    do {
      return try FileManager.default.subpathsOfDirectory(atPath: path)
    } catch {
      throw ArchiveError(
        .fileSystem, found: "the path '\(path)', whose contents cannot be listed (\(error))",
        expected: "the path of a readable folder")
    }
  }
}
