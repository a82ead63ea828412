/// How a writer stores a sequence of integers. The plan depends only on the values.
///
/// Spec: 04-columns, section 3; 05-graph, rule F4.
struct IntegerPlan {
  private(set) var encoding: UInt8
  /// The number of bytes of one plain value.
  private(set) var width: Int
  private(set) var bitWidth = 0
  /// The minimum value or, for differences, the minimum difference. Only the low `width` bytes of `base` and
  /// `first` are used.
  private var base: UInt64 = 0
  private var first: UInt64 = 0
  private var runCount = 0
  private var lengthWidth = 0
  let count: Int

  /// The minimum number of values for which encodings are compared. A shorter sequence is stored plain,
  /// because there is little to gain.
  private static let minimumCount = 32
  /// The number of values in the sample. All values are measured only if the best encoding of the sample is
  /// not plain.
  private static let sampleCount = 256

  /// Creates a plan to store `count` values plain.
  init(plain width: Int, count: Int) {
    encoding = UInt8(width)
    self.width = width
    self.count = count
  }

  /// Chooses how to store values. `width` is the number of bytes that each plain value needs.
  ///
  /// An encoding other than plain is chosen only if it at least halves the number of bytes, because readers
  /// must expand such an encoding each time they read the column.
  init<T: FixedWidthInteger & BitwiseCopyable>(_ values: IntegerValues<T>, width: Int) {
    self.init(plain: width, count: values.count)
    guard Self.minimumCount...ChunkEncoding.maximumEncodedCount ~= count else { return }
    let sample = min(count, Self.sampleCount)
    // The sample is in the middle, because the beginning of a column is often unlike the rest.
    let start = (count - sample) / 2
    guard Self(IntegerMeasures(values, start..<start + sample), values, width: width).encoding != encoding
    else {
      return
    }
    self = Self(IntegerMeasures(values, 0..<count), values, width: width)
  }

  /// Chooses the shortest encoding of the measured values.
  private init<T>(_ measures: IntegerMeasures<T>, _ values: IntegerValues<T>, width: Int) {
    self.init(plain: width, count: measures.count)
    var best = count * width / 2
    func improves(_ bitWidth: Int, _ head: Int, _ packedCount: Int) -> Bool {
      guard bitWidth < 8 * width, bitWidth <= ChunkEncoding.maximumBitWidth else { return false }
      let byteCount = head + (packedCount * bitWidth + 7) / 8
      guard byteCount <= best else { return false }
      best = byteCount
      return true
    }
    if improves(measures.valueBitWidth, 2 + width, count) {
      encoding = ChunkEncoding.packed
      bitWidth = measures.valueBitWidth
      base = UInt64(truncatingIfNeeded: measures.least)
    }
    if improves(measures.differenceBitWidth, 2 + 2 * width, count - 1) {
      encoding = ChunkEncoding.delta
      bitWidth = measures.differenceBitWidth
      base = UInt64(truncatingIfNeeded: measures.minimumDifference)
      first = UInt64(truncatingIfNeeded: measures.first)
    }
    guard 5 + measures.runCount * (width + 1) < best else { return }
    var longest = 0
    forEachRun(values) { longest = max(longest, $1) }
    let lengthWidth = longest < 1 << 8 ? 1 : longest < 1 << 16 ? 2 : 4
    if 5 + measures.runCount * (width + lengthWidth) < best {
      encoding = ChunkEncoding.runs
      runCount = measures.runCount
      self.lengthWidth = lengthWidth
    }
  }

  var isPlain: Bool { Int(encoding) == width }

  /// The number of bytes that follow the encoding byte and the padding.
  var byteCount: Int {
    switch encoding {
    case ChunkEncoding.packed: 2 + width + (count * bitWidth + 7) / 8
    case ChunkEncoding.delta: 2 + 2 * width + ((count - 1) * bitWidth + 7) / 8
    case ChunkEncoding.runs: 2 + ByteWriter.varintByteCount(runCount) + runCount * (width + lengthWidth)
    default: count * width
    }
  }

