import ArcArchive
import ArcFormat

/// An archive as a list of raw segments: tests break one of them, and `bytes()` puts the right lengths and
/// checksums around whatever it then says.
///
/// It writes what stands around the payloads by itself, and so makes headers and trailers that no writer
/// would.
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
    /// Stands behind the blocks of a compressed payload.
    package var storedTail: [UInt8] = []
    /// What header and index say of the length after decompression, if not the truth.
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
  /// Stands between the entries of the index and the end of its payload.
  package var indexTail: [UInt8] = []

  package init(_ segments: [Segment], rowCount: Int = 1) {
    self.segments = segments
    self.rowCount = rowCount
  }

  /// Takes an archive apart that can be opened; its checksums may be wrong.
  package init(takingApart bytes: [UInt8]) throws {
    let file = try ArchiveFile(bytes: bytes)
    rowCount = file.rowCount
    segments = try file.segments.map { info in
      let start = info.byteOffset + SegmentLayout.headerByteCount
      let stored = Array(bytes[start..<start + info.storedByteCount])
      return Segment(
        kind: info.kind?.rawValue ?? (info.isChunkDirectory ? "CDIR" : "NOTE"),
        raw: info.isCompressed ? try ZlibBlocks.inflated(stored, byteCount: info.rawByteCount) : stored,
        first: info.firstIndex, count: info.count, flags: info.kind == nil ? SegmentLayout.mayIgnore : 0,
        isCompressed: info.isCompressed)
    }
  }

  /// Only the class `$roots`, with a column for each type, and its row with these chunks.
  package init(rootTypes: [String], chunks: [[UInt8]]) {
    let columns = rootTypes.enumerated().map { Column(key: "root\($0)", attributes: "T\($1)") }
    self.init([
      .classes([ClassEntry(name: "$roots", columns: columns)]),
      .rows(runs: [(0, 1)], classes: [(columns.count, chunks)]),
    ])
  }
}
