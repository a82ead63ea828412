/// The values of a column that a writer has collected: the column's own values, and arrays that the column
/// retained instead of copying them. Each array has a position among the column's own values.
///
/// The values are valid until the column changes.
struct CollectedValues {
  /// The column's own values, which are not packed yet. Integers, lengths and string ids have full width; a
  /// bit occupies one byte.
  let bytes: ByteView
  /// The retained arrays, in the order of their positions among the column's own values.
  let borrowed: [BorrowedValues]

  /// The number of bytes of all values.
  var byteCount: Int { bytes.count + borrowed.reduce(0) { $0 + $1.byteCount } }

  /// Calls `body` with consecutive pieces of the values, in order.
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

/// An array of numbers that a column retained instead of copying.
struct BorrowedValues {
  /// The number of bytes of the column's own values before the array.
  let position: Int
  let byteCount: Int
  let withBytes: ((ByteView) -> Void) -> Void

  /// Retains an array. `position` is the number of bytes of the column's own values that precede the array.
  init<T>(_ array: [T], at position: Int) {
    self.position = position
    byteCount = array.count * MemoryLayout<T>.stride
    withBytes = { body in unsafe array.withUnsafeBytes { body(unsafe ByteView($0)) } }
  }
}
