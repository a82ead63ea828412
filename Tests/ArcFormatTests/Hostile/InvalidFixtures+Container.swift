import ArcTestSupport

@testable import ArcFormat

/// Files that break rules of 02-container.
extension InvalidFixtures {
  // MARK: Header, trailer, index: 02-container

  static func container() throws -> [Named] {
    let whole = try simple.bytes()
    /// Returns the file with other bytes in the trailer and a correct checksum of the trailer.
    func trailer(_ offset: Int, _ values: [UInt8]) -> [UInt8] {
      var bytes = whole
      let start = bytes.count - ArchiveTrailer.byteCount
      bytes.replaceSubrange(start + offset..<start + offset + values.count, with: values)
      let crc = Checksum.crc32(bytes[start..<start + 24])
      bytes.replaceSubrange(start + 24..<start + 28, with: littleEndianBytes(crc))
      return bytes
    }
    var flipped = whole
    flipped[whole.count - 8] ^= 1
    var damagedHeader = whole
    damagedHeader[28] ^= 1
    return [
      ("H1-31-bytes", Array(whole[..<31])),
      ("H2-text", Array(String(repeating: "<html>\n", count: 12).utf8)),
      ("H2-line-ends-changed", whole.filter { $0 != 0x0D }),
      ("H3-checksum", damagedHeader),
      ("H3-reserved", try sealed { $0[20] = 1 }),
      ("H4-major-version", try changed { $0.header.major = 7 }),
      ("H5-required-feature", try changed { $0.header.requiredFeatures = 1 << 31 }),
      ("T1-cut", Array(whole.dropLast(8))),
      ("T1-longer", whole + [0]),
      ("T2-checksum", flipped),
      ("T3-index-outside", trailer(0, [UInt8](repeating: 0xFF, count: 8))),
      ("T4-checksum-of-segments", trailer(20, [0, 0, 0, 0])),
      ("I1-no-index-there", trailer(0, [32, 0, 0, 0, 0, 0, 0, 0])),
      ("I1-segment-count", trailer(16, [1])),
      ("I2-first", try changed { $0.segments[1].first = 1 }),
      ("I2-row-count", trailer(8, [2])),
      ("I3-count-too-large", try changed { $0.segments[1].count = 1 << 40 }),
      ("I5-more-classes-claimed", try changed { $0.segments[0].count = 2 }),
      ("D1-keys-out-of-order", try changed { $0.segments.insert(metadata(["b", "a"]), at: 0) }),
      ("D1-key-twice", try changed { $0.segments.insert(metadata(["a", "a"]), at: 0) }),
      (
        "D2-two-segments",
        try changed { $0.segments.insert(contentsOf: [metadata(["a"]), metadata(["b"])], at: 0) }
      ),
      (
        "D3-more-pairs-claimed",
        try changed {
          $0.segments.insert(metadata(["a"]), at: 0)
          $0.segments[0].count = 2
        }
      ),
    ]
  }

  static func metadata(_ keys: [String]) -> HandMadeArchive.Segment {
    var payload = ByteWriter()
    payload.varint(keys.count)
    for key in keys {
      payload.string(key)
      payload.string("x")
    }
    return HandMadeArchive.Segment(kind: "META", raw: payload.bytes, count: keys.count)
  }

  // MARK: Primitives, segments, compression: 02-container

  static func segments() throws -> [Named] {
    let rows = SegmentHeader.wholeByteCount(simple.segments[0].raw.count) + ArchiveHeader.byteCount
    var damaged = try simple.bytes()
    damaged[rows + 24] ^= 1
    var compressed = HandMadeArchive(
      rootTypes: ["@\"NSData\""],
      chunks: [
        HandMadeArchive.chunk(1, encoding: 0, [2, 0xF4, 1] + [UInt8](repeating: 5, count: 500))
      ])
    compressed.segments[1].isCompressed = true
    var longBlock = try compressed.bytes()
    longBlock[
      SegmentHeader.wholeByteCount(compressed.segments[0].raw.count) + ArchiveHeader.byteCount + 24] += 1
    var tail = compressed
    tail.segments[1].storedTail = [0]
    func claim(_ count: Int) throws -> [UInt8] {
      var archive = compressed
      archive.segments[1].claimedRawByteCount = count
      return try archive.bytes()
    }
    return [
      ("B1-overlong", try changed { $0.segments[1].raw.replaceSubrange(0..<1, with: [0x81, 0]) }),
      (
        "B1-65-bits",
        try changed {
          $0.segments[1].raw.replaceSubrange(0..<1, with: [UInt8](repeating: 0xFF, count: 9) + [2])
        }
      ),
      ("B2-byte-left-over", try changed { $0.segments[1].raw.append(0) }),
      (
        "B3-key-is-no-UTF-8",
        try changed {
          guard let key = $0.segments[0].raw.firstIndex(of: UInt8(ascii: "0")) else { return }
          $0.segments[0].raw[key] = 0xFF
        }
      ),
      ("B4-class-table-cut", try changed { $0.segments[0].raw.removeLast() }),
      ("B5-127-classes-in-30-bytes", try changed { $0.segments[0].raw[0] = 127 }),
      ("S1-codec", try sealed { $0[rows + 5] = 2 }),
      ("S1-reserved", try sealed { $0[rows + 6] = 1 }),
      ("S2-payload", damaged),
      ("S3-unknown-kind", try changed { $0.segments.append(.init(kind: "NOTE", raw: [1])) }),
      (
        "S5-padding",
        try changed {
          $0.segments.append(.init(kind: "NOTE", raw: [1], flags: SegmentHeader.mayIgnore, paddingByte: 1))
        }
      ),
      ("I4-kind", try sealed { $0[rows] = UInt8(ascii: "X") }),
      ("Z1-ratio", try claim(1 << 20)),
      ("Z2-too-little", try claim(compressed.segments[1].raw.count + 1)),
      ("Z2-too-much", try claim(compressed.segments[1].raw.count - 1)),
      ("Z3-block-cut", HandMadeArchive.sealed(longBlock)),
      ("Z3-byte-behind-blocks", try tail.bytes()),
    ]
  }
}
