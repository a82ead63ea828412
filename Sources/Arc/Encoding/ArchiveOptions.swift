import ArcArchive
import ArcFormat

/// The options of an archive, which `Archiver` documents.
struct ArchiveOptions: Hashable, Sendable {
  /// The order of the rows, the size of the segments, and whether the archive has a directory.
  struct Layout: Hashable, Sendable {
    /// Whether the objects of each class are stored together.
    var groupsByClass = false
    /// The class and property by which objects are sorted; nil if they are not sorted.
    var sortKey: String?
    var segmentByteCount = ArchiveWriter.usualSegmentByteCount
    var hasChunkDirectory = false
  }

  var compression = Compression.none
  var isCanonical = false
  var metadata: [String: String] = [:]
  var layout = Layout()

  /// The options of an archive that is only an intermediate result, whose rows are written again.
  var ofIntermediateArchive: ArchiveOptions {
    ArchiveOptions(isCanonical: isCanonical, metadata: metadata)
  }

  /// Arranges the rows of an intermediate archive. Returns the bytes; no bytes if there is a destination,
  /// which then has all.
  func arrange(_ bytes: [UInt8], to destination: ArchiveDestination?) throws -> [UInt8] {
    try ArchiveArrangement.arrange(
      bytes, sortedBy: layout.sortKey, segmentByteCount: layout.segmentByteCount, compression: compression,
      hasChunkDirectory: layout.hasChunkDirectory, to: destination)
  }
}
