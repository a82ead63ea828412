/// How a writer stores a sequence of integers: chosen by measuring them. Spec: 04-columns, section 3.
struct IntegerPlan {
  private(set) var encoding: UInt8
  /// Bytes of a plain value.
  private(set) var width: Int
  private(set) var bitWidth = 0
  /// The least value or difference, and the first value: as many low bits as `width` says count.
  private var base: UInt64 = 0
  private var first: UInt64 = 0
  private var runCount = 0
  private var lengthWidth = 0
  let count: Int

  /// Shorter sequences are not measured: there is little to gain.
  private static let leastCount = 32
  /// So many values tell whether it is worth looking at all of them.
  private static let sampleCount = 256

  /// A sequence of plain values.
  init(plain width: Int, count: Int) {
    encoding = UInt8(width)
    self.width = width
    self.count = count
  }

  /// The plan for values that are known to need `width` bytes each.
  ///
  /// An encoding has to halve the values: readers expand it once for each time they go through the column.
  init<T: FixedWidthInteger & BitwiseCopyable>(_ values: IntegerValues<T>, width: Int) {
    self.init(plain: width, count: values.count)
    guard Self.leastCount...ChunkEncoding.greatestEncodedCount ~= count else { return }
    let sample = min(count, Self.sampleCount)
    // From the middle: the beginning of a column is seldom like the rest.
    let start = (count - sample) / 2
    guard Self(IntegerMeasures(values, start..<start + sample), values, width: width).encoding != encoding
    else {
      return
    }
    self = Self(IntegerMeasures(values, 0..<count), values, width: width)
  }

  private init<T>(_ measures: IntegerMeasures<T>, _ values: IntegerValues<T>, width: Int) {
    self.init(plain: width, count: measures.count)
    var best = count * width / 2
    func improves(_ bitWidth: Int, _ head: Int, _ packedCount: Int) -> Bool {
      guard bitWidth < 8 * width, bitWidth <= ChunkEncoding.greatestBitWidth else { return false }
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
      base = UInt64(truncatingIfNeeded: measures.leastDifference)
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

  /// Bytes behind the encoding byte, and behind the padding of plain values.
  var byteCount: Int {
    switch encoding {
    case ChunkEncoding.packed: 2 + width + (count * bitWidth + 7) / 8
    case ChunkEncoding.delta: 2 + 2 * width + ((count - 1) * bitWidth + 7) / 8
    case ChunkEncoding.runs: 2 + ByteWriter.varintByteCount(runCount) + runCount * (width + lengthWidth)
    default: count * width
    }
  }

  /// Writes what stands behind the encoding byte, and behind the padding of plain values.
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

  /// Appends the lowest `bitWidth` bits of each value, the first in the lowest bits.
  @inline(__always)
  private func pack(_ count: Int, to writer: inout ByteWriter, _ value: (Int) -> UInt64) {
    guard bitWidth > 0 else { return }
    var bits: UInt64 = 0
    var bitCount = 0
    for index in 0..<count {
      // At most 7 bits are left over, so there is room for 56 more.
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

/// What decides how integers are stored best.
private struct IntegerMeasures<T: FixedWidthInteger & BitwiseCopyable> {
  let count: Int
  let first: T
  private(set) var least: T
  private var greatest: T
  /// Differences wrap around, and so do the sums that a reader makes of them.
  private(set) var leastDifference = Int64.max
  private var greatestDifference = Int64.min
  private(set) var runCount = 1

  /// Measures the values in a range, which is not empty.
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
      leastDifference = min(leastDifference, difference)
      greatestDifference = max(greatestDifference, difference)
      if difference != 0 { runCount &+= 1 }
      last = Int64(truncatingIfNeeded: value)
    }
  }

  /// Bits that the greatest value needs above the least.
  var valueBitWidth: Int {
    T.bitWidth - T.Magnitude(truncatingIfNeeded: greatest &- least).leadingZeroBitCount
  }

  var differenceBitWidth: Int {
    64 - UInt64(bitPattern: greatestDifference &- leastDifference).leadingZeroBitCount
  }
}
