import ArcArchive
import ArcFormat

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
  public var compression: Compression {
    get { options.compression }
    set { options.compression = newValue }
  }

  /// Whether equal graphs have equal bytes in every process.
  ///
  ///     let archiver = Archiver(isCanonical: true)
  ///     let (first, second) = (try archiver.archive(museum), try archiver.archive(ObjectGraph.copy(museum)))
  ///     print(first == second)   // true
  ///
  /// If true, sets and dictionaries are written in the order of their encoded keys; otherwise in their order
  /// of iteration. Another version of Arc may write other bytes for the same graph.
  ///
  /// Objects that are first reached as keys are ordered by their values and by the objects that refer to
  /// them. This requires a second walk through the graph. If the values and references do not determine an
  /// order, as for equal objects in a ring, Arc compares several orders. If a graph requires too many
  /// comparisons, archiving the graph always throws `notArchivable`. The limit is between a ring of 500
  /// objects and a ring of 1,000 objects. Spec: 05-graph, section 8.
  public var isCanonical: Bool {
    get { options.isCanonical }
    set { options.isCanonical = newValue }
  }

  /// The archive's metadata: keys and strings of the program's choice.
  ///
  ///     let archiver = Archiver(metadata: ["author": "Mia"])
  ///     try archiver.write(museum, to: url)
  ///     let metadata = try ArchiveFile(contentsOf: url).metadata()
  ///     print(metadata["author"] ?? "")   // Mia
  ///
  /// `arcdump` shows the metadata, and `ArchiveFile.metadata()` returns it. Spec: 02-container, section 6.
  public var metadata: [String: String] {
    get { options.metadata }
    set { options.metadata = newValue }
  }

  /// The layout of an archive: the order of its objects, the size of its segments, and whether it has a
  /// directory.
  ///
  ///     let archiver = Archiver(layout: .columnar(sortedBy: "Artwork.year"))
  ///     try archiver.write(museum, to: url)
  ///     let modern = try ArchiveFile(contentsOf: url).rows(ofClass: "Artwork").where("year", atLeast: 2000)
  ///
  /// The layout does not change the graph. Every reader can read every layout.
  public struct Layout: Hashable, Sendable {
    let values: ArchiveOptions.Layout

    /// The default layout: objects in the order in which the roots reach them, without a directory of chunks.
    public static let compact = Layout.compact()

    /// Returns a layout with objects in the order in which the roots reach them. Classes are mixed, so an
    /// object is near the objects that refer to it.
    ///
    ///     Archiver(layout: .compact(directory: true))   // other programs can read single columns
    ///
    /// - Parameters:
    ///   - segmentBytes: the number of bytes of values, before compression, after which the next segment
    ///     begins; at least 4 KiB. If unknown content is preserved, only columnar layouts use `segmentBytes`.
    ///   - directory: whether the archive has a directory of its chunks, see
    ///     ``columnar(sortedBy:segmentBytes:directory:)``.
    /// - Returns: the layout.
    public static func compact(segmentBytes: Int = 1 << 20, directory: Bool = false) -> Layout {
      Layout(
        values: .init(segmentByteCount: max(segmentBytes, 1 << 12), hasChunkDirectory: directory))
    }

    /// Returns a layout with objects grouped by class, so that each property of a class is stored together.
    ///
    ///     Archiver(layout: .columnar())
    ///     Archiver(layout: .columnar(sortedBy: "Artwork.year", segmentBytes: 32 << 20))
    ///
    /// Archiving builds the whole archive in memory, and takes several times as long as with ``compact``.
    /// Objects that a class needs for its `let` properties come before the objects of that class. If classes
    /// need objects of each other, the objects of these classes stay mixed. Archiving throws
    /// `constructionOrder` if `sortedBy` sorts such a class, or if sorting would put an object before an
    /// object that it needs. Spec: 14-data-sets, section 1.
    ///
    /// - Parameters:
    ///   - sortedBy: the class and property by which objects are sorted, such as `"Artwork.year"`; nil if
    ///     objects are not sorted. The objects of the class and of its subclasses are sorted. Numbers, dates
    ///     and enumerations ascend; strings ascend by their UTF-8 bytes; nil and NaN come last. The archive
    ///     states the order in its metadata, as `arc.sorted-by`.
    ///   - segmentBytes: the number of bytes of values, before compression, after which the next segment
    ///     begins; at least 4 KiB. Choose 16 to 64 MiB for archives that are read over a network, because a
    ///     reader requests each segment separately.
    ///   - directory: whether the archive has a directory of its chunks. A chunk contains the values of one
    ///     property in one segment. With a directory, a reader such as the Python package can read one
    ///     property of a class without the other properties, and can skip segments whose range of values
    ///     excludes a match. The directory adds 0.2 to 0.3 % to the size, and computing the ranges takes
    ///     time. Readers that do not support the directory ignore it. If the archive is compressed, it also
    ///     has points at which decompression can begin, so that a reader of one property decompresses only
    ///     this property. Spec: 13-directory.
    /// - Returns: the layout.
    public static func columnar(
      sortedBy: String? = nil, segmentBytes: Int = 1 << 20, directory: Bool = true
    ) -> Layout {
      Layout(
        values: .init(
          groupsByClass: true, sortKey: sortedBy, segmentByteCount: max(segmentBytes, 1 << 12),
          hasChunkDirectory: directory))
    }
  }

  /// The layout of archives.
  ///
  ///     var archiver = Archiver(compression: .zlib)
  ///     archiver.layout = .compact(directory: true)
  ///     try archiver.write(museum, to: url)
  public var layout: Layout {
    get { Layout(values: options.layout) }
    set { options.layout = newValue.values }
  }

  /// Called for an archived class that an unarchiver might not find.
  ///
  ///     var archiver = Archiver()
  ///     archiver.onWarning = { warning in print("archiving: \(warning)") }
  ///     try archiver.write(museum, to: url)
  ///
  /// An unarchiver might not find a class that no declared type of the graph names, that no class table
  /// contains, and that cannot be found by name. Generic classes and hand-written subclasses cannot be found
  /// by name. The handler is called once per class in a process, on the thread that archives. Nil if warnings
  /// are ignored.
  public var onWarning: (@Sendable (_ warning: ArchiveError) -> Void)?

  /// The values that hooks, hand-written classes and `Codable` values can access during archiving.
  ///
  ///     var archiver = Archiver()
  ///     if let key = CodingUserInfoKey(rawValue: "store") { archiver.userInfo[key] = "main" }
  ///     try archiver.write(museum, to: url)
  ///
  /// Hooks read the values from their ``ArchiveContext``. Hand-written classes and `Codable` values read the
  /// values from their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// The unknown content of archives that the program has read, which the archiver writes again.
  ///
  ///     let unknown = PreservedContent()
  ///     let museum = try Unarchiver(unknownContent: .preserve(in: unknown)).read(Museum.self, from: url)
  ///     var archiver = Archiver()
  ///     archiver.preservedContent = unknown
  ///     try archiver.write(museum, to: url)   // with the preserved content
  ///
  /// The unknown content is written together with the objects that it belongs to. Nil if only the program's
  /// objects are archived. Archiving with unknown content builds the whole archive in memory, and takes
  /// several times as long as archiving without it.
  public var preservedContent: PreservedContent?

  private var options: ArchiveOptions

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
  ///   - layout: the layout of archives.
  ///   - userInfo: the values that hooks, hand-written classes and `Codable` values can access.
  ///   - preservedContent: the unknown content of archives that the program has read; nil if only the
  ///     program's objects are archived.
  ///   - onWarning: called for an archived class that an unarchiver might not find.
  public init(
    compression: Compression = .none, isCanonical: Bool = false, metadata: [String: String] = [:],
    layout: Layout = .compact, userInfo: [CodingUserInfoKey: any Sendable] = [:],
    preserving preservedContent: PreservedContent? = nil,
    onWarning: (@Sendable (_ warning: ArchiveError) -> Void)? = nil
  ) {
    options = ArchiveOptions(
      compression: compression, isCanonical: isCanonical, metadata: metadata, layout: layout.values)
    self.userInfo = userInfo
    self.preservedContent = preservedContent
    self.onWarning = onWarning
  }

  /// An archiver that writes an intermediate archive. `arrange` then writes the rows of this archive in their
  /// final order.
  private var withoutArrangement: Archiver {
    var archiver = self
    archiver.options = options.ofIntermediateArchive
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
  /// - Complexity: O(objects + bytes of the archive). The stack use is constant.
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

  /// Archives roots. Returns the bytes of the archive. If there is a destination, writes the bytes to it and
  /// returns an empty array.
  private func archive(
    _ roots: [(name: String, value: any ArchivableValue)], to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    if options.layout.groupsByClass {
      let bytes = try withoutArrangement.archive(roots)
      return try ArchiveError.whileWriting { try options.arrange(bytes, to: destination) }
    }
    if let preserved = try preservedGraph(of: roots) {
      return try ArchiveError.whileWriting { try preserved.write(to: destination) }
    }
    return try EncoderPool.archive(
      roots, options: options, in: ArchiveContext(userInfo: userInfo), warn: onWarning, to: destination)
  }

  /// Archives a graph with unknown content. Returns nil if there is no unknown content to preserve.
  private func preservedGraph(
    of roots: [(name: String, value: any ArchivableValue)]
  ) throws -> PreservedGraph? {
    guard let preservedContent else { return nil }
    return try PreservingEncoder(
      content: preservedContent, options: options, context: ArchiveContext(userInfo: userInfo),
      warn: onWarning
    ).archive(roots)
  }

  /// Takes a snapshot of a graph: records the contents of its archive, which can be packed later.
  func snapshot(_ roots: [(name: String, value: any ArchivableValue)]) throws -> GraphSnapshot {
    if options.layout.groupsByClass {
      return GraphSnapshot(.arranged(try withoutArrangement.snapshot(roots).content, options))
    }
    if let preserved = try preservedGraph(of: roots) { return GraphSnapshot(.preserved(preserved)) }
    let filled = try EncoderPool.fill(
      roots, options: options, in: ArchiveContext(userInfo: userInfo), warn: onWarning)
    return GraphSnapshot(.filled(filled))
  }

  /// Archives a graph and writes the archive to a file, pipe or socket.
  ///
  ///     try Archiver(compression: .zlib).write(museum, to: url)
  ///     let copy = try Unarchiver().read(Museum.self, from: url)
  ///     print(copy.artworks.count == museum.artworks.count)   // true
  ///
  /// A file is replaced as a whole or not at all. To write to an open descriptor, pass `.descriptor(_:)`. See
  /// ``ArchiveOutput``. If the layout is compact and no unknown content is preserved, segments are written
  /// while later segments are encoded, so the archive need not fit into memory. If the disk is full, writing
  /// throws an error, and the process gets no signal.
  ///
  /// - Parameters:
  ///   - root: the value to archive as the single root.
  ///   - output: the URL of a new or existing file, or an open descriptor.
  /// - Throws: `ArchiveError` if a value cannot be archived, or with code `fileSystem` if writing fails; or
  ///   what an `encode(to:)` or a hook throws.
  public func write(_ root: some ArchivableValue, to output: some ArchiveOutput) throws {
    try write([(ArchiveFile.defaultRoot, root)], to: output)
  }

  /// Archives several named roots and writes the archive to a file, pipe or socket.
  ///
  ///     try Archiver().write(roots: ["museum": museum, "recent": recent], to: url)
  ///     let artworks = try Unarchiver().read([Artwork].self, from: url, root: "recent")
  ///     print(artworks.count)
  ///
  /// A file is replaced as a whole or not at all, see ``ArchiveOutput``.
  ///
  /// - Parameters:
  ///   - roots: the values by root name. Names must be distinct.
  ///   - output: the URL of a new or existing file, or an open descriptor.
  /// - Throws: `ArchiveError` if a value cannot be archived, or with code `fileSystem` if writing fails; or
  ///   what an `encode(to:)` or a hook throws.
  public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, to output: some ArchiveOutput
  ) throws {
    try write(roots.map { ($0.key, $0.value) }, to: output)
  }

  private func write(
    _ roots: [(name: String, value: any ArchivableValue)], to output: some ArchiveOutput
  ) throws {
    try output.__destination.write { bytes in _ = try archive(roots, to: bytes) }
  }
}
