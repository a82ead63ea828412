import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Archives object graphs.
///
///     try Archiver().write(person, to: url)
///     let bytes = try Archiver(compression: .zlib).archive(person)
public struct Archiver: Sendable {
  /// How segments are stored.
  public var compression: Compression

  /// Whether sets and dictionaries are written in the order of their encoded keys, so that one version of Arc
  /// gives the same bytes for the same graph in every process.
  ///
  /// Objects that are first reached as keys are ordered by what they hold and by who refers to them, for
  /// which the graph is walked once more. Where objects look alike, as the corners of a ring do, several
  /// orders are compared. A graph with more of them than are compared throws `notArchivable`, in each process
  /// and whenever it is archived: a ring of 1,000, for example, but not one of 500. Spec: 05-graph, section
  /// 8.
  public var isCanonical: Bool

  /// What the archive says of itself to whoever inspects it: keys and texts of your choice, read by
  /// `ArchiveFile.metadata()`. Spec: 02-container, section 6.
  public var metadata: [String: String]

  /// Whether archives have a directory of their chunks, with which other programs, such as those with the
  /// package for Python, read one column of one class without the others, and pass over rows that a question
  /// excludes.
  ///
  /// It takes two or three bytes in a thousand, and time to look through the values. Readers that do not know
  /// it pass over it. Spec: 13-directory.
  public var hasChunkDirectory: Bool

  /// In which order objects stand in the archive.
  public enum RowOrder: Hashable, Sendable {
    /// As they are reached from the roots, those of all classes mixed: each near those that refer to it.
    case asReached
    /// Those of each class one behind the other, so that a column of one class is read as a whole. What
    /// objects are built with, their `let` properties, stands before them; classes whose objects are built
    /// with each other's stay mixed.
    case byClass
  }

  /// In which order objects stand in the archive. All but ``RowOrder/asReached`` takes the archive into
  /// memory as a whole, and several times as long.
  public var order: RowOrder

  /// A class and one of its properties, `"Person.name"`, by which its objects, and those of each of its
  /// subclasses, are sorted; nil for none. It has them stand by class.
  ///
  /// Numbers, dates and enumerations ascend, strings by the bytes of UTF-8; nil and NaN come last. With a
  /// directory, programs that ask for some of the values then pass over most segments. The archive says so in
  /// its metadata, as `arc.sorted-by`. Objects that are built with each other cannot be sorted
  /// (`constructionOrder`). Spec: 14-data-sets, section 1.
  public var sortedBy: String?

  /// How many bytes of values, before they are packed, a segment has before the next one begins: 1 MiB by
  /// default, and never less than 4 KiB. Archives that are read over a network take 16 to 64 MiB, since
  /// each segment is asked for by itself. Where something unknown is kept, it counts by class only.
  public var segmentBytes: Int

  /// Called for a class whose objects are archived but might not be read again: no declared type of the roots
  /// leads to it, no class table names it, and it is not found by itself, as a generic class or a subclass
  /// that is coded by hand is not. Once for each class in a process. By default the warning is a line on
  /// standard error; nil for none.
  public var warningHandler: (@Sendable (ArchiveError) -> Void)? = { warning in
    try? DescriptorOutput(2).write(Array("Arc: \(warning)\n".utf8))
  }

  /// What the program's own code gets while objects are archived: hooks in their ``ArchiveContext``, classes
  /// coded by hand and `Codable` values from their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// What the program did not know of the archives that it read, which goes with the objects that have it;
  /// nil if only the objects are archived.
  ///
  /// It is put into an archive as a whole, in memory; several times slower than archiving alone.
  public var unknownContent: UnknownContent?

