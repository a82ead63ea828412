/// Integers as a column collects them: one behind the other, at full width.
@safe struct IntegerValues<T: FixedWidthInteger & BitwiseCopyable> {
  private let bytes: UnsafeRawBufferPointer
  let count: Int

  /// `bytes` stays unchanged while the value is used.
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = unsafe bytes
    count = bytes.count / MemoryLayout<T>.size
  }

  /// The integer at `index`, which is below `count`.
  @inline(__always) subscript(index: Int) -> T {
    assert(0 <= index && index < count)
    return unsafe bytes.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
  }

  /// The least of 1, 2, 4 and 8 bytes that holds each value, with its sign; 1 if there is none.
  var narrowestWidth: Int {
    // Folding a signed value onto its complement keeps just the bits that decide the width.
    var bits: T = 0
    for index in 0..<count {
      let value = self[index]
      bits |= T.isSigned ? value ^ (value >> (T.bitWidth - 1)) : value
    }
    return switch T.bitWidth - bits.leadingZeroBitCount + (T.isSigned ? 1 : 0) {
    case ...8: 1
    case ...16: 2
    case ...32: 4
    default: 8
    }
  }

  /// Appends all values, with the upper bytes cut off.
  func store(width: Int, to writer: inout ByteWriter) {
    switch width {
    case MemoryLayout<T>.size: unsafe writer.append(bytes)
    case 4: store(as: UInt32.self, to: &writer)
    case 2: store(as: UInt16.self, to: &writer)
    default: store(as: UInt8.self, to: &writer)
    }
  }

  /// A block at a time, which stays in the cache.
  private func store<Narrow: FixedWidthInteger & BitwiseCopyable>(
    as narrow: Narrow.Type, to writer: inout ByteWriter
  ) {
    let blockLength = min(count, 1024)
    guard blockLength > 0 else { return }
    unsafe withUnsafeTemporaryAllocation(of: Narrow.self, capacity: blockLength) { block in
      for start in stride(from: 0, to: count, by: blockLength) {
        let length = min(blockLength, count - start)
        for index in 0..<length {
          unsafe block.initializeElement(
            at: index, to: Narrow(truncatingIfNeeded: self[start &+ index]).littleEndian)
        }
        unsafe writer.append(
          UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(block)[..<(length * MemoryLayout<Narrow>.size)]))
      }
    }
  }
}
