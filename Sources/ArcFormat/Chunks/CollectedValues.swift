/// The values of a column as a writer collected them: bytes of its own, and arrays between them that it kept
/// instead of copying them.
///
/// Valid until the column changes.
struct CollectedValues {
  /// Values of fixed size, lengths, string ids, or bits as bytes, at full width.
  let bytes: ByteView
  /// Arrays among the values, in order.
  let borrowed: [BorrowedValues]

  /// The number of bytes of all values.
  var byteCount: Int { bytes.count + borrowed.reduce(0) { $0 + $1.byteCount } }

  /// Calls `body` with the values in order, piece by piece.
  func forEachPiece(_ body: (ByteView) -> Void) {
    var start = 0
    for array in borrowed {
      if array.position > start { body(bytes[start..<array.position]) }
      start = array.position
      array.withBytes(body)
    }
    if start < bytes.count { body(bytes.suffix(from: start)) }
  }
}

/// An array of numbers that a column retains instead of copying it.
struct BorrowedValues {
  /// The number of bytes of the column's own values before the array.
  let position: Int
  let byteCount: Int
  let withBytes: ((ByteView) -> Void) -> Void

  /// Retains an array that follows `position` bytes of the column's own.
  init<T>(_ array: [T], at position: Int) {
    self.position = position
    byteCount = array.count * MemoryLayout<T>.stride
    withBytes = { body in unsafe array.withUnsafeBytes { body(unsafe ByteView($0)) } }
  }
}