  /// Creates an archiver.
  ///
  /// - Parameters:
  ///   - compression: how segments are stored, by default uncompressed.
  ///   - isCanonical: whether sets and dictionaries are sorted; by default they keep their order of
  ///     iteration.
  ///   - metadata: what the archive says of itself.
  ///   - hasChunkDirectory: whether archives have a directory of their chunks.
  ///   - order: in which order objects stand, by default as they are reached.
  ///   - sortedBy: a class and a property, `"Person.name"`, by which objects are sorted.
  ///   - segmentBytes: how many bytes of values a segment has before the next one begins.
  ///   - userInfo: what the program's own code gets.
  ///   - unknownContent: what the program did not know of the archives that it read.
  public init(
    compression: Compression = .none, isCanonical: Bool = false, metadata: [String: String] = [:],
    hasChunkDirectory: Bool = false, order: RowOrder = .asReached, sortedBy: String? = nil,
    segmentBytes: Int = 1 << 20, userInfo: [CodingUserInfoKey: any Sendable] = [:],
    keeping unknownContent: UnknownContent? = nil
  ) {
    self.compression = compression
    self.isCanonical = isCanonical
    self.metadata = metadata
    self.hasChunkDirectory = hasChunkDirectory
    self.order = order
    self.sortedBy = sortedBy
    self.segmentBytes = segmentBytes
    self.userInfo = userInfo
    self.unknownContent = unknownContent
  }

  private var options: ArchiveOptions {
    ArchiveOptions(
      compression: compression, isCanonical: isCanonical, metadata: metadata,
      hasChunkDirectory: hasChunkDirectory,
      segmentByteCount: max(segmentBytes, 1 << 12))
  }

  /// How rows are arranged anew when all are written; nil if they stay as they are reached.
  private var arrangement: ArchiveArrangement? {
    guard order != .asReached || sortedBy != nil else { return nil }
    return ArchiveArrangement(
      sortKey: sortedBy, segmentByteCount: options.segmentByteCount, compression: compression,
      hasChunkDirectory: hasChunkDirectory)
  }

  /// The archiver whose archives are arranged anew.
  private var withoutArrangement: Archiver {
    var archiver = self
    (archiver.order, archiver.sortedBy) = (.asReached, nil)
    archiver.segmentBytes = ArchiveWriter.usualSegmentByteCount
    (archiver.compression, archiver.hasChunkDirectory) = (.none, false)
    return archiver
  }

  /// The name under which a single root is stored.
  public static var rootName: String { ArchiveOptions.rootName }

  /// Archives a graph: a class, structure, array, dictionary or other value and all that it reaches.
  ///
  /// - Parameter root: the value that becomes the single root.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  /// - Complexity: O(objects + bytes), in constant stack.
  public func archive(_ root: some ArchivableValue) throws -> [UInt8] {
    try archive([(Self.rootName, root)])
  }

