#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Archives object graphs.
///
///     try Archiver().write(person, to: url)
///     let bytes = try Archiver(.init(compression: .zlib)).archive(person)
public struct Archiver: Sendable {
  /// How archives are written.
  public struct Options: Hashable, Sendable {
    /// How segments are stored.
    public var compression: Compression
    /// Whether sets and dictionaries are written in the order of their encoded keys, so that one version of Arc gives
    /// the same bytes for the same graph in every process.
    ///
    /// Objects that are met first as keys are ordered by what they hold and by who refers to them, for which the graph is
    /// walked once more. Two that nothing tells apart, although they are not interchangeable, throw `notArchivable`: a
    /// ring of five that all look alike, say. Spec: 05-graph, section 8.
    public var isCanonical: Bool

    /// What the archive says of itself to whoever looks into it: names and texts of your choice, read by
    /// `ArchiveFile.metadata()`. Spec: 02-container, section 6.
    public var metadata: [String: String]

    /// Creates options; by default nothing is compressed and collections keep their order of iteration.
    public init(
      compression: Compression = .none, isCanonical: Bool = false, metadata: [String: String] = [:]
    ) {
      self.compression = compression
      self.isCanonical = isCanonical
      self.metadata = metadata
    }
  }

  /// How archives are written.
  public var options: Options

  /// Creates an archiver.
  public init(_ options: Options = Options()) { self.options = options }

  /// The name under which a single root is stored.
  public static let rootName = "root"

  /// The archive of a graph: a class, structure, array, dictionary or other value and all that it reaches.
  ///
  /// O(objects + bytes), in constant stack. Throws `ArchiveError`, or what an `encode(to:)` throws.
  public func archive(_ root: some ArchivableValue) throws -> [UInt8] {
    try EncoderPool.archive([(Self.rootName, root)], options: options)
  }

  /// The archive of several roots with names of their own; objects that they share are shared when read.
  public func archive(roots: KeyValuePairs<String, any ArchivableValue>) throws -> [UInt8] {
    try EncoderPool.archive(roots.map { ($0.key, $0.value) }, options: options)
  }

  /// Writes the archive of a graph to a file: to a new one in the same directory, which then takes its place.
  ///
  /// The file is the old one or the new one as a whole, and durable, whatever happens: if anything fails, the old one
  /// stays as it was. Permissions are kept; a symbolic link is followed. Parts are written while later ones are made,
  /// so memory need not hold the archive. No signal comes of a full disk. Throws `ArchiveError`, or what an
  /// `encode(to:)` throws.
  public func write(_ root: some ArchivableValue, to url: URL) throws {
    try write([(Self.rootName, root)], to: url)
  }

  /// Writes the archive of several roots to a file, in the same way.
  public func write(roots: KeyValuePairs<String, any ArchivableValue>, to url: URL) throws {
    try write(roots.map { ($0.key, $0.value) }, to: url)
  }

  private func write(_ roots: [(name: String, value: any ArchivableValue)], to url: URL) throws {
    let file = try AtomicFile(replacing: url.localPath())
    _ = try EncoderPool.archive(roots, options: options) { bytes throws(ArchiveError) in
      try file.write(bytes)
    }
    try file.commit()
  }

  /// Writes the archive of a graph to an open file, pipe or socket, from its current position on, without seeking.
  ///
  ///     try Archiver().write(person, toFileDescriptor: STDOUT_FILENO)
  ///
  /// Parts are written while later ones are made. What was written before an error is no archive: readers find it cut.
  /// A descriptor that does not block is waited for; that nobody reads a pipe is an error and no signal. Throws
  /// `ArchiveError`, or what an `encode(to:)` throws.
  public func write(_ root: some ArchivableValue, toFileDescriptor descriptor: Int32) throws {
    try write([(Self.rootName, root)], toFileDescriptor: descriptor)
  }

  /// Writes the archive of several roots to an open file, in the same way.
  public func write(
    roots: KeyValuePairs<String, any ArchivableValue>, toFileDescriptor descriptor: Int32
  ) throws {
    try write(roots.map { ($0.key, $0.value) }, toFileDescriptor: descriptor)
  }

  private func write(
    _ roots: [(name: String, value: any ArchivableValue)], toFileDescriptor descriptor: Int32
  ) throws {
    let output = DescriptorOutput(descriptor)
    _ = try EncoderPool.archive(roots, options: options) { bytes throws(ArchiveError) in
      try output.write(bytes)
    }
  }
}
