import ArcFormat

/// How archives are written: the options that `Archiver` explains.
struct ArchiveOptions: Hashable, Sendable {
  var compression = Compression.none
  var isCanonical = false
  var metadata: [String: String] = [:]
  var hasChunkDirectory = false
  var segmentByteCount = ArchiveWriter.usualSegmentByteCount
}
