/// Bytes to which more bytes are appended: the values of a column before its chunk is written.
///
/// Invariant: `base <= cursor <= end`, and `base` has a capacity of `end - base` bytes. Only appending,
/// `truncate` and `removeAll` move `cursor`. Appending first ensures the capacity. The owner must call `free`
/// once.
@usableFromInline @safe package struct GrowableBuffer {
  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline var end: UnsafeMutableRawPointer
  @usableFromInline var base: UnsafeMutableRawPointer

  private static let firstCapacity = 64

  init() { self.init(capacity: Self.firstCapacity) }

  private init(capacity: Int) {
    unsafe base = .allocate(byteCount: capacity, alignment: 16)
    unsafe cursor = unsafe base
    unsafe end = unsafe base + capacity
  }

  /// The number of bytes.
  @inlinable package var count: Int { unsafe cursor - base }

  @inlinable @inline(__always)
  mutating func append<T: BitwiseCopyable>(_ value: T) {
    if unsafe end - cursor < MemoryLayout<T>.size { grow(by: MemoryLayout<T>.size) }
    unsafe cursor.storeBytes(of: value, as: T.self)
    unsafe cursor += MemoryLayout<T>.size
  }

  /// Appends `byteCount` bytes, and returns a pointer to them. The caller must initialize them before any
  /// other use of the buffer.
  @usableFromInline mutating func appendUninitialized(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if unsafe end - cursor < byteCount { grow(by: byteCount) }
    defer { unsafe cursor += byteCount }
    return unsafe cursor
  }

  @usableFromInline mutating func append(contentsOf bytes: ByteView) {
    let count = bytes.count
    guard count > 16 else { return append(atMost16: bytes) }
    unsafe appendUninitialized(count).copyMemory(from: bytes.start, byteCount: count)
  }

  /// Appends at most 16 bytes as two words, which may overlap. Faster than a call that copies any number of
  /// bytes.
  @inline(__always) private mutating func append(atMost16 bytes: ByteView) {
    let count = bytes.count
    if unsafe end - cursor < 16 { grow(by: 16) }
    func copy<Word: BitwiseCopyable>(_ type: Word.Type, at offset: Int) {
      unsafe cursor.storeBytes(of: bytes.load(at: offset, as: Word.self), toByteOffset: offset, as: Word.self)
    }
    if count >= 8 {
      copy(UInt64.self, at: 0)
      copy(UInt64.self, at: count &- 8)
    } else if count >= 4 {
      copy(UInt32.self, at: 0)
      copy(UInt32.self, at: count &- 4)
    } else if count > 0 {
      copy(UInt8.self, at: 0)
      copy(UInt8.self, at: count >> 1)
      copy(UInt8.self, at: count &- 1)
    }
    unsafe cursor += count
  }

  @usableFromInline mutating func append(contentsOf bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { append(contentsOf: unsafe ByteView($0)) }
  }

  /// Grows the capacity, so that `need` more bytes fit. At least doubles the capacity, so that appending is
  /// amortized O(1).
  @usableFromInline @inline(never) mutating func grow(by need: Int) {
    let count = count
    let larger = unsafe max((end - base) * 2, count + need)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    unsafe moved.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = unsafe moved
    unsafe cursor = unsafe moved + count
    unsafe end = unsafe moved + larger
  }

  /// The bytes. They are valid until the next change.
  @inlinable var bytes: ByteView { unsafe ByteView(start: base, count: count) }

  /// Replaces eight bytes at an offset. They must have been appended before.
  mutating func replace(_ value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 8)
    unsafe base.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
  }

  /// Removes all bytes after the first `count` bytes.
  mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    unsafe cursor = unsafe base + count
  }

  /// Removes all bytes. The capacity is unchanged.
  @inlinable mutating func removeAll() { unsafe cursor = unsafe base }

  /// Moves all bytes to a new buffer, which the caller owns. This buffer is then empty, and gets capacity for
  /// `capacity` bytes.
  mutating func take(reserving capacity: Int) -> GrowableBuffer {
    let taken = self
    self = GrowableBuffer(capacity: max(capacity, Self.firstCapacity))
    return taken
  }

  func free() { unsafe base.deallocate() }
}
