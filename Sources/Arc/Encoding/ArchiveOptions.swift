import ArcFormat

/// How archives are written: the options that `Archiver` explains.
struct ArchiveOptions: Hashable, Sendable {
  /// The name under which a single root is stored.
  static let rootName = "root"

  var compression = Compression.none
  var isCanonical = false
  var metadata: [String: String] = [:]
  var hasChunkDirectory = false
  var segmentByteCount = ArchiveWriter.usualSegmentByteCount
}
