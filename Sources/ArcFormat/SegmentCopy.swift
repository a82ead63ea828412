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

  /// Whether the index entry of a segment that has the same bytes says the same.
  func isSame(as other: SegmentInfo) -> Bool {
    other.code == info.code && other.storedByteCount == info.storedByteCount
      && other.rawByteCount == info.rawByteCount && other.isCompressed == info.isCompressed
      && other.first == info.first && other.count == info.count
  }

  /// Whether the bytes stand in a file at an offset.
  func isSame(asBytes file: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard start >= 0, start <= file.count, bytes.count <= file.count - start else { return false }
    return unsafe bytes.withUnsafeBytes {
      unsafe $0.isEqual(to: UnsafeRawBufferPointer(rebasing: file[start..<start + $0.count]))
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether as many other bytes are the same.
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset &+ 8 <= count {
      let ours = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let theirs = unsafe other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if ours != theirs { return false }
      offset &+= 8
    }
    while offset < count {
      if unsafe self[offset] != other[offset] { return false }
      offset &+= 1
    }
    return true
  }
}
