/// A segment that was read and found valid: a segment with the same bytes need not be checked again.
///
/// The bytes are the whole segment, so equal bytes have the same header, which matches an equal index entry,
/// and the same checksum, which holds.
struct SegmentCopy {
  private let info: SegmentInfo
  /// Header, payload, padding and checksum.
  private let bytes: [UInt8]

  /// Copies a segment that was read and checked.
  init(_ info: SegmentInfo, in store: ByteStore) {
    self.info = info
    bytes = Array(store.bytes[info.byteOffset..<info.endOffset])
  }

  /// Whether an index entry is the same as this segment's, except for its offset.
  func isSame(as other: SegmentInfo) -> Bool {
    other.code == info.code && other.storedByteCount == info.storedByteCount
      && other.rawByteCount == info.rawByteCount && other.isCompressed == info.isCompressed
      && other.firstIndex == info.firstIndex && other.count == info.count
  }

  /// Whether a file contains these bytes at offset `start`.
  func isSame(asBytes file: ByteView, from start: Int) -> Bool {
    guard start >= 0, start <= file.count, bytes.count <= file.count - start else { return false }
    return bytes.withByteView { $0.isEqual(to: file[start..<start + $0.count]) }
  }
}
