import ArcArchive
import ArcFormat

/// An archive as a list of raw segments. Tests change a segment, and `bytes()` adds the correct lengths and
/// checksums, whatever the segment contains.
///
/// It encodes headers, indexes and trailers without the code of the library, so it can also create files that
/// no writer creates.
package struct HandMadeArchive {
  package struct Header {
    package var major = ArchiveHeader.currentMajor
    package var minor = ArchiveHeader.currentMinor
    package var requiredFeatures: UInt32 = 0
    package var optionalFeatures: UInt32 = 0
  }

  package struct Segment {
    package var kind: String
    package var raw: [UInt8]
    package var first = 0
    package var count = 0
    package var flags: UInt8 = 0
    package var isCompressed = false
    package var paddingByte: UInt8 = 0
    /// The stored payload; nil if `raw` is compressed or stored. Its compression stays as it is.
    package var stored: [UInt8]?
    /// Bytes after the blocks of a compressed payload.
    package var storedTail: [UInt8] = []
    /// The length after decompression that the header and the index state; nil if they state the true length.
    package var claimedRawByteCount: Int?

    package init(
      kind: String, raw: [UInt8], first: Int = 0, count: Int = 0, flags: UInt8 = 0,
      isCompressed: Bool = false, paddingByte: UInt8 = 0, claimedRawByteCount: Int? = nil
    ) {
      self.kind = kind
      self.raw = raw
      self.first = first
      self.count = count
      self.flags = flags
      self.isCompressed = isCompressed
      self.paddingByte = paddingByte
      self.claimedRawByteCount = claimedRawByteCount
    }
  }

  package var header = Header()
  package var segments: [Segment]
  package var rowCount = 1
  package var isIndexCompressed = false
  package var writer = "test"
  /// Bytes after the last entry of the index, in its payload.
  package var indexTail: [UInt8] = []

  package init(_ segments: [Segment], rowCount: Int = 1) {
    self.segments = segments
    self.rowCount = rowCount
  }

  /// Divides an archive into its segments. It must be possible to open the archive, but its checksums may be
  /// wrong.
  ///
  /// If `keepsStored` is true, compressed payloads are written again as they are stored, whatever `raw` is.
  package init(takingApart bytes: [UInt8], keepsStored: Bool = false) throws {
    let file = try ArchiveFile(bytes: bytes)
    rowCount = file.rowCount
    segments = try file.segments.map { info in
      let start = info.byteOffset + SegmentLayout.headerByteCount
      let stored = Array(bytes[start..<start + info.storedByteCount])
      var segment = Segment(
        kind: info.codeText,
        raw: info.isCompressed ? try ZlibBlocks.inflated(stored, byteCount: info.rawByteCount) : stored,
        first: info.firstIndex, count: info.count, flags: info.kind == nil ? SegmentLayout.mayIgnore : 0,
        isCompressed: info.isCompressed)
      if keepsStored, info.isCompressed { segment.stored = stored }
      return segment
    }
  }

  /// Creates an archive that contains only the class `$roots`, with a column for each type, and its row with
  /// these chunks.
  package init(rootTypes: [String], chunks: [[UInt8]]) {
    let columns = rootTypes.enumerated().map { Column(key: "root\($0)", attributes: "T\($1)") }
    self.init([
      .classes([ClassEntry(name: "$roots", columns: columns)]),
      .rows(runs: [(0, 1)], classes: [(columns.count, chunks)]),
    ])
  }
}
