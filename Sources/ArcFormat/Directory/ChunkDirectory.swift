/// A directory of the chunks of an archive: what there is of each segment of rows, of the rows of each class
/// in it, and of each of their chunks, and between which values those of a chunk are.
///
/// It comes from a `CDIR` segment, which says it, or from segments of rows, of which it is so. Spec:
/// 13-directory.
package struct ChunkDirectory {
  /// The kind of the segment that has one.
  static let code = SegmentCode("CDIR")

  /// A segment of rows.
  package struct Segment: Equatable {
    /// Bytes of the payload before the rows of the first class.
    let headByteCount: UInt64
    let blockCount: UInt64
  }

  /// The rows of one class in a segment.
  package struct Block: Equatable {
    /// The index of the class.
    package let classIndex: UInt64
    let rowCount: UInt64
    let runCount: UInt64
    /// How many rows of the segment are before the first of them.
    let firstRow: UInt64
    let columnCount: UInt64
  }

  /// A chunk, without its values.
  package struct Entry: Equatable {
    /// Bytes behind the field that states so many.
    let byteCount: UInt64
    let valueCount: UInt64
    /// How the values are stored: a number of `ChunkEncoding`.
    package let encoding: UInt64
  }

  /// All segments of rows, in the order of the file.
  package var segments: [Segment] = []
  /// For each segment the CRC-32 of the bytes before its blocks.
  package var headChecksums: [UInt32] = []
  /// For each segment the index of its first block.
  var firstBlocks: [Int] = []
  /// The rows of each class in each segment.
  package var blocks: [Block] = []
  /// For each block the index of its first chunk.
  package var firstChunks: [Int] = []
  /// The chunks of all blocks.
  package var chunks: [Entry] = []
  /// For each chunk the CRC-32 of the bytes that its entry counts.
  package var checksums: [UInt32] = []
  /// For each chunk between which values those are that can be compared; nil where nothing is said.
  package var ranges: [ChunkRange?] = []

  /// Creates a directory without segments.
  package init() {}
}

extension SegmentInfo {
  /// Whether the segment is a directory of chunks, which readers may ignore.
  package var isChunkDirectory: Bool { code == ChunkDirectory.code }
}

extension ArchiveError {
  /// An error about a directory that says of a segment what is not so.
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
