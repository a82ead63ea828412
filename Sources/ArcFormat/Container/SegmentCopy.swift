/// A copy of a segment that was read and found valid. If another file contains equal bytes, these bytes need
/// not be checked again.
///
/// The copy contains the whole segment with its header and checksum. So another segment with equal bytes has
/// a correct checksum. If the index entry of the other segment is equal too, the header of the other segment
/// matches its index entry.
struct SegmentCopy {
  private let info: SegmentInfo
  /// The header, the payload, the padding and the checksum.
  private let bytes: [UInt8]

  /// Copies a segment that was read and checked.
  init(_ info: SegmentInfo, in store: ByteStore) {
    self.info = info
    bytes = Array(store.bytes[info.byteOffset..<info.endOffset])
  }

  /// Whether an index entry is equal to this segment's entry, except for the offset.
  func isSame(as other: SegmentInfo) -> Bool {
    other.code == info.code && other.storedByteCount == info.storedByteCount
      && other.rawByteCount == info.rawByteCount && other.isCompressed == info.isCompressed
      && other.firstIndex == info.firstIndex && other.count == info.count
  }

  /// Whether a file contains the bytes of this segment at offset `start`.
  func isSame(asBytes file: ByteView, from start: Int) -> Bool {
    guard start >= 0, start <= file.count, bytes.count <= file.count - start else { return false }
    return bytes.withByteView { $0.isEqual(to: file[start..<start + $0.count]) }
  }
}
