public import ArcFormat

extension ArchiveFile {
  /// Reads the archive at a path into memory and opens it.
  ///
  ///     let file = try ArchiveFile(path: path)
  ///     try file.verify()
  ///     print(file.rowCount, file.writer)
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, `limitExceeded` if
  ///   reading the file exceeds `limits`, or the code of the damage that opening finds.
  public convenience init(path: String, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try self.init(path: path, isMapped: false, limits: limits)
  }

  /// Opens the archive at a path without reading it into memory.
  ///
  ///     let file = try ArchiveFile(mapping: path)
  ///     let museum = try file.object(ObjectID(rawValue: 1))   // reads one segment and its strings
  ///     print(museum["name"] ?? .null)
  ///
  /// The file is mapped into memory, and only the parts in use are read. Opening takes milliseconds, even for
  /// a gigabyte.
  ///
  /// **Use this initializer only for files that no program changes while they are open.** If another process
  /// truncates the file, an access to the missing bytes ends this process with the signal SIGBUS. If another
  /// process writes into the file, values may change after they were checked, so reading may throw or return
  /// wrong values. Replacing the whole file, as `Archiver.write` does, is safe: the old contents stay
  /// readable.
  ///
  /// - Parameters:
  ///   - path: the path of a regular file.
  ///   - limits: the maximum costs of reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be mapped, `limitExceeded` if
  ///   reading the file exceeds `limits`, or the code of the damage that opening finds.
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
