/// A copy of a segment that was read and found valid. If another file contains an equal segment, that segment
/// need not be checked again.
///
/// The copy contains the header, the payload and the checksum. If a segment of another file has equal bytes,
/// its checksum is therefore correct. If its index entry is equal too, its header matches its index entry.
struct SegmentCopy {
  private let info: SegmentInfo
  /// The header, the payload, the padding and the checksum.
  private let bytes: [UInt8]

  /// Copies a segment that was read and checked.
  init(_ info: SegmentInfo, in store: ByteStore) {
    self.info = info
    bytes = Array(store.bytes[info.byteOffset..<info.endOffset])
  }

  /// Whether an index entry describes an equal segment: all fields except the offset are equal to the fields
  /// of this segment's entry.
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
