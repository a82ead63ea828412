import ArcFormat

/// The sizes of the parts of a segment. Spec: 02-container, section 2.
enum SegmentLayout {
  static let headerByteCount = 24
  static let checksumByteCount = 4
  /// The flag that permits a reader to skip a segment of an unknown kind.
  static let mayIgnore: UInt8 = 1

  /// Returns the number of bytes of a segment: the header, the payload, zeros up to a multiple of 8, and the
  /// checksum.
  static func byteCount(stored: Int) -> Int { (headerByteCount + stored + checksumByteCount + 7) & ~7 }
}

extension HandMadeArchive {
  /// Returns the bytes of the file. Throws an error if zlib cannot shrink a compressed payload because it is
  /// too short.
  package func bytes() throws -> [UInt8] { try parts().file }

  /// The number of bytes of the index, before compression.
  package var indexByteCount: Int { get throws { try parts().indexByteCount } }

  private func parts() throws -> (file: [UInt8], indexByteCount: Int) {
    var file = header.bytes
    var index = ByteWriter()
    index.string(writer)
    index.varint(segments.count)
    var checksum: UInt32 = 0
    for segment in segments {
      let (whole, stored) = try segment.wholeBytes()
      file += whole
      checksum = Checksum.crc32(whole.suffix(SegmentLayout.checksumByteCount), seed: checksum)
      index.append(segment.kind.utf8)
      index.varint(segment.isCompressed ? 1 : 0)
      index.varint(stored)
      index.varint(segment.claimedRawByteCount ?? segment.raw.count)
      index.varint(segment.first)
      index.varint(segment.count)
    }
    index.append(indexTail)
    let trailer = trailer(indexOffset: file.count, segmentsChecksum: checksum)
    file += try Segment(kind: "INDX", raw: index.bytes, isCompressed: isIndexCompressed).wholeBytes().bytes
    return (file + trailer, index.count)
  }

  /// Spec: 02-container, section 4.
  private func trailer(indexOffset: Int, segmentsChecksum: UInt32) -> [UInt8] {
    var trailer = ByteWriter()
    trailer.fixed(UInt64(indexOffset))
    trailer.fixed(UInt64(rowCount))
    trailer.fixed(UInt32(segments.count))
    trailer.fixed(segmentsChecksum)
    trailer.fixed(Checksum.crc32(trailer.bytes))
    trailer.append([0x43, 0x52, 0x41, 0x8A])
    return trailer.takeBytes()
  }
}

extension HandMadeArchive.Header {
  /// Spec: 02-container, section 1.
  fileprivate var bytes: [UInt8] {
    var header = ByteWriter()
    header.append([0x8A, 0x41, 0x52, 0x43, 0x0D, 0x0A, 0x1A, 0x0A])
    header.fixed(major)
    header.fixed(minor)
    header.fixed(requiredFeatures)
    header.fixed(optionalFeatures)
    header.fixed(UInt64(0))
    header.fixed(Checksum.crc32(header.bytes))
    return header.takeBytes()
  }
}

extension HandMadeArchive.Segment {
  /// Returns the bytes of the segment in a file, and the number of bytes of its stored payload.
  fileprivate func wholeBytes() throws -> (bytes: [UInt8], stored: Int) {
    let stored = try self.stored ?? (isCompressed ? ZlibBlocks.deflated(raw) : raw) + storedTail
    var whole = ByteWriter()
    whole.append(kind.utf8)
    whole.fixed(flags)
    whole.fixed(UInt8(isCompressed ? 1 : 0))
    whole.fixed(UInt16(0))
    whole.fixed(UInt64(stored.count))
    whole.fixed(UInt64(claimedRawByteCount ?? raw.count))
    whole.append(stored)
    let checkedByteCount = SegmentLayout.byteCount(stored: stored.count) - SegmentLayout.checksumByteCount
    while whole.count < checkedByteCount { whole.fixed(paddingByte) }
    whole.fixed(Checksum.crc32(whole.bytes))
    return (whole.takeBytes(), stored.count)
  }
}
