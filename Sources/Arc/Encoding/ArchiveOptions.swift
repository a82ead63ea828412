import ArcArchive
import ArcFormat

/// The options of an archive. The properties of `Archiver` document them.
struct ArchiveOptions: Hashable, Sendable {
  /// The order of the rows, the size of the segments, and whether the archive has a chunk directory.
  struct Layout: Hashable, Sendable {
    /// Whether the objects of each class are stored together.
    var groupsByClass = false
    /// The class and the property by which objects are sorted, `Class.property`; nil if they are not sorted.
    var sortKey: String?
    var segmentByteCount = ArchiveWriter.usualSegmentByteCount
    var hasChunkDirectory = false
  }

  var compression = Compression.none
  var isCanonical = false
  var metadata: [String: String] = [:]
  var layout = Layout()

  /// The options of an intermediate archive, whose rows `arrange` then writes to the final archive.
  var ofIntermediateArchive: ArchiveOptions {
    ArchiveOptions(isCanonical: isCanonical, metadata: metadata)
  }

  /// Writes the final archive: the rows of an intermediate archive, arranged by `layout`. Returns the bytes
  /// of the archive. If `destination` is not nil, the archive is written to the destination instead, and no
  /// bytes are returned.
  func arrange(_ bytes: [UInt8], to destination: ArchiveDestination?) throws -> [UInt8] {
    try ArchiveArrangement.arrange(
      bytes, sortedBy: layout.sortKey, segmentByteCount: layout.segmentByteCount, compression: compression,
      hasChunkDirectory: layout.hasChunkDirectory, to: destination)
  }
}
