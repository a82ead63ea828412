import Foundation

/// The package list to read: where it is, and its bytes.
struct InputFile {
  /// The name for people and for the database.
  let name: String
  let modified: Date?
  let bytes: [UInt8]

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: The error of the file system.
  init(path: String) throws {
    // A handle, because `Data(contentsOf:)` refuses pipes and devices.
    let handle: FileHandle
    if path == "-" {
      name = "standard input"
      modified = nil
      handle = .standardInput
    } else {
      let url = URL(fileURLWithPath: path)
      name = url.lastPathComponent
      modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      handle = try FileHandle(forReadingFrom: url)
    }
    bytes = try handle.readToEnd().map { [UInt8]($0) } ?? []
  }

  /// The system's own package list where there is one, else the excerpt that comes with Arc.
  ///
  /// The excerpt is looked for below the working directory, then beside the sources of this program.
  static var defaultPath: String? {
    let excerpt = "Fixtures/dpkg-status-excerpt.txt"
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return ["/var/lib/dpkg/status", excerpt, package.appendingPathComponent(excerpt).path]
      .first { FileManager.default.isReadableFile(atPath: $0) }
  }
}
