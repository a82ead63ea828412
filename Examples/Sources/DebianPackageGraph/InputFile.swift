import Foundation

/// The package list that the program reads: its name and its bytes.
struct InputFile {
  /// The name of the file in the output and in the database.
  let name: String
  let modified: Date?
  let bytes: [UInt8]

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: the error of the file system.
  init(path: String) throws {
    // Uses a handle, because `Data(contentsOf:)` rejects pipes and devices.
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

  /// The path of the system's package list, or of the excerpt if the system has no such list. Nil if neither
  /// is readable.
  ///
  /// The excerpt is searched for in the working directory, then in the repository.
  static var defaultPath: String? {
    ["/var/lib/dpkg/status", "Fixtures/dpkg-status-excerpt.txt", excerpt.path]
      .first { FileManager.default.isReadableFile(atPath: $0) }
  }

  /// A list of 323 packages, in the repository that contains the sources of this program.
  static let excerpt = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.appendingPathComponent("Fixtures/dpkg-status-excerpt.txt")
}
