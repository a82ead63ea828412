/// An archive whose columns are complete, and which can be written without the program's objects.
///
/// It can be written any number of times and from any thread. Its bytes are equal to the bytes that its
/// `ArchiveWriter` would have written.
package final class DetachedArchive: Sendable {
  private let segments: [DetachedSegment]
  private let weakRows: [WeakRows]
  private let rowCount: Int
  private let compression: Compression
  private let hasChunkDirectory: Bool
  /// The number of bytes of strings and columns before they are packed.
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

  /// Packs and writes all segments, and returns the file, or no bytes if there is a destination.
  ///
  /// `step` is called before the first segment and after each segment, with the number of bytes written so
  /// far and the total number. If `step` throws an error, writing ends.
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
