/// Memory for bytes that are computed, such as a decompressed payload: of fixed size, freed by its owner.
///
/// Invariant: `count` bytes from `start` on are writable until `free` is called. Parts are checked when they
/// are made.
@usableFromInline @safe package struct ByteBuffer {
  @usableFromInline let start: UnsafeMutableRawPointer
  /// The number of bytes.
  @usableFromInline package let count: Int

  /// Allocates memory, whose contents are undefined.
  package init(count: Int) {
    self.count = count
    unsafe start = .allocate(byteCount: max(count, 1), alignment: 16)
  }

  private init(start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// The bytes, for reading.
  package var view: ByteView { unsafe ByteView(start: start, count: count) }

  /// The memory in a range of offsets, which must be inside of the buffer; not to be freed.
  subscript(range: Range<Int>) -> ByteBuffer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe ByteBuffer(start: start + range.lowerBound, count: range.count)
  }

  /// The memory from an offset on, which must be at most `count`; not to be freed.
  func suffix(from offset: Int) -> ByteBuffer { self[offset..<count] }

  /// Stores a value at an offset; all its bytes must be inside of the buffer.
  @inlinable package func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size)
    unsafe start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  /// The memory as values of a type, as many as fit.
  @inlinable package func values<Value: BitwiseCopyable>(as type: Value.Type) -> HandleBuffer<Value> {
    let count = count / MemoryLayout<Value>.size
    return unsafe HandleBuffer(start: start.bindMemory(to: Value.self, capacity: count), count: count)
  }

  /// Copies bytes to an offset; the buffer must have room for all.
  package func copy(_ bytes: ByteView, to offset: Int) {
    precondition(offset >= 0 && bytes.count <= count - offset)
    unsafe (start + offset).copyMemory(from: bytes.start, byteCount: bytes.count)
  }

  /// Sets all bytes to the same value.
  package func fill(with byte: UInt8) {
    unsafe start.initializeMemory(as: UInt8.self, repeating: byte, count: count)
  }

  /// Calls `body` with the memory.
  func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Frees the memory.
  package func free() { unsafe start.deallocate() }
}
