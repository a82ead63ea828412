import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Archives object graphs.
///
///     let archiver = Archiver(compression: .zlib)
///     try archiver.write(museum, to: url)                // replaces the file as a whole
///     let bytes = try archiver.archive(museum.artworks)    // an archive in memory
public struct Archiver: Sendable {
  /// The compression of the archive's segments.
  ///
  ///     var archiver = Archiver()
  ///     archiver.compression = .zlib
  ///     try archiver.write(museum, to: url)
  public var compression: Compression

  /// Whether equal graphs have equal bytes in every process.
  ///
  ///     let archiver = Archiver(isCanonical: true)
  ///     let (first, second) = (try archiver.archive(museum), try archiver.archive(deepCopy(museum)))
  ///     print(first == second)   // true
  ///
  /// If true, sets and dictionaries are written in the order of their encoded keys; otherwise in their order
  /// of iteration. The bytes are equal for one version of Arc.
  ///
  /// Objects that are first reached as keys are ordered by their values and by the objects that refer to
  /// them. This requires a second walk through the graph. If such objects cannot be distinguished, for
  /// example the corners of a ring, several orders are compared. If a graph requires too many comparisons,
  /// archiving it always throws `notArchivable`: a ring of 1,000 objects does, a ring of 500 does not. Spec:
  /// 05-graph, section 8.
  public var isCanonical: Bool

  /// The archive's metadata: keys and strings of the program's choice.
  ///
  ///     let archiver = Archiver(metadata: ["author": "Mia"])
  ///     try archiver.write(museum, to: url)
  ///     let metadata = try ArchiveFile(contentsOf: url).metadata()
  ///     print(metadata["author"] ?? "")   // Mia
  ///
  /// Inspectors show it, and `ArchiveFile.metadata()` reads it. Spec: 02-container, section 6.
  public var metadata: [String: String]

  /// Whether archives have a directory of their chunks.
  ///
  ///     var archiver = Archiver(order: .byClass)
  ///     archiver.hasChunkDirectory = true
  ///     try archiver.write(museum, to: url)
  ///
  /// With a directory, a reader such as the Python package reads one column of one class without reading the
  /// others. It also skips segments whose range of values excludes a match.
  ///
  /// The directory adds 0.2 to 0.3 % to the size, and takes time to compute the ranges. Readers that do not
  /// support it ignore it. Spec: 13-directory.
  public var hasChunkDirectory: Bool

  /// The order of objects in an archive.
  ///
  ///     let archiver = Archiver(order: .byClass)
  ///     try archiver.write(museum, to: url)
  ///     let artworks = try ArchiveFile(contentsOf: url).rows(ofClass: "Artwork")
  public enum RowOrder: Hashable, Sendable {
    /// Objects are in the order in which the roots reach them. Classes are mixed, so an object is near the
    /// objects that refer to it.
    case asReached
    /// Objects are grouped by class, so that a column of one class is read as a whole.
    ///
    /// Objects that a class needs for its `let` properties come before the objects of that class. Classes
    /// that need each other stay mixed.
    case byClass
  }

  /// The order of objects in the archive.
  ///
  ///     var archiver = Archiver()
  ///     archiver.order = .byClass
  ///     try archiver.write(museum, to: url)
  ///
  /// Any order except ``RowOrder/asReached`` builds the whole archive in memory, and takes several times as
  /// long.
  public var order: RowOrder

  /// The class and property by which objects are sorted, such as `"Artwork.year"`; nil for no sorting.
  ///
  ///     var archiver = Archiver(hasChunkDirectory: true)
  ///     archiver.sortedBy = "Artwork.year"
  ///     try archiver.write(museum, to: url)
  ///     let modern = try ArchiveFile(contentsOf: url).rows(ofClass: "Artwork").where("year", atLeast: 2000)
  ///
  /// The objects of the class and of its subclasses are sorted, and all objects are grouped by class.
  /// Numbers, dates and enumerations ascend; strings ascend by their UTF-8 bytes; nil and NaN come last. In
  /// an archive with a chunk directory, a reader that searches for a range of values then skips most
  /// segments. The archive states the order in its metadata, as `arc.sorted-by`. If objects of the class need
  /// each other for their `let` properties, archiving throws `constructionOrder`. Spec: 14-data-sets, section
  /// 1.
  public var sortedBy: String?

  /// The minimum number of bytes of values in a segment before packing.
  ///
  ///     var archiver = Archiver(compression: .zlib)
  ///     archiver.segmentBytes = 32 << 20
  ///     try archiver.write(museum, to: url)
  ///
  /// When a segment has this many bytes, the next segment begins. The default is 1 MiB; the minimum is 4 KiB.
  /// Choose 16 to 64 MiB for archives that are read over a network, because a reader requests each segment
  /// separately. If unknown content is preserved, the number applies only to archives that are grouped by
  /// class.
  public var segmentBytes: Int

