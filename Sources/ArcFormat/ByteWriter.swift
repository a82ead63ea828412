/// Bytes under construction; the counterpart of `ByteReader`.
///
/// Most appends are a few bytes, and each append to an array looks whether it is shared and has room. So they go to a
/// stage, which holds a whole small archive, and from there to the array in one piece.
///
/// Invariant: `stage` has room for `stageByteCount` bytes. The first `stagedCount` are initialised; they follow `array`.
@safe package struct ByteWriter: ~Copyable {
  private var array: [UInt8] = []
  private let stage: UnsafeMutableRawPointer
  private var stagedCount = 0

  private static let stageByteCount = 4096

  package init() { unsafe stage = .allocate(byteCount: Self.stageByteCount, alignment: 16) }

  deinit { unsafe stage.deallocate() }

  package var count: Int { array.count &+ stagedCount }

  /// A copy of all bytes.
  package var bytes: [UInt8] { unsafe array + staged }

  private var staged: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: stage, count: stagedCount)
  }

  private mutating func flush() {
    unsafe array.append(contentsOf: staged)
    stagedCount = 0
  }

  /// Makes room on the stage for at most `stageByteCount` bytes.
  @inline(__always) private mutating func makeRoom(_ byteCount: Int) {
    if byteCount > Self.stageByteCount &- stagedCount { flush() }
  }

  package mutating func append(_ more: some Collection<UInt8>) {
    let isDone: Void? = more.withContiguousStorageIfAvailable { unsafe append(UnsafeRawBufferPointer($0)) }
    if isDone == nil { for byte in more { fixed(byte) } }
  }

  package mutating func append(_ more: UnsafeRawBufferPointer) {
    guard let source = more.baseAddress else { return }
    guard more.count <= Self.stageByteCount else {
      flush()
      return unsafe array.append(contentsOf: more)
    }
    makeRoom(more.count)
    unsafe (stage + stagedCount).copyMemory(from: source, byteCount: more.count)
    stagedCount &+= more.count
  }

  /// Appends an integer, little-endian.
  @inline(__always) package mutating func fixed<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    makeRoom(MemoryLayout<T>.size)
    unsafe stage.storeBytes(of: value.littleEndian, toByteOffset: stagedCount, as: T.self)
    stagedCount &+= MemoryLayout<T>.size
  }

  /// Appends an unsigned LEB128 number. Spec: 02-container, rule B1.
  package mutating func varint(_ value: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    while rest >= 0x80 {
      fixed(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    fixed(UInt8(truncatingIfNeeded: rest))
  }

  /// How many bytes `varint` takes for a number.
  package static func varintByteCount(_ value: Int) -> Int {
    max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  /// Appends a length in bytes and UTF-8.
  package mutating func string(_ text: String) {
    unsafe text.withUTF8Bytes { utf8 in
      varint(utf8.count)
      unsafe append(utf8)
    }
  }

  /// Writes an integer over bytes that are there already.
  mutating func overwrite<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, with value: T) {
    precondition(offset >= 0 && count - offset >= MemoryLayout<T>.size)
    if offset < array.count {
      flush()
      unsafe array.withUnsafeMutableBytes {
        unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
      }
    } else {
      unsafe stage.storeBytes(of: value.littleEndian, toByteOffset: offset - array.count, as: T.self)
    }
  }

  /// The CRC-32 of the bytes from an offset on, which is not behind the last.
  func checksum(from start: Int) -> UInt32 {
    let first = max(start - array.count, 0)
    let last = unsafe UnsafeRawBufferPointer(rebasing: staged[first...])
    guard start < array.count else { return unsafe Checksum.crc32(last) }
    let crc = unsafe array.withUnsafeBytes {
      unsafe Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    return unsafe Checksum.crc32(last, seed: crc)
  }

  /// More than is expected, at most: larger files come with better guesses, and some systems count what is reserved.
  private static let greatestReserve = 1 << 29
  /// Larger blocks glibc takes from the system and gives back to it each time, so that every archive begins with fresh
  /// pages. Its threshold is 32 MiB at most.
  private static let greatestKeptByteCount = 1 << 25 - 1 << 16

  /// Makes room for so many more bytes, so that they are not moved while they are appended. Where they must be moved
  /// now, there is room for twice the `expected` bytes in all afterwards, or for 32 times as many as there are: pages
  /// that nobody writes to take no memory, while the old and the new array are there at the same time whenever bytes are
  /// moved.
  mutating func reserve(_ more: Int, expected: Int) {
    let needed = count + more
    guard needed > array.capacity else { return }
    // Twice as many at least, or a file of which nobody knows how it goes on would be moved for every segment.
    var roomy = max(expected + min(expected, Self.greatestReserve), array.capacity * 2)
    if max(needed, expected) < Self.greatestKeptByteCount { roomy = min(roomy, Self.greatestKeptByteCount) }
    array.reserveCapacity(max(needed, min(roomy, needed * 32)))
  }

  /// Makes room for so many bytes in all, and for no more than that.
  mutating func reserveExactly(_ count: Int) { array.reserveCapacity(count) }

  /// Forgets the bytes and keeps the room.
  package mutating func reset() {
    array.removeAll(keepingCapacity: true)
    stagedCount = 0
  }

  /// Hands out the bytes and starts anew.
  package mutating func takeBytes() -> [UInt8] {
    flush()
    var taken: [UInt8] = []
    swap(&taken, &array)
    return taken
  }
}
