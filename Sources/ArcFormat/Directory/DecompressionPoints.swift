/// The points of an archive: the offsets in compressed segments at which decompression can begin. A reader
/// that needs one column uses the points to decompress only this column.
///
/// The points are either read from a `ZPTS` segment, or collected while segments are compressed. Spec:
/// 13-directory, section 5.
package struct DecompressionPoints {
  /// The code of the segment that contains the points.
  static let code = SegmentCode("ZPTS")
  /// The minimum size, in bytes, of a column that gets a point at its beginning and at its end. Spec:
  /// 05-graph, rule F4.
  static let minimumColumnByteCount = 1 << 14
  /// The number of bytes between points in a segment of strings. Spec: 05-graph, rule F4.
  static let stringsByteCount = 1 << 16

  /// The segments that can have points, in file order: the compressed segments of strings, rows and links.
  package internal(set) var segments: [SegmentPoints]
  /// Whether no segment has a point.
  var isEmpty: Bool { segments.allSatisfy(\.points.isEmpty) }

  /// Creates a list of the points of segments that were written.
  init(_ segments: [SegmentPoints]) { self.segments = segments }

  /// Returns the offsets at which a segment of strings gets points.
  static func borders(inStringsOf byteCount: Int) -> [Int] {
    Array(stride(from: stringsByteCount, to: byteCount, by: stringsByteCount))
  }

  /// Appends the payload of a `ZPTS` segment: the number of points of each segment, their offsets, and the
  /// checksums of the parts.
  func write(to writer: inout ByteWriter) {
    writer.varint(segments.count)
    ChunkDirectory.write(segments.map { UInt64($0.points.count) }, to: &writer)
    for offset in [\DecompressionPoint.rawOffset, \.storedOffset] {
      ChunkDirectory.write(
        segments.flatMap { segment in
          let offsets = segment.points.map { UInt64($0[keyPath: offset]) }
          return zip(offsets, [0] + offsets).map { $0 - $1 }
        }, to: &writer)
    }
    for checksum in segments.flatMap(\.partChecksums) { writer.fixed(checksum) }
  }
}

extension SegmentInfo {
  /// Whether the segment lists points of compressed segments, which readers may ignore.
  package var isDecompressionPoints: Bool { code == DecompressionPoints.code }

  /// Whether points of the segment can be listed.
  package var canHaveDecompressionPoints: Bool {
    isCompressed && (kind == .strings || kind == .rows || kind == .weakColumns)
  }
}
