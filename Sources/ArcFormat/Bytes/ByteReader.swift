/// Reads the bytes of a file. Each read checks the number of remaining bytes, and errors contain the byte
/// offset.
///
/// Invariant: `position <= bytes.count`. A read checks the remaining bytes before it advances `position`. The
/// reader does not own the bytes: the code that creates a reader must ensure that the bytes exist and do not
/// change while it uses the reader.
package struct ByteReader {
  private let bytes: ByteView
  /// The number of bytes read so far.
  package private(set) var position = 0
  /// The offset of `bytes` in the file. For a decompressed segment, the offset of the segment in the file.
  private let fileOffset: Int

  package init(_ bytes: ByteView, fileOffset: Int) {
    self.bytes = bytes
    self.fileOffset = fileOffset
  }

  package var remaining: Int { bytes.count - position }
  package var offset: Int { fileOffset + position }

  /// Reads the next `count` bytes. Spec: 02-container, rule B4.
  @inline(__always)
  package mutating func take(_ count: Int) throws(ArchiveError) -> ByteView {
    guard count >= 0, count <= remaining else { throw tooShort(count) }
    let start = position
    position &+= count
    return bytes[start..<position]
  }

  @inline(never) private func tooShort(_ count: Int) -> ArchiveError {
    ArchiveError(
      .truncated, found: plural(remaining, "remaining byte"), expected: "at least \(plural(count, "byte"))",
      byteOffset: offset)
  }

  /// Skips the bytes up to the next multiple of the alignment. `offset` is the current position in the
  /// payload. Returns whether all skipped bytes are 0. Spec: 04-columns, rule V11.
  mutating func skipPadding(at offset: Int) throws(ArchiveError) -> Bool {
    try take(Alignment.padding(at: offset)).areZeros
  }

  /// Reads the next little-endian integer.
  @inline(__always)
  package mutating func fixed<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type = T.self
  ) throws(ArchiveError) -> T {
    try take(MemoryLayout<T>.size).integer(at: 0)
  }

  /// Reads the next unsigned LEB128 number, which must be in its shortest form. Spec: 02-container, rule B1.
  @inline(__always) package mutating func varint() throws(ArchiveError) -> UInt64 {
    // Fast path: most numbers are less than 128.
    if remaining > 0 {
      let value = bytes[position]
      if value < 0x80 {
        position &+= 1
        return UInt64(value)
      }
    }
    return try longVarint()
  }

  @inline(never) private mutating func longVarint() throws(ArchiveError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let byte = try fixed(UInt8.self)
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        if byte == 0, shift > 0 { break }
        return value
      }
    }
    throw ArchiveError(
      .malformedSegment, found: "a variable-length number with unneeded bytes or more than 64 bits",
      expected: "the shortest encoding of a number of at most 64 bits",
      byteOffset: start)
  }

  /// Reads the next varint as a count of items. Throws an error if the remaining bytes are too few for this
  /// count: each item takes at least `itemBytes` bytes.
  ///
  /// Spec: 02-container, rule B5.
  @inline(__always)
  package mutating func count(itemBytes: Int) throws(ArchiveError) -> Int {
    if remaining > 0 {
      let count = Int(bytes[position])
      if count < 0x80, count &* itemBytes < remaining {
        position &+= 1
        return count
      }
    }
    return try longCount(itemBytes)
  }

  @inline(never) private mutating func longCount(_ itemBytes: Int) throws(ArchiveError) -> Int {
    let start = offset
    let value = try varint()
    let limit = itemBytes == 0 ? Int.max : remaining / itemBytes
    guard let count = Int(exactly: value), count <= limit else {
      throw ArchiveError(
        .malformedSegment, found: "a count of \(value) with \(plural(remaining, "byte")) left to read",
        expected: "a count of at most \(limit)", byteOffset: start)
    }
    return count
  }

  /// Reads the next string, which is stored as its length in bytes and well-formed UTF-8. Spec: 02-container,
  /// rule B3.
  package mutating func string() throws(ArchiveError) -> String {
    let start = offset
    let length = try count(itemBytes: 1)
    guard let text = String(checkedUTF8: try take(length)) else {
      throw ArchiveError(.invalidString, found: "a string whose bytes are not UTF-8", byteOffset: start)
    }
    return text
  }

  /// Throws an error unless all bytes were read. Spec: 02-container, rule B2.
  @inline(__always) package func finish(_ what: StaticString) throws(ArchiveError) {
    if remaining != 0 { throw unfinished(what) }
  }

  @inline(never) private func unfinished(_ what: StaticString) -> ArchiveError {
    ArchiveError(
      .malformedSegment, found: "\(plural(remaining, "byte")) after the end of the \(what)",
      expected: "no bytes after the end", byteOffset: offset)
  }
}
