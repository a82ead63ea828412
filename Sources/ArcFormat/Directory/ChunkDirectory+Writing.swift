// Writes a directory as the payload of its segment.

extension ChunkDirectory {
  /// Appends all lists. The integers of a list are stored plain, with the minimum number of bytes that is
  /// sufficient for the greatest integer of the list.
  ///
  /// Spec: 13-directory, section 2.
  func write(to writer: inout ByteWriter) {
    writer.varint(segments.count)
    Self.write(segments.map(\.headByteCount), to: &writer)
    for checksum in headChecksums { writer.fixed(checksum) }
    Self.write(segments.map(\.blockCount), to: &writer)
    Self.write(blocks.map(\.classIndex), to: &writer)
    Self.write(blocks.map(\.rowCount), to: &writer)
    Self.write(blocks.map(\.runCount), to: &writer)
    Self.write(blocks.map(\.firstRow), to: &writer)
    Self.write(blocks.map(\.columnCount), to: &writer)
    Self.write(chunks.map(\.byteCount), to: &writer)
    Self.write(chunks.map(\.valueCount), to: &writer)
    Self.write(chunks.map(\.encoding), to: &writer)
    for checksum in checksums { writer.fixed(checksum) }
    for first in stride(from: 0, to: ranges.count, by: 8) {
      let bits = ranges[first..<min(first + 8, ranges.count)].enumerated().reduce(0 as UInt8) { byte, each in
        byte | (each.element == nil ? 0 : 1 << UInt8(each.offset))
      }
      writer.fixed(bits)
    }
    let ranges = ranges.compactMap(\.self)
    Self.write(ranges.map(\.outsideCount), to: &writer)
    for range in ranges { writer.fixed(range.least) }
    for range in ranges { writer.fixed(range.most) }
  }

  /// Appends integers of equal width. Spec: 04-columns, section 3 and rule V4.
  static func write(_ values: [UInt64], to writer: inout ByteWriter) {
    unsafe values.withUnsafeBytes { bytes in
      let values = IntegerValues<UInt64>(unsafe ByteView(bytes))
      let width = values.narrowestWidth
      writer.fixed(UInt8(width))
      values.store(width: width, to: &writer)
    }
  }
}