  /// Called for a class whose objects are archived, but might not be found when they are read.
  ///
  ///     var archiver = Archiver()
  ///     archiver.warningHandler = { warning in print("archiving: \(warning)") }
  ///     try archiver.write(museum, to: url)
  ///
  /// Such a class is not declared in any type that the roots reach, is not in a class table, and cannot be
  /// found by name. Generic classes and hand-written subclasses cannot be found by name. The handler is
  /// called once per class in a process. By default it prints the warning to standard error. Nil if warnings
  /// are ignored.
  public var warningHandler: (@Sendable (ArchiveError) -> Void)? = { warning in
    try? DescriptorOutput(2).write(Array("Arc: \(warning)\n".utf8))
  }

  /// The values that the program's own code receives while objects are archived.
  ///
  ///     var archiver = Archiver()
  ///     if let key = CodingUserInfoKey(rawValue: "store") { archiver.userInfo[key] = "main" }
  ///     try archiver.write(museum, to: url)
  ///
  /// Hooks read them from their ``ArchiveContext``. Hand-written classes and `Codable` values read them from
  /// their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// The preserved content of archives that the program read, but does not know.
  ///
  ///     let unknown = PreservedContent()
  ///     let museum = try Unarchiver(unknownContent: .preserve(in: unknown)).read(Museum.self, from: url)
  ///     var archiver = Archiver()
  ///     archiver.preservedContent = unknown
  ///     try archiver.write(museum, to: url)   // with the preserved content
  ///
  /// It is written together with the objects that it belongs to. Nil if only the program's objects are
  /// archived. Archiving with unknown content builds the whole archive in memory, and takes several times as
  /// long.
  public var preservedContent: PreservedContent?

  /// Creates an archiver.
  ///
  ///     let archiver = Archiver(compression: .zlib, metadata: ["app": "Museum 2.1"])
  ///     try archiver.write(museum, to: url)
  ///     print(try ArchiveFile(contentsOf: url).segments.filter(\.isCompressed).count)
  ///
  /// - Parameters:
  ///   - compression: the compression of segments.
  ///   - isCanonical: whether equal graphs have equal bytes in every process.
  ///   - metadata: the archive's metadata: keys and strings of the program's choice.
  ///   - hasChunkDirectory: whether archives have a directory of their chunks.
  ///   - order: the order of objects.
  ///   - sortedBy: the class and property by which objects are sorted, such as `"Artwork.year"`; nil for no
  ///     sorting.
  ///   - segmentBytes: the minimum number of bytes of values in a segment.
  ///   - userInfo: the values that the program's own code receives.
  ///   - preservedContent: the preserved content of archives that the program read; nil for none.
  public init(
    compression: Compression = .none, isCanonical: Bool = false, metadata: [String: String] = [:],
    hasChunkDirectory: Bool = false, order: RowOrder = .asReached, sortedBy: String? = nil,
    segmentBytes: Int = 1 << 20, userInfo: [CodingUserInfoKey: any Sendable] = [:],
    preserving preservedContent: PreservedContent? = nil
  ) {
    self.compression = compression
    self.isCanonical = isCanonical
    self.metadata = metadata
    self.hasChunkDirectory = hasChunkDirectory
    self.order = order
    self.sortedBy = sortedBy
    self.segmentBytes = segmentBytes
    self.userInfo = userInfo
    self.preservedContent = preservedContent
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

  /// Archives a graph in memory. Returns the bytes.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let copy = try Unarchiver().unarchive(Museum.self, from: bytes)
  ///     print(copy.artworks.count == museum.artworks.count)   // true
  ///
  /// The archive contains the value and everything that it reaches.
  ///
  /// - Parameter root: the value to archive as the single root: an object, structure, array, dictionary or
  ///   other value.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError` if a value cannot be archived, such as `notArchivable`, `unownedTarget` or
  ///   `nameConflict`; or what an `encode(to:)` or a hook throws.
  /// - Complexity: O(objects + bytes), in constant stack.
  public func archive(_ root: some ArchivableValue) throws -> [UInt8] {
    try archive([(ArchiveFile.defaultRoot, root)])
  }

  /// Archives several named roots in memory. Returns the bytes.
  ///
  ///     let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let artworks = try Unarchiver().unarchive([Artwork].self, from: bytes, root: "recent")
  ///     print(artworks.count)
  ///
  /// An object that several roots reach is archived once.
  ///
  /// - Parameter roots: the values by root name. Names must be distinct.
  /// - Returns: the bytes of the archive.
  /// - Throws: `ArchiveError` if a value cannot be archived, such as `notArchivable`, `unownedTarget` or
  ///   `nameConflict`; or what an `encode(to:)` or a hook throws.
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
    guard let preservedContent else { return nil }
    return try KeepingEncoder(
      content: preservedContent, options: options, context: ArchiveContext(userInfo: userInfo),
      warn: warningHandler
    ).archive(roots)
  }