  /// Archives several roots with names of their own; objects that they share are shared when read.
  ///
  /// - Parameter roots: the values by their names, which must be distinct.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  public func archive(roots: KeyValuePairs<String, any ArchivableValue>) throws -> [UInt8] {
    try archive(roots.map { ($0.key, $0.value) })
  }

  /// Returns the bytes; none if there is a destination, which then has all.
  private func archive(
    _ roots: [(name: String, value: any ArchivableValue)], to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    if let arrangement {
      let bytes = try withoutArrangement.archive(roots)
      return try ArchiveError.whileWriting { try arrangement.archive(bytes, to: destination) }
    }
    if let kept = try keep(roots) { return try ArchiveError.whileWriting { try kept.write(to: destination) } }
    return try EncoderPool.archive(
      roots, options: options, in: ArchiveContext(userInfo: userInfo), warn: warningHandler, to: destination)
  }

  /// Archives a graph of which there is something to keep; returns nil for any other.
  private func keep(_ roots: [(name: String, value: any ArchivableValue)]) throws -> KeptGraph? {
    guard let unknownContent else { return nil }
    return try KeepingEncoder(
      content: unknownContent, options: options, context: ArchiveContext(userInfo: userInfo),
      warn: warningHandler
    ).archive(roots)
  }

  /// Takes what an archive of a graph will contain.
  func snapshot(_ roots: [(name: String, value: any ArchivableValue)]) throws -> ArchiveSnapshot {
    if let arrangement {
      return ArchiveSnapshot(.arranged(try withoutArrangement.snapshot(roots).content, arrangement))
    }
    if let kept = try keep(roots) { return ArchiveSnapshot(.kept(kept)) }
    let filled = try EncoderPool.fill(
      roots, options: options, in: ArchiveContext(userInfo: userInfo), warn: warningHandler)
    return ArchiveSnapshot(.filled(filled))
  }

  /// Writes the archive of a graph to a new file in the same directory, which then replaces the one at `url`.
  ///
  /// Whatever happens, the file is the old one or the new one as a whole, and durable: if anything fails, the
  /// old one stays as it was. Permissions are kept; a symbolic link is followed. Parts are written while
  /// later ones are encoded, so the archive need not fit into memory. A full disk is an error, not a signal.
  ///
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  public func write(_ root: some ArchivableValue, to url: URL) throws {
    try write([(Self.rootName, root)], to: url)
  }

  /// Writes the archive of several roots to a file, as `write(_:to:)` does.
  ///
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  public func write(roots: KeyValuePairs<String, any ArchivableValue>, to url: URL) throws {
    try write(roots.map { ($0.key, $0.value) }, to: url)
  }

  private func write(_ roots: [(name: String, value: any ArchivableValue)], to url: URL) throws {
    try Self.replaceFile(at: url) { file in
      _ = try archive(roots) { bytes throws(ArchiveError) in try file.write(bytes) }
    }
  }

  /// Replaces a file by what `body` writes, if it does not throw.
  static func replaceFile(at url: URL, _ body: (AtomicFile) throws -> Void) throws {
    try ArchiveError.locating(inFile: url) {
      try ArchiveError.whileWriting {
        let file = try AtomicFile(replacing: url.localPath())
        try body(file)
        try file.commit()
      }
    }
  }

  /// Writes bytes to a file as archives are written: whatever happens, the file is the old one or the new one
  /// as a whole, and durable.
  ///
  ///     let bytes = try archiver.archive(document)       // on the actor of the document
  ///     try Archiver.write(archive: bytes, to: url)      // anywhere
  ///
  /// - Parameters:
  ///   - bytes: the bytes, such as those that `archive(_:)` returned.
  ///   - url: the file that they replace, or that is made.
  /// - Throws: `ArchiveError` with code `fileSystem`; the old file then stays as it was.
  public static func write(archive bytes: [UInt8], to url: URL) throws {
    try replaceFile(at: url) { try $0.write(bytes) }
  }

  /// Writes the archive of a graph to an open file, pipe or socket, from the current position on, without
  /// seeking.
  ///
  ///     try Archiver().write(person, toFileDescriptor: STDOUT_FILENO)
  ///
  /// Parts are written while later ones are encoded. What was written before an error is no archive: readers
  /// find it truncated. A non-blocking descriptor is waited for; a pipe without a reader is an error, not a
  /// signal.
  ///
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  public func write(_ root: some ArchivableValue, toFileDescriptor descriptor: Int32) throws {
    try write([(Self.rootName, root)], toFileDescriptor: descriptor)
  }

  /// Writes the archive of several roots to an open file, as `write(_:toFileDescriptor:)` does.
  ///
  /// - Throws: `ArchiveError`, or what an `encode(to:)` or a hook throws.
  public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, toFileDescriptor descriptor: Int32
  ) throws {
    try write(roots.map { ($0.key, $0.value) }, toFileDescriptor: descriptor)
  }

  private func write(
    _ roots: [(name: String, value: any ArchivableValue)], toFileDescriptor descriptor: Int32
  ) throws {
    let output = DescriptorOutput(descriptor)
    _ = try archive(roots) { bytes throws(ArchiveError) in try output.write(bytes) }
  }
}
