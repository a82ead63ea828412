/// A growing sequence of bytes. The counterpart of `ByteReader`.
///
/// Most appends add a few bytes. Each append to an array checks whether the array is uniquely referenced and
/// has capacity. To avoid these checks, bytes are first written to a buffer of fixed size, the stage, which
/// can contain a whole small archive. A full stage is appended to the array at once.
///
/// Invariant: `stage` has a capacity of `stageByteCount` bytes. The first `stagedCount` of them are
/// initialized, and follow the bytes of `array`.
@safe package struct ByteWriter: ~Copyable {
  private var array: [UInt8] = []
  private let stage: UnsafeMutableRawPointer
  private var stagedCount = 0

  private static let stageByteCount = 4096

  package init() { unsafe stage = .allocate(byteCount: Self.stageByteCount, alignment: 16) }

  deinit { unsafe stage.deallocate() }

  package var count: Int { array.count &+ stagedCount }

  /// A copy of all bytes.
  package var bytes: [UInt8] { array + Array(staged) }

  private var staged: ByteView { unsafe ByteView(start: stage, count: stagedCount) }

  private mutating func flush() {
    array.append(contentsOf: staged)
    stagedCount = 0
  }

  /// Ensures that the stage has capacity for `byteCount` more bytes. `byteCount` must be at most
  /// `stageByteCount`.
  @inline(__always) private mutating func makeRoom(_ byteCount: Int) {
    if byteCount > Self.stageByteCount &- stagedCount { flush() }
  }

  package mutating func append(_ more: some Collection<UInt8>) {
    let isDone: Void? = more.withContiguousStorageIfAvailable {
      append(unsafe ByteView(UnsafeRawBufferPointer($0)))
    }
    if isDone == nil { for byte in more { fixed(byte) } }
  }

  package mutating func append(_ more: ByteView) {
    guard more.count <= Self.stageByteCount else {
      flush()
      return array.append(contentsOf: more)
    }
    makeRoom(more.count)
    unsafe (stage + stagedCount).copyMemory(from: more.start, byteCount: more.count)
    stagedCount &+= more.count
  }

  /// Appends a little-endian integer.
  @inline(__always) package mutating func fixed<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    makeRoom(MemoryLayout<T>.size)
    unsafe stage.storeBytes(of: value.littleEndian, toByteOffset: stagedCount, as: T.self)
    stagedCount &+= MemoryLayout<T>.size
  }

  /// Appends an unsigned LEB128 number in its shortest form. Spec: 02-container, rule B1.
  package mutating func varint(_ value: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    while rest >= 0x80 {
      fixed(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    fixed(UInt8(truncatingIfNeeded: rest))
  }

  /// Returns the number of bytes that `varint` appends for a number, which must not be negative.
  package static func varintByteCount(_ value: Int) -> Int {
    max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  /// Appends the length in bytes and the UTF-8 bytes of a string. Spec: 02-container, rule B3.
  package mutating func string(_ text: String) {
    text.withUTF8Bytes { utf8 in
      varint(utf8.count)
      append(utf8)
    }
  }

  /// Replaces existing bytes at an offset with an integer.
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

  /// Returns the CRC-32 of the bytes that begin at `start`, which must be at most `count`.
  func checksum(from start: Int) -> UInt32 {
    let first = max(start - array.count, 0)
    let last = staged.suffix(from: first)
    guard start < array.count else { return Checksum.crc32(last) }
    let crc = array.withByteView { Checksum.crc32($0.suffix(from: start)) }
    return Checksum.crc32(last, seed: crc)
  }

  /// The maximum number of bytes to reserve in addition to the expected number. The addition is limited
  /// because the expected number is more accurate for a large file, and because some systems treat reserved
  /// memory as used memory.
  private static let maximumReserve = 1 << 29
  /// The maximum size, in bytes, of a block that glibc reuses. glibc returns larger blocks to the system when
  /// they are freed, so each archive would begin with new pages. The threshold of glibc is at most 32 MiB.
  private static let maximumReusedByteCount = 1 << 25 - 1 << 16

  /// Reserves capacity for `more` bytes, so that appending does not move the existing bytes.
  ///
  /// If the array must be moved now, it gets capacity for up to twice the `expected` size of the whole file.
  /// The capacity is limited to 32 times the bytes that are needed now. Unused pages take no memory, but
  /// during a move, both the old and the new array are in memory.
  mutating func reserve(_ more: Int, expected: Int) {
    let needed = count + more
    guard needed > array.capacity else { return }
    // The capacity is at least doubled. Otherwise, a file of unknown size would be moved for each segment.
    var roomy = max(expected + min(expected, Self.maximumReserve), array.capacity * 2)
    if max(needed, expected) < Self.maximumReusedByteCount { roomy = min(roomy, Self.maximumReusedByteCount) }
    array.reserveCapacity(max(needed, min(roomy, needed * 32)))
  }

  /// Reserves capacity for exactly `count` bytes in total.
  mutating func reserveExactly(_ count: Int) { array.reserveCapacity(count) }

  /// Removes all bytes. The capacity is unchanged.
  package mutating func removeAll() {
    array.removeAll(keepingCapacity: true)
    stagedCount = 0
  }

  /// Removes and returns all bytes.
  package mutating func takeBytes() -> [UInt8] {
    flush()
    var taken: [UInt8] = []
    swap(&taken, &array)
    return taken
  }
}
