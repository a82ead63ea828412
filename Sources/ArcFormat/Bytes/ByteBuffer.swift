/// Memory of a fixed size for bytes that are computed, such as a decompressed payload. The owner must free
/// it.
///
/// Invariant: the `count` bytes at `start` are writable until `free` is called. The range of a part is
/// checked when the part is created.
@usableFromInline @safe package struct ByteBuffer {
  @usableFromInline let start: UnsafeMutableRawPointer
  /// The number of bytes.
  @usableFromInline package let count: Int

  /// Allocates memory. Its contents are undefined.
  package init(count: Int) {
    self.count = count
    unsafe start = .allocate(byteCount: max(count, 1), alignment: 16)
  }

  private init(start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// A view for reading the bytes.
  package var view: ByteView { unsafe ByteView(start: start, count: count) }

  /// A part of the memory: the bytes in a range of offsets in the buffer. The caller must not free the part.
  subscript(range: Range<Int>) -> ByteBuffer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe ByteBuffer(start: start + range.lowerBound, count: range.count)
  }

  /// Returns the part of the memory that begins at an offset, which must be at most `count`. The caller must
  /// not free the part.
  func suffix(from offset: Int) -> ByteBuffer { self[offset..<count] }

  /// Stores a value at an offset. All bytes of the value must be inside the buffer.
  @inlinable package func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size)
    unsafe start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  /// Returns the memory as values of a type. Omits a remainder that is smaller than a value.
  @inlinable package func values<Value: BitwiseCopyable>(as type: Value.Type) -> HandleBuffer<Value> {
    let count = count / MemoryLayout<Value>.size
    return unsafe HandleBuffer(start: start.bindMemory(to: Value.self, capacity: count), count: count)
  }

  /// Copies bytes to an offset. All bytes must fit into the buffer.
  package func copy(_ bytes: ByteView, to offset: Int) {
    precondition(offset >= 0 && bytes.count <= count - offset)
    unsafe (start + offset).copyMemory(from: bytes.start, byteCount: bytes.count)
  }

  /// Sets all bytes to the same value.
  package func fill(with byte: UInt8) {
    unsafe start.initializeMemory(as: UInt8.self, repeating: byte, count: count)
  }

  func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Frees the memory.
  package func free() { unsafe start.deallocate() }
}
