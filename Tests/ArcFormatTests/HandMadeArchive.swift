@testable import ArcFormat

/// An archive as a list of raw segments: tests break one of them, and `bytes()` puts the right lengths and
/// checksums around whatever it then says.
struct HandMadeArchive {
  struct Segment {
    var kind: String
    var raw: [UInt8]
    var first = 0
    var count = 0
    var flags: UInt8 = 0
    var isCompressed = false
    var paddingByte: UInt8 = 0
    /// Stands behind the blocks of a compressed payload.
    var storedTail: [UInt8] = []
    /// What header and index say of the length after decompression, if not the truth.
    var claimedRawByteCount: Int?
  }

  var header = ArchiveHeader()
  var segments: [Segment]
  var rowCount = 1
  var isIndexCompressed = false
  var writer = "test"
  /// Stands between the entries of the index and the end of its payload.
  var indexTail: [UInt8] = []

  init(_ segments: [Segment], rowCount: Int = 1) {
    self.segments = segments
    self.rowCount = rowCount
  }

  /// Takes a valid archive apart.
  init(takingApart bytes: [UInt8]) throws {
    let store = ByteStore(copying: bytes)
    let file = try ArchiveFile(store: store, limits: .default)
    rowCount = file.rowCount
    segments = try file.segments.map { info in
      let payload = try SegmentPayload(info, in: store)
      return Segment(
        kind: info.kind?.rawValue ?? "NOTE", raw: unsafe Array(payload.bytes), first: info.first,
        count: info.count, flags: info.kind == nil ? SegmentHeader.mayIgnore : 0,
        isCompressed: info.isCompressed)
    }
  }

  /// Only the class `$roots`, with a column for each type, and its row with these chunks.
  init(rootTypes: [String], chunks: [[UInt8]]) {
    let columns = rootTypes.enumerated().map { Column(key: "root\($0)", attributes: "T\($1)") }
    self.init([
      .classes([ClassEntry(name: "$roots", columns: columns)]),
      .rows(runs: [(0, 1)], classes: [(columns.count, chunks)]),
    ])
  }

  /// The file.
  func bytes() throws -> [UInt8] { try parts().file }

  /// Bytes of the index, before compression.
  var indexByteCount: Int { get throws { try parts().indexByteCount } }

  private func parts() throws -> (file: [UInt8], indexByteCount: Int) {
    var output = ByteWriter()
    header.write(to: &output)
    var index = ByteWriter()
    index.string(writer)
    index.varint(segments.count)
    var checksum: UInt32 = 0
    for segment in segments {
      let stored = try Self.append(segment, to: &output)
      checksum = Checksum.crc32(output.bytes.suffix(4), seed: checksum)
      index.append(segment.kind.utf8)
      index.varint(segment.isCompressed ? 1 : 0)
      index.varint(stored)
      index.varint(segment.claimedRawByteCount ?? segment.raw.count)
      index.varint(segment.first)
      index.varint(segment.count)
    }
    index.append(indexTail)
    let indexOffset = output.count
    _ = try Self.append(
      Segment(kind: "INDX", raw: index.bytes, isCompressed: isIndexCompressed), to: &output)
    ArchiveTrailer(
      indexOffset: UInt64(indexOffset), rowCount: UInt64(rowCount), segmentCount: UInt32(segments.count),
      segmentsChecksum: checksum
    ).write(to: &output)
    return (output.takeBytes(), index.count)
  }

  /// Returns how many bytes are stored.
  private static func append(_ segment: Segment, to output: inout ByteWriter) throws -> Int {
    let stored = (segment.isCompressed ? try deflated(segment.raw) : segment.raw) + segment.storedTail
    var header = SegmentHeader(
      kind: .rows, isCompressed: segment.isCompressed, storedByteCount: stored.count,
      rawByteCount: segment.claimedRawByteCount ?? segment.raw.count)
    header.kind = SegmentCode(segment.kind)
    header.flags = segment.flags
    var whole = ByteWriter()
    header.write(to: &whole)
    whole.append(stored)
    let wholeByteCount = SegmentHeader.wholeByteCount(stored.count)
    while whole.count < wholeByteCount - SegmentHeader.checksumByteCount { whole.fixed(segment.paddingByte) }
    whole.fixed(Checksum.crc32(whole.bytes))
    output.append(whole.bytes)
    return stored.count
  }

