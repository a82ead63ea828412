/// The bytes of a text that is being written.
///
/// Invariant: the memory at `start` has `capacity + slack` bytes, the first `count` bytes are initialized,
/// and `count` is at most `capacity`. Each function that appends bytes first reserves capacity. The function
/// may store a whole word even if it appends only some bytes of the word, because the other bytes fit in the
/// slack.
@safe struct JSONByteBuffer: ~Copyable, @unchecked Sendable {  // Only this value refers to the memory.
  private(set) var count = 0
  private var capacity: Int
  private var start: UnsafeMutableRawPointer

  private static let slack = 16

  /// Creates an empty buffer.
  init() {
    capacity = 256
    unsafe start = ResizedMemory.resize(nil, to: capacity + Self.slack)
  }

  deinit { unsafe ResizedMemory.release(start) }

  /// Reserves memory for more bytes.
  @inline(__always) private mutating func reserve(_ byteCount: Int) {
    if capacity &- count < byteCount { grow(by: byteCount) }
  }

  @inline(never) private mutating func grow(by byteCount: Int) {
    let larger = max(capacity * 2, count + byteCount)
    unsafe start = ResizedMemory.resize(start, to: larger + Self.slack)
    capacity = larger
  }

  // MARK: Appending

  @inline(__always) mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Appends the lowest `byteCount` bytes of a word, at most 8. The lowest byte is appended first.
  @inline(__always) mutating func append(_ word: UInt64, byteCount: Int) {
    assert(byteCount >= 0 && byteCount <= 8)
    reserve(8)
    unsafe start.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= byteCount
  }

  /// Appends `byteCount` bytes from `words`, beginning with the word at the index `first`. The lowest bits of
  /// a word contain its first byte. The bytes must extend over at least two words. If `afterComma` is true,
  /// appends a comma before them.
  @inline(__always) mutating func append(
    words: borrowing [UInt64], from first: Int, byteCount: Int, afterComma: Bool
  ) {
    reserve(byteCount + 17)
    var end = count
    unsafe start.storeBytes(of: UInt8(ascii: ","), toByteOffset: end, as: UInt8.self)
    if afterComma { end &+= 1 }
    // Most names end in the second word. The unused bytes of this word are stored in the slack.
    unsafe start.storeBytes(of: words[first].littleEndian, toByteOffset: end, as: UInt64.self)
    unsafe start.storeBytes(of: words[first &+ 1].littleEndian, toByteOffset: end &+ 8, as: UInt64.self)
    var (index, offset) = (first &+ 2, 16)
    while offset < byteCount {
      unsafe start.storeBytes(of: words[index].littleEndian, toByteOffset: end &+ offset, as: UInt64.self)
      index &+= 1
      offset &+= 8
    }
    count = end &+ byteCount
  }

  mutating func append(contentsOf bytes: Span<UInt8>) {
    reserve(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      guard let first = source.baseAddress else { return }
      unsafe (start + count).copyMemory(from: first, byteCount: source.count)
    }
    count &+= bytes.count
  }

  /// Appends a byte `repeatCount` times.
  mutating func append(repeating byte: UInt8, count repeatCount: Int) {
    for _ in 0..<repeatCount { append(byte) }
  }

  /// Appends the bytes from an index up to, but not including, the first byte that must be escaped: a control
  /// character, a quote or a backslash. Returns the index of this byte, or the number of bytes if no byte
  /// must be escaped.
  mutating func append(unescaped bytes: Span<UInt8>, from first: Int) -> Int {
    precondition(first >= 0 && first <= bytes.count)
    reserve(bytes.count - first)
    var end = count
    let stop = unsafe bytes.withUnsafeBytes { unsafe store(unescaped: $0, from: first, at: &end) }
    count = end
    return stop
  }

