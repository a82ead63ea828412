extension ArchiveFile {
  /// Reads the archive at a path into memory, and opens it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `ArchiveError`, with code `fileSystem` if the file cannot be read.
  public convenience init(path: String, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try self.init(path: path, isMapped: false, limits: limits)
  }

  /// Opens the archive at a path, which stays in the file: only the parts in use are read, which takes
  /// milliseconds, even for a gigabyte.
  ///
  ///     let file = try ArchiveFile(mapping: "people.arc")
  ///     print(try file.object(ObjectID(rawValue: 7))["name"] ?? .null)   // reads one segment and strings
  ///
  /// **Only for files that nobody changes while they are open.** If another process cuts the file, an
  /// access to the missing part ends this one with the signal SIGBUS; if it writes into it, values that
  /// were checked may change, and reading may give an error or other values. A file that is replaced as a
  /// whole, as `Archiver.write` does, stays unchanged for whoever has it open. What is not a regular file
  /// is refused.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `ArchiveError`, with code `fileSystem` if the file cannot be mapped.
  public convenience init(mapping path: String, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try self.init(path: path, isMapped: true, limits: limits)
  }

  private convenience init(path: String, isMapped: Bool, limits: ArchiveLimits) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(
        store: ByteStore(path: path, isMapped: isMapped, byteLimit: limits.fileBytes), limits: limits)
    } catch {
      throw error.located(filePath: path)
    }
  }
}
