/// Bytes that grow at the end: what a column collects before its chunk is written.
///
/// Invariant: `count <= capacity`, and `base` has room for `capacity` bytes. Only `append` and `reset` change
/// `count`; `append` makes room first. The owner calls `free` once.
@usableFromInline @safe package struct GrowableBuffer {
  @usableFromInline var base: UnsafeMutableRawPointer?
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0

  init() { unsafe base = nil }

  @inlinable @inline(__always)
  mutating func append<T: BitwiseCopyable>(_ value: T) {
    if capacity &- count < MemoryLayout<T>.size { grow(by: MemoryLayout<T>.size) }
    unsafe base?.storeBytes(of: value, toByteOffset: count, as: T.self)
    count &+= MemoryLayout<T>.size
  }

  @usableFromInline mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    unsafe base?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Doubles, so that appending is amortised O(1).
  @usableFromInline @inline(never) mutating func grow(by need: Int) {
    let larger = max(capacity * 2, count + need, 64)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let base = unsafe base {
      unsafe moved.copyMemory(from: base, byteCount: count)
      unsafe base.deallocate()
    }
    unsafe base = moved
    capacity = larger
  }

  /// The bytes, valid until the next change.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets the bytes and keeps the room.
  mutating func reset() { count = 0 }

  mutating func free() {
    unsafe base?.deallocate()
    self = GrowableBuffer()
  }
}
