extension ArchiveFile {
  /// How a file is opened.
  public struct OpenOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt8
    /// Makes options of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The archive stays in the file, of which only the parts in use are read: milliseconds, even for a
    /// gigabyte.
    ///
    /// **Only for files that nobody changes while they are open.** If another process cuts the file, an
    /// access to the missing part ends this one with the signal SIGBUS; if it writes into it, values that
    /// were checked may change, and reading may give an error or other values. A file that is replaced as a
    /// whole, as `Archiver.write` does, stays unchanged for whoever has it open. What is not a regular file
    /// is refused (`fileSystem`).
    public static let mapped = OpenOptions(rawValue: 1 << 0)
  }

  /// Opens the archive at a path; without options, the file is read into memory.
  ///
  ///     let file = try ArchiveFile(path: "people.arc", options: .mapped)
  ///     print(try file.object(ObjectID(rawValue: 7))["name"] ?? .null)   // reads one segment and strings
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: how the file is opened.
  ///   - limits: the maximum costs; a file that needs more is refused.
  /// - Throws: `ArchiveError`, with code `fileSystem` if the file cannot be read.
  public convenience init(path: String, options: OpenOptions = [], limits: Limits = .default) throws {
    let isMapped = options.contains(.mapped)
    do throws(ArchiveError) {
      try self.init(
        store: ByteStore(path: path, isMapped: isMapped, byteLimit: limits.fileBytes), limits: limits)
    } catch {
      throw error.located(filePath: path)
    }
  }
}
