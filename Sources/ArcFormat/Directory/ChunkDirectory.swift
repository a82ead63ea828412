/// A directory of the chunks of an archive. It describes each segment of rows, the rows of each class in the
/// segment, each chunk of these rows, and the range of each chunk's values.
///
/// A directory is either read from a `CDIR` segment, or built from segments of rows. Spec: 13-directory.
package struct ChunkDirectory {
  /// The code of the segment that contains a directory.
  static let code = SegmentCode("CDIR")

  /// A segment of rows.
  package struct Segment: Equatable {
    /// The number of bytes of the payload before the rows of the first class.
    let headByteCount: UInt64
    let blockCount: UInt64
  }

  /// The rows of one class in a segment.
  package struct Block: Equatable {
    /// The index of the class.
    package let classIndex: UInt64
    let rowCount: UInt64
    let runCount: UInt64
    /// The number of rows of the segment before the first row of the block.
    let firstRow: UInt64
    let columnCount: UInt64
  }

  /// An entry of the directory: the description of a chunk, without its values.
  package struct Entry: Equatable {
    /// The number of bytes of the chunk that follow its byte count.
    let byteCount: UInt64
    let valueCount: UInt64
    /// The form in which the values are stored: a value of `ChunkEncoding`.
    package let encoding: UInt64
  }

  /// All segments of rows, in the order of the file.
  package var segments: [Segment] = []
  /// For each segment, the CRC-32 of the bytes before its blocks.
  package var headChecksums: [UInt32] = []
  /// For each segment, the index of its first block.
  var firstBlocks: [Int] = []
  /// The rows of each class in each segment.
  package var blocks: [Block] = []
  /// For each block, the index of its first chunk.
  package var firstChunks: [Int] = []
  /// The chunks of all blocks.
  package var chunks: [Entry] = []
  /// For each chunk, the CRC-32 of the bytes that follow its byte count.
  package var checksums: [UInt32] = []
  /// For each chunk, the range of its values. Nil if the directory does not have a range for the chunk.
  package var ranges: [ChunkRange?] = []

  /// Creates a directory without segments.
  package init() {}
}

extension SegmentInfo {
  /// Whether the segment is a directory of chunks, which readers may ignore.
  package var isChunkDirectory: Bool { code == ChunkDirectory.code }
}

extension ArchiveError {
  /// Creates an error about a directory with a wrong entry for a segment.
  ///
  /// Spec: 13-directory, rules Y3, Y4 and Y5.
  package static func wrongDirectory(
    _ code: Code, ofRowsAt rowsOffset: Int, byteOffset: Int? = nil
  ) -> ArchiveError {
    ArchiveError(
      code, found: "a chunk directory that does not match the ROWS segment at byte \(rowsOffset)",
      expected: "the offsets, checksums and ranges of the segment's chunks",
      remedy: "write the file again, or read the file without setting trustsChunkDirectory",
      byteOffset: byteOffset)
  }
}
