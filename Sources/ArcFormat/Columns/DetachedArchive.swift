/// An archive whose columns are full: what is left to do needs no object.
///
/// Written any number of times, from any thread, it gives the bytes that its writer would have given at once.
package final class DetachedArchive: Sendable {
  private let segments: [DetachedSegment]
  private let weakRows: [WeakRows]
  private let rowCount: Int
  private let compression: Compression
  private let hasChunkDirectory: Bool
  /// The number of bytes of strings and columns, these at full width.
  package let byteCount: Int

  init(
    segments: [DetachedSegment], weakRows: [WeakRows], rowCount: Int, compression: Compression,
    hasChunkDirectory: Bool
  ) {
    self.segments = segments
    self.weakRows = weakRows
    self.rowCount = rowCount
    self.compression = compression
    self.hasChunkDirectory = hasChunkDirectory
    byteCount = segments.reduce(0) { $0 + $1.byteCount }
  }

  /// Packs and writes all segments, and returns the file; with a destination, no bytes.
  ///
  /// `step` is called before the first segment and after each with the bytes of columns that are written so
  /// far, and of all of them; an error that it throws ends the writing.
  package func write(
    to destination: ArchiveDestination? = nil, step: (_ written: Int, _ total: Int) throws -> Void
  ) throws -> [UInt8] {
    var output = SegmentWriter(compression: compression)
    output.destination = destination
    let directory = hasChunkDirectory ? DirectoryWriter() : nil
    directory?.observe(&output)
    var written = 0
    try step(written, byteCount)
    for segment in segments {
      try segment.write(to: &output)
      written += segment.byteCount
      try step(written, byteCount)
    }
    try WeakRows.write(weakRows, to: &output)
    try directory?.write(to: &output)
    return try output.finish(rowCount: rowCount)
  }
}