  /// Writes the bytes that follow the encoding byte and the padding.
  func write<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: IntegerValues<T>, to writer: inout ByteWriter
  ) {
    if isPlain { return values.store(width: width, to: &writer) }
    writer.fixed(UInt8(width))
    switch encoding {
    case ChunkEncoding.packed:
      writer.fixed(UInt8(bitWidth))
      append(base, to: &writer)
      let base = T(truncatingIfNeeded: base)
      pack(count, to: &writer) {
        UInt64(truncatingIfNeeded: T.Magnitude(truncatingIfNeeded: values[$0] &- base))
      }
    case ChunkEncoding.delta:
      writer.fixed(UInt8(bitWidth))
      append(first, to: &writer)
      append(base, to: &writer)
      let base = T(truncatingIfNeeded: base)
      pack(count - 1, to: &writer) {
        UInt64(truncatingIfNeeded: T.Magnitude(truncatingIfNeeded: values[$0 + 1] &- values[$0] &- base))
      }
    default:
      writer.varint(runCount)
      forEachRun(values) { value, _ in append(UInt64(truncatingIfNeeded: value), to: &writer) }
      writer.fixed(UInt8(lengthWidth))
      forEachRun(values) { _, length in append(UInt64(length), width: lengthWidth, to: &writer) }
    }
  }

  private func append(_ value: UInt64, width: Int? = nil, to writer: inout ByteWriter) {
    for byte in 0..<(width ?? self.width) {
      writer.fixed(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)))
    }
  }

  /// Appends the lowest `bitWidth` bits of each value. The first value is in the lowest bits of the first
  /// byte.
  @inline(__always)
  private func pack(_ count: Int, to writer: inout ByteWriter, _ value: (Int) -> UInt64) {
    guard bitWidth > 0 else { return }
    var bits: UInt64 = 0
    var bitCount = 0
    for index in 0..<count {
      // The shift cannot overflow: at most 7 bits are pending, and a value has at most 56 bits.
      bits |= value(index) << UInt64(bitCount)
      bitCount += bitWidth
      while bitCount >= 8 {
        writer.fixed(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= 8
      }
    }
    if bitCount > 0 { writer.fixed(UInt8(truncatingIfNeeded: bits)) }
  }

  private func forEachRun<T>(_ values: IntegerValues<T>, _ body: (T, Int) -> Void) {
    var start = 0
    while start < values.count {
      let value = values[start]
      var end = start + 1
      while end < values.count, values[end] == value { end += 1 }
      body(value, end - start)
      start = end
    }
  }
}

/// The measurements that determine an `IntegerPlan`.
private struct IntegerMeasures<T: FixedWidthInteger & BitwiseCopyable> {
  let count: Int
  let first: T
  private(set) var least: T
  private var greatest: T
  /// The minimum of the differences between consecutive values. A difference wraps around on overflow. The
  /// reader adds the differences with overflow too, so it restores the values.
  private(set) var minimumDifference = Int64.max
  private var maximumDifference = Int64.min
  private(set) var runCount = 1

  /// Measures the values in a range. The range must not be empty.
  init(_ values: IntegerValues<T>, _ range: Range<Int>) {
    count = range.count
    first = values[range.lowerBound]
    (least, greatest) = (first, first)
    var last = Int64(truncatingIfNeeded: first)
    for index in range.dropFirst() {
      let value = values[index]
      let difference = Int64(truncatingIfNeeded: value) &- last
      least = min(least, value)
      greatest = max(greatest, value)
      minimumDifference = min(minimumDifference, difference)
      maximumDifference = max(maximumDifference, difference)
      if difference != 0 { runCount &+= 1 }
      last = Int64(truncatingIfNeeded: value)
    }
  }

  /// The number of bits of the difference between the maximum and the minimum value.
  var valueBitWidth: Int {
    T.bitWidth - T.Magnitude(truncatingIfNeeded: greatest &- least).leadingZeroBitCount
  }

  var differenceBitWidth: Int {
    64 - UInt64(bitPattern: maximumDifference &- minimumDifference).leadingZeroBitCount
  }
}

/// A view of integers that a column has collected, in order and at full width.
struct IntegerValues<T: FixedWidthInteger & BitwiseCopyable> {
  private let bytes: ByteView
  let count: Int

  /// Creates a view of `bytes`, which must not change while the view is used.
  init(_ bytes: ByteView) {
    self.bytes = bytes
    count = bytes.count / MemoryLayout<T>.size
  }

  /// The integer at `index`, which must be below `count`.
  @inline(__always) subscript(index: Int) -> T {
    assert(0 <= index && index < count)
    return bytes.load(at: index &* MemoryLayout<T>.size, as: T.self)
  }

  /// The smallest of the widths 1, 2, 4 and 8 bytes that is sufficient for each value, including its sign. 1
  /// if there are no values.
  ///
  /// Spec: 04-columns, rule V4.
  var narrowestWidth: Int {
    // For a signed value, combining it with its sign leaves only the bits that determine its width.
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

  /// Appends the low `width` bytes of each value.
  func store(width: Int, to writer: inout ByteWriter) {
    switch width {
    case MemoryLayout<T>.size: writer.append(bytes)
    case 4: store(as: UInt32.self, to: &writer)
    case 2: store(as: UInt16.self, to: &writer)
    default: store(as: UInt8.self, to: &writer)
    }
  }

  /// Appends the low bytes of each value. Converts one block of values at a time, because a block fits in the
  /// cache of the processor.
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
        let bytes = unsafe ByteView(UnsafeRawBufferPointer(block))
        writer.append(bytes[0..<length * MemoryLayout<Narrow>.size])
      }
    }
  }
}