  /// Takes what an archive of a graph will contain.
  func snapshot(_ roots: [(name: String, value: any ArchivableValue)]) throws -> GraphSnapshot {
    if let arrangement {
      return GraphSnapshot(.arranged(try withoutArrangement.snapshot(roots).content, arrangement))
    }
    if let kept = try keep(roots) { return GraphSnapshot(.kept(kept)) }
    let filled = try EncoderPool.fill(
      roots, options: options, in: ArchiveContext(userInfo: userInfo), warn: warningHandler)
    return GraphSnapshot(.filled(filled))
  }

  /// Archives a graph and replaces a file with the archive.
  ///
  ///     try Archiver(compression: .zlib).write(museum, to: url)
  ///     let copy = try Unarchiver().read(Museum.self, from: url)
  ///     print(copy.artworks.count == museum.artworks.count)   // true
  ///
  /// The archive is written to a new file in the same directory, which then replaces the file at `url`. The
  /// replacement is atomic and durable: if anything fails, the old file is unchanged. Permissions are
  /// preserved, and a symbolic link is followed. Segments are written while later segments are encoded, so
  /// the archive need not fit into memory. A full disk is an error, not a signal.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - url: the location of the file, which may exist.
  /// - Throws: `ArchiveError` if a value cannot be archived or with code `fileSystem` if writing fails, or
  ///   what an `encode(to:)` or a hook throws.
  public func write(_ root: some ArchivableValue, to url: URL) throws {
    try write([(ArchiveFile.defaultRoot, root)], to: url)
  }

  /// Archives several named roots and replaces a file with the archive.
  ///
  ///     try Archiver().write(roots: ["museum": museum, "recent": recent], to: url)
  ///     let artworks = try Unarchiver().read([Artwork].self, from: url, root: "recent")
  ///     print(artworks.count)
  ///
  /// The replacement is atomic and durable: if anything fails, the old file is unchanged.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - url: the location of the file, which may exist.
  /// - Throws: `ArchiveError` if a value cannot be archived or with code `fileSystem` if writing fails, or
  ///   what an `encode(to:)` or a hook throws.
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

  /// Replaces a file with the bytes of an archive.
  ///
  ///     let bytes = try Archiver().archive(museum)     // on the actor of the museum
  ///     try Archiver.write(archive: bytes, to: url)     // on any actor
  ///     print(bytes.count)
  ///
  /// The replacement is atomic and durable: if anything fails, the old file is unchanged.
  ///
  /// - Parameters:
  ///   - bytes: the archive, such as the result of `archive(_:)`.
  ///   - url: the location of the file, which may exist.
  /// - Throws: `ArchiveError` with code `fileSystem` if writing fails.
  public static func write(archive bytes: [UInt8], to url: URL) throws {
    try replaceFile(at: url) { try $0.write(bytes) }
  }

  /// Archives a graph and writes it to an open file, pipe or socket.
  ///
  ///     let output = try FileHandle(forWritingTo: url)
  ///     try Archiver().write(museum, toFileDescriptor: output.fileDescriptor)
  ///     try output.close()
  ///
  /// Writing begins at the current position and does not seek. Segments are written while later segments
  /// are encoded. The function waits for a non-blocking descriptor. A pipe without a reader is an error, not
  /// a signal. After an error, the output contains a truncated archive, which readers reject.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - descriptor: the descriptor of the output.
  /// - Throws: `ArchiveError` if a value cannot be archived or with code `fileSystem` if writing fails, or
  ///   what an `encode(to:)` or a hook throws.
  public func write(_ root: some ArchivableValue, toFileDescriptor descriptor: Int32) throws {
    try write([(ArchiveFile.defaultRoot, root)], toFileDescriptor: descriptor)
  }

  /// Archives several named roots and writes them to an open file, pipe or socket.
  ///
  ///     let output = try FileHandle(forWritingTo: url)
  ///     let roots: KeyValuePairs<String, any ArchivableValue> = ["museum": museum, "recent": recent]
  ///     try Archiver().write(roots: roots, toFileDescriptor: output.fileDescriptor)
  ///     try output.close()
  ///
  /// Writing begins at the current position and does not seek. After an error, the output contains a
  /// truncated archive, which readers reject.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - descriptor: the descriptor of the output.
  /// - Throws: `ArchiveError` if a value cannot be archived or with code `fileSystem` if writing fails, or
  ///   what an `encode(to:)` or a hook throws.
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
