extension ArchiveFile {
  /// Opens the archive at a path; the file is read into memory. Throws `ArchiveError`, with code `fileSystem` if the
  /// file cannot be read.
  public convenience init(path: String, limits: Limits = .default) throws {
    try self.init(
      store: ByteStore(path: path, isMapped: false, byteLimit: limits.fileBytes), limits: limits)
  }

  /// Opens the archive at a path and leaves it in the file: what is not asked for is not read.
  ///
  ///     let file = try ArchiveFile(mappingPath: "people.arc")   // milliseconds, for a gigabyte too
  ///     print(try file.object(ObjectID(rawValue: 7))["name"] ?? .null)   // reads one segment, and its strings
  ///
  /// **Only for files that nobody changes while they are open.** If another process cuts the file, touching what is
  /// gone ends this one with the signal SIGBUS; if it writes into it, values that were checked may no longer be what
  /// they were, and reading may give an error or other values. A file that is replaced as a whole, as `Archiver.write`
  /// does it, stays what it was for whoever has it open. What is not a regular file is refused (`fileSystem`).
  public convenience init(mappingPath path: String, limits: Limits = .default) throws {
    try self.init(store: ByteStore(path: path, isMapped: true, byteLimit: limits.fileBytes), limits: limits)
  }
}