  private static func deflated(_ raw: [UInt8]) throws -> [UInt8] {
    guard let stored = try Deflate.compress(raw, level: 9) else { throw Incompressible() }
    return stored
  }

  /// The payload must be longer for zlib to shrink it.
  struct Incompressible: Error {}

  /// Changed bytes with all checksums as they should be; lengths are believed as far as they go.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    func integer(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { ($0 << 8 | Int(bytes[offset + $1])) & Int.max }
    }
    func put(_ crc: UInt32, at offset: Int) {
      bytes.replaceSubrange(offset..<offset + 4, with: littleEndianBytes(crc))
    }
    put(Checksum.crc32(bytes[..<28]), at: 28)
    let trailer = bytes.count - ArchiveTrailer.byteCount
    let indexOffset = integer(trailer, 8)
    var start = ArchiveHeader.byteCount
    var checksum: UInt32 = 0
    while start + 28 <= trailer {
      let stored = integer(start + 8, 8)
      guard stored <= bytes.count else { break }
      let end = start + SegmentHeader.wholeByteCount(stored) - 4
      guard end <= trailer - 4 else { break }
      put(Checksum.crc32(bytes[start..<end]), at: end)
      if start != indexOffset { checksum = Checksum.crc32(bytes[end..<end + 4], seed: checksum) }
      start = end + 4
    }
    put(checksum, at: trailer + 20)
    put(Checksum.crc32(bytes[trailer..<trailer + 24]), at: trailer + 24)
    return bytes
  }
}

extension HandMadeArchive {
  struct Column {
    var declaringClass = 0
    var key: String
    var attributes: String
    var flags: UInt8 = 0
  }

  struct ClassEntry {
    var name: String
    /// Index of the superclass plus 1, as stored.
    var superclass = 0
    var columns: [Column] = []
  }

  /// A column chunk of `count` values.
  static func chunk(_ count: Int, encoding: UInt8, _ values: [UInt8]) -> [UInt8] {
    var body = ByteWriter()
    body.varint(count)
    body.fixed(encoding)
    body.append(values)
    var chunk = ByteWriter()
    chunk.varint(body.count)
    chunk.append(body.bytes)
    return chunk.bytes
  }
}

extension HandMadeArchive.Segment {
  /// A class table of new classes.
  static func classes(_ entries: [HandMadeArchive.ClassEntry], first: Int = 0) -> Self {
    var table = ByteWriter()
    table.varint(entries.count)
    for (offset, entry) in entries.enumerated() {
      table.varint(first + offset)
      table.string(entry.name)
      table.varint(entry.superclass)
      table.varint(0)
      table.varint(entry.columns.count)
      for column in entry.columns {
        table.varint(column.declaringClass)
        table.string(column.key)
        table.string(column.attributes)
        table.fixed(column.flags)
      }
    }
    return Self(kind: "CLSS", raw: table.bytes, first: first, count: entries.count)
  }

  /// Rows: runs of a class and a length, and for each class that occurs its column count and chunks.
  static func rows(
    runs: [(Int, Int)], classes: [(columnCount: Int, chunks: [[UInt8]])], first: Int = 0
  ) -> Self {
    var rows = ByteWriter()
    rows.varint(runs.count)
    for (classIndex, length) in runs {
      rows.varint(classIndex)
      rows.varint(length)
    }
    for (columnCount, chunks) in classes {
      rows.varint(columnCount)
      for chunk in chunks { rows.append(chunk) }
    }
    return Self(kind: "ROWS", raw: rows.bytes, first: first, count: runs.reduce(0) { $0 &+ $1.1 })
  }

  static func links(_ chunks: [[UInt8]], first: Int, count: Int) -> Self {
    Self(kind: "LINK", raw: Array(chunks.joined()), first: first, count: count)
  }

  /// Strings with lengths of one byte.
  static func strings(_ strings: [[UInt8]], first: Int = 0) -> Self {
    var table = ByteWriter()
    table.varint(strings.count)
    table.fixed(UInt8(1))
    for string in strings { table.fixed(UInt8(string.count)) }
    for string in strings { table.append(string) }
    return Self(kind: "STRS", raw: table.bytes, first: first, count: strings.count)
  }
}

/// The bytes of a checksum as they stand in the file.
func littleEndianBytes(_ crc: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
}
