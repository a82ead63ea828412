// Reads the points from the payload of a `ZPTS` segment, and compares them with the segments.

extension DecompressionPoints {
  /// Reads the payload of a `ZPTS` segment. Checks everything that can be checked without reading other
  /// segments.
  ///
  /// `infos` are the segments of the file that can have points. Spec: 13-directory, rules Y7 and Y8;
  /// 07-limits, rule A2.
  ///
  /// - Throws: `indexMismatch` if the points do not belong to `infos`, `limitExceeded`, or another error if
  ///   the payload is malformed.
  /// - Complexity: O(bytes of the payload + points + segments).
  package init(
    reading reader: inout ByteReader, of infos: [SegmentInfo], limits: ArchiveLimits
  ) throws(ArchiveError) {
    let count = try reader.count(itemBytes: 0)
    guard count == infos.count else {
      throw ArchiveError(
        .indexMismatch, found: "decompression points of \(plural(count, "segment"))",
        expected: "points of \(plural(infos.count, "segment")): the compressed STRS, ROWS and LINK segments")
    }
    try ChunkDirectory.charge(count, limits)
    let counts = try ChunkDirectory.sequence(&reader, count)
    var total = 0
    for count in counts {
      let limit = max(reader.remaining, ChunkEncoding.maximumEncodedCount) - total
      guard count <= UInt64(limit) else {
        throw reader.refusal("a segment with \(count) points", "at most \(plural(limit, "point"))")
      }
      total += Int(count)
    }
    try ChunkDirectory.charge(count + total, limits)
    let raw = try ChunkDirectory.sequence(&reader, total)
    let stored = try ChunkDirectory.sequence(&reader, total)
    segments = []
    var next = 0
    for (info, count) in zip(infos, counts) {
      var segment = SegmentPoints()
      var (rawOffset, storedOffset): (UInt64, UInt64) = (0, 0)
      for _ in 0..<Int(count) {
        // The sizes of segments are below 2^40, so sums of two numbers do not overflow. Spec: rule I3.
        guard 1..<1 << 40 ~= raw[next], 1..<1 << 40 ~= stored[next] else {
          throw reader.refusal(
            "points that are \(raw[next]) and \(stored[next]) bytes apart", "distances from 1 to 2^40 - 1")
        }
        rawOffset += raw[next]
        storedOffset += stored[next]
        guard rawOffset < info.rawByteCount, storedOffset < info.storedByteCount,
          rawOffset % UInt64(Deflate.blockByteCount) != 0
        else {
          throw ArchiveError(
            .indexMismatch,
            found: "a decompression point for byte \(rawOffset) at byte \(storedOffset) of a payload",
            expected: "a point inside a zlib block of a payload of \(plural(info.rawByteCount, "byte")), "
              + "stored in \(plural(info.storedByteCount, "byte"))", byteOffset: info.byteOffset)
        }
        segment.points.append(
          DecompressionPoint(rawOffset: Int(rawOffset), storedOffset: Int(storedOffset)))
        next += 1
      }
      segments.append(segment)
    }
    for (index, info) in infos.enumerated() where info.kind == .strings {
      let blockCount = (info.rawByteCount + Deflate.blockByteCount - 1) / Deflate.blockByteCount
      segments[index].partChecksums = try ChunkDirectory.fixed(
        &reader, blockCount + segments[index].points.count)
    }
    try reader.finish("list of decompression points")
  }
}

extension SegmentPoints {
  /// Compares the points of a segment with the segment.
  ///
  /// - Parameters:
  ///   - info: the segment, whose payload was found valid.
  ///   - raw: its payload after decompression.
  ///   - store: the file that contains the segment.
  /// - Returns: the code of the first difference; nil if there is none.
  ///
  /// Spec: 13-directory, rules Y8, Y9 and Y10.
  ///
  /// - Complexity: O(bytes).
  package func mismatch(with info: SegmentInfo, raw: ByteView, in store: ByteStore) -> ArchiveError.Code? {
    let start = info.byteOffset + SegmentHeader.byteCount
    let stored = store.bytes[start..<start + info.storedByteCount]
    // Whatever error is found, the points differ from the segment.
    guard let parts = try? BlockParts(of: stored, rawByteCount: raw.count, points: points[...]).parts else {
      return .indexMismatch
    }
    let areRight = Parallel.map(parts.count) { index in
      let part = parts[index]
      // A part that is a whole block was decompressed alone when the segment was read.
      let isBlock = part.isLast && part.raw.lowerBound.isMultiple(of: Deflate.blockByteCount)
      return isBlock || Self.isRight(part, stored[part.stored], raw[part.raw])
    }
    guard areRight.allSatisfy(\.self) else { return .indexMismatch }
    guard !partChecksums.isEmpty else { return nil }
    return Self.partChecksums(of: raw, points: points) == partChecksums ? nil : .damagedSegment
  }

  /// Whether `stored`, decompressed without other parts, yields exactly the bytes `raw` of the part.
  private static func isRight(_ part: BlockParts.Part, _ stored: ByteView, _ raw: ByteView) -> Bool {
    // One more byte, so that a part with more bytes is found.
    let buffer = ByteBuffer(count: raw.count + 1)
    defer { buffer.free() }
    let stream = PartStream()
    guard (try? stream.begin()) != nil, let found = try? stream.next(stored, into: buffer) else {
      return false
    }
    return found.byteCount == raw.count && found.storedByteCount == stored.count
      && found.isAtEnd == part.isLast && buffer.view[0..<raw.count].isEqual(to: raw)
  }
}