  /// Appends a string in quotes. If no byte must be escaped, returns the number of bytes of the string.
  /// Otherwise, appends only the opening quote and the bytes before the first byte that must be escaped.
  /// Returns the index of this byte.
  mutating func append(quoted bytes: Span<UInt8>) -> Int {
    reserve(bytes.count + 2)
    // A local copy of the count, because each change of the count in memory would wait for the change before.
    var end = count
    unsafe start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: end, as: UInt8.self)
    end &+= 1
    let stop = unsafe bytes.withUnsafeBytes { unsafe store(unescaped: $0, from: 0, at: &end) }
    if stop == bytes.count {
      unsafe start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: end, as: UInt8.self)
      end &+= 1
    }
    count = end
    return stop
  }

  /// Stores bytes of the source at `end`, and moves `end` after them. Stores the bytes from the index `first`
  /// up to, but not including, the first byte that must be escaped. Returns the index of the first byte that
  /// is not stored. The memory must be reserved.
  @inline(__always) private func store(
    unescaped source: UnsafeRawBufferPointer, from first: Int, at end: inout Int
  ) -> Int {
    var index = first
    // Eight bytes at a time are stored. If one of them must be escaped, only the bytes before it are counted.
    while index &+ 8 <= source.count {
      let word = UInt64(littleEndian: unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      unsafe start.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
      let marks = Self.marksOfEscapes(word)
      if marks != 0 {
        let plainCount = marks.trailingZeroBitCount >> 3
        end &+= plainCount
        return index &+ plainCount
      }
      end &+= 8
      index &+= 8
    }
    let restCount = source.count &- index
    if restCount == 0 { return index }
    let word = unsafe Self.lastWord(of: source, byteCount: restCount)
    unsafe start.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
    let plainCount = min(Self.marksOfEscapes(word).trailingZeroBitCount >> 3, restCount)
    end &+= plainCount
    return index &+ plainCount
  }

  /// Returns the last bytes of a source in the lowest bytes of a word. The other bytes of the word are 0.
  /// `byteCount` is the number of bytes to return, from 1 to 7.
  @inline(__always) private static func lastWord(
    of source: UnsafeRawBufferPointer, byteCount: Int
  ) -> UInt64 {
    if source.count >= 8 {
      let word = unsafe source.loadUnaligned(fromByteOffset: source.count &- 8, as: UInt64.self)
      return UInt64(littleEndian: word) >> UInt64(64 &- 8 &* byteCount)
    }
    // The source has fewer than 8 bytes, so these are all its bytes: two halves, which overlap unless there
    // are four or two bytes.
    let first = source.count &- byteCount
    if byteCount >= 4 {
      let lower = unsafe source.loadUnaligned(fromByteOffset: first, as: UInt32.self)
      let upper = unsafe source.loadUnaligned(fromByteOffset: source.count &- 4, as: UInt32.self)
      return UInt64(UInt32(littleEndian: lower))
        | UInt64(UInt32(littleEndian: upper)) << UInt64(8 &* (byteCount &- 4))
    }
    let (lower, upper) = unsafe (source[first], source[source.count &- 1])
    let middle = unsafe source[first &+ byteCount >> 1]
    return UInt64(lower) | UInt64(middle) << UInt64(8 &* (byteCount >> 1))
      | UInt64(upper) << UInt64(8 &* (byteCount &- 1))
  }

  /// Returns a word that marks the bytes that must be escaped: in the result, the highest bit of each of
  /// these bytes is set. The result is reliable only up to the first bit that is set.
  @inline(__always) private static func marksOfEscapes(_ word: UInt64) -> UInt64 {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let controls = (word &- ones &* 0x20) & ~word
    return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & highs
  }

  // MARK: Reading and removing

  /// A copy of all bytes.
  var bytes: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

  /// All bytes as a string. The bytes must be valid UTF-8.
  var text: String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Returns a copy of the bytes in a range, which must be within `count`.
  func bytes(in range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Removes the last byte and returns it. Nil if the buffer is empty.
  @inline(__always) mutating func popLast() -> UInt8? {
    guard count > 0 else { return nil }
    count &-= 1
    return unsafe start.load(fromByteOffset: count, as: UInt8.self)
  }

  /// Removes all bytes except the first `newCount`.
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes of the string.
  mutating func withUTF8Span(_ body: (Span<UInt8>) -> Void) {
    withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
  }

  /// Creates a string from UTF-8 bytes.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
