/// Bytes that grow at the end: what a column collects before its chunk is written.
///
/// Invariant: `base <= cursor <= end`, and `base` has room for `end - base` bytes. Only `append` and `reset` move
/// `cursor`; `append` makes room first. The owner calls `free` once.
@usableFromInline @safe package struct GrowableBuffer {
  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline var end: UnsafeMutableRawPointer
  @usableFromInline var base: UnsafeMutableRawPointer

  private static let firstCapacity = 64

  init() {
    unsafe base = .allocate(byteCount: Self.firstCapacity, alignment: 16)
    unsafe cursor = unsafe base
    unsafe end = unsafe base + Self.firstCapacity
  }

  /// Bytes so far.
  @inlinable package var count: Int { unsafe cursor - base }

  @inlinable @inline(__always)
  mutating func append<T: BitwiseCopyable>(_ value: T) {
    if unsafe end - cursor < MemoryLayout<T>.size { grow(by: MemoryLayout<T>.size) }
    unsafe cursor.storeBytes(of: value, as: T.self)
    unsafe cursor += MemoryLayout<T>.size
  }

  /// Room for `byteCount` more bytes, which the caller fills before anything else is done with the buffer.
  @usableFromInline mutating func appendUninitialized(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if unsafe end - cursor < byteCount { grow(by: byteCount) }
    defer { unsafe cursor += byteCount }
    return unsafe cursor
  }

  @usableFromInline mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
    unsafe appendUninitialized(bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Doubles, so that appending is amortised O(1).
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

  /// The bytes, valid until the next change.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets the bytes and keeps the room.
  mutating func reset() { unsafe cursor = unsafe base }

  func free() { unsafe base.deallocate() }
}
