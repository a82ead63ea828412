/// A point in a compressed payload at which decompression can begin.
///
/// Spec: 13-directory, section 5.
package struct DecompressionPoint: Hashable {
  /// The offset, in the payload after decompression, of the first byte that decompression yields.
  package let rawOffset: Int
  /// The offset in the stored payload at which decompression begins.
  package let storedOffset: Int

  package init(rawOffset: Int, storedOffset: Int) {
    (self.rawOffset, self.storedOffset) = (rawOffset, storedOffset)
  }
}

/// The points of a compressed segment.
package struct SegmentPoints: Equatable {
  /// The points, in ascending order.
  package internal(set) var points: [DecompressionPoint] = []
  /// The CRC-32 of the bytes of each part after decompression. Empty for segments of rows and links, whose
  /// chunks have checksums in the directory.
  package internal(set) var partChecksums: [UInt32] = []

  /// Returns the checksums of the parts of a payload. The points are points of the payload.
  static func partChecksums(of raw: ByteView, points: [DecompressionPoint]) -> [UInt32] {
    let blocks = stride(from: 0, to: raw.count, by: Deflate.blockByteCount)
    let starts = (Array(blocks) + points.map(\.rawOffset)).sorted()
    return zip(starts, starts.dropFirst() + [raw.count]).map { Checksum.crc32(raw[$0..<$1]) }
  }
}

/// The parts of a compressed payload. Each zlib block is divided into parts at its points. Each part can be
/// decompressed without the other parts.
///
/// Spec: 02-container, section 3; 13-directory, section 5.
struct BlockParts {
  struct Part {
    /// The bytes after decompression.
    let raw: Range<Int>
    /// The compressed bytes: deflate, without the header and the checksum of the zlib stream.
    let stored: Range<Int>
    /// Whether the part is the last part of its zlib block.
    let isLast: Bool
  }

  /// The parts, in order. Together they contain all bytes of the payload.
  let parts: [Part]

  /// The number of bytes of a zlib stream before and after its deflate: header and checksum.
  private static let (headByteCount, tailByteCount) = (2, 4)

  /// Divides a payload at its points.
  ///
  /// - Parameters:
  ///   - stored: the stored payload.
  ///   - rawByteCount: the size of the payload after decompression.
  ///   - points: the points of the payload, in ascending order.
  /// - Throws: an error if the lengths of zlib blocks are wrong, or if a point is not inside the block that
  ///   contains its bytes. Spec: 13-directory, rule Y8.
  /// - Complexity: O(blocks + points).
  init(of stored: ByteView, rawByteCount: Int, points: ArraySlice<DecompressionPoint>) throws(ArchiveError) {
    var reader = ByteReader(stored, fileOffset: 0)
    var parts: [Part] = []
    var rest = points
    for blockStart in stride(from: 0, to: rawByteCount, by: Deflate.blockByteCount) {
      let blockEnd = min(blockStart + Deflate.blockByteCount, rawByteCount)
      let length = Int(try reader.fixed(UInt32.self))
      var storedStart = reader.position + Self.headByteCount
      _ = try reader.take(length)
      let storedEnd = reader.position - Self.tailByteCount
      var start = blockStart
      while let point = rest.first, point.rawOffset < blockEnd {
        guard point.rawOffset > start, point.storedOffset > storedStart else { throw Self.misplaced(point) }
        parts.append(
          Part(raw: start..<point.rawOffset, stored: storedStart..<point.storedOffset, isLast: false))
        (start, storedStart) = (point.rawOffset, point.storedOffset)
        rest.removeFirst()
      }
      guard storedStart < storedEnd else {
        throw Self.misplaced(DecompressionPoint(rawOffset: start, storedOffset: storedStart))
      }
      parts.append(Part(raw: start..<blockEnd, stored: storedStart..<storedEnd, isLast: true))
    }
    if let point = rest.first { throw Self.misplaced(point) }
    self.parts = parts
  }

  private static func misplaced(_ point: DecompressionPoint) -> ArchiveError {
    ArchiveError(
      .indexMismatch,
      found: "a point for byte \(point.rawOffset) at byte \(point.storedOffset) of a stored payload",
      expected: "points in ascending order, inside the zlib blocks of their bytes")
  }
}

/// A payload whose parts are decompressed when their bytes are needed.
///
/// Invariant: the first `byteCounts[i]` bytes of part *i* in `bytes` are decompressed. The contents of the
/// other bytes are undefined.
final class PartialInflation {
  private let stored: ByteView
  private let bytes: ByteBuffer
  private let parts: [BlockParts.Part]
  private var byteCounts: [Int]
  private lazy var stream = PartStream()
  /// The part that `stream` decompresses, and the number of its compressed bytes that were read.
  private var current: (part: Int, storedByteCount: Int)?

  /// Creates a payload without decompressing a byte. `bytes` has the size of the payload, and `require`
  /// writes the decompressed bytes into it.
  init(
    of stored: ByteView, into bytes: ByteBuffer, points: ArraySlice<DecompressionPoint>
  ) throws(ArchiveError) {
    self.stored = stored
    self.bytes = bytes
    parts = try BlockParts(of: stored, rawByteCount: bytes.count, points: points).parts
    byteCounts = Array(repeating: 0, count: parts.count)
  }

  /// Decompresses the bytes in a range of the payload that are not decompressed yet.
  ///
  /// - Complexity: O(log parts), and O(bytes) from the last point before the range to the end of the range.
  func require(_ range: Range<Int>) throws(ArchiveError) {
    var index = max(parts.partitioningIndex { $0.raw.lowerBound > range.lowerBound } - 1, 0)
    while index < parts.count, parts[index].raw.lowerBound < range.upperBound {
      try decompress(index, to: min(range.upperBound, parts[index].raw.upperBound))
      index += 1
    }
  }

  private func decompress(_ index: Int, to end: Int) throws(ArchiveError) {
    let part = parts[index]
    guard part.raw.lowerBound + byteCounts[index] < end else { return }
    var read = 0
    if let current, current.part == index {
      read = current.storedByteCount
    } else {
      try stream.begin()
      byteCounts[index] = 0
    }
    let start = part.raw.lowerBound + byteCounts[index]
    let found = try stream.next(
      stored[part.stored.lowerBound + read..<part.stored.upperBound], into: bytes[start..<end])
    current = (index, read + found.storedByteCount)
    byteCounts[index] += found.byteCount
    guard found.byteCount == end - start else {
      throw ArchiveError(
        .compressionFailed, found: "\(plural(byteCounts[index], "byte")) in a part of a zlib block",
        expected: "\(plural(end - part.raw.lowerBound, "byte")) or more")
    }
  }
}
