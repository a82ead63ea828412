/// A segment of a file that was found to be whole: other segments with the same bytes need not be checked again.
///
/// The bytes are all of the segment, so equal ones have the same header, which fits the same index entry, and the same
/// checksum, which is right.
struct SegmentCopy {
  private let info: SegmentInfo
  /// Header, payload, padding and checksum.
  private let bytes: [UInt8]

  /// A segment that was read.
  init(_ info: SegmentInfo, in store: ByteStore) {
    self.info = info
    bytes = unsafe Array(store.bytes[info.byteOffset..<info.endOffset])
  }

  /// Whether a segment of another file says the same.
  func isSame(as other: SegmentInfo, in store: ByteStore) -> Bool {
    guard other.code == info.code, other.storedByteCount == info.storedByteCount,
      other.rawByteCount == info.rawByteCount, other.isCompressed == info.isCompressed,
      other.first == info.first, other.count == info.count
    else { return false }
    return unsafe isSame(asBytes: store.bytes, from: other.byteOffset)
  }

  /// Whether the bytes stand in a file at an offset.
  func isSame(asBytes file: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard start >= 0, start <= file.count, bytes.count <= file.count - start else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      // A segment is a whole number of words.
      for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
        let one = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let other = unsafe file.loadUnaligned(fromByteOffset: start &+ offset, as: UInt64.self)
        if one != other { return false }
      }
      return bytes.count & 7 == 0
    }
  }
}
