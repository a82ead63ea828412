/// A view of bytes in memory that another object owns: the bytes of a file, or a part of them.
///
/// A view is a pointer and a count. Copying a view does not copy the bytes.
///
/// Invariant: the `count` bytes at `start` are readable and do not change while the view is used. Code that
/// stores a view either also stores the owner of the bytes, or documents how long its caller must keep the
/// bytes valid. The range of a part is checked when the part is created. Accesses to single values are
/// checked only in debug builds, because readers check the range before they load.
@usableFromInline @frozen @safe package struct ByteView: @unchecked Sendable {
  @usableFromInline let start: UnsafeRawPointer
  /// The number of bytes.
  @usableFromInline package let count: Int

  /// Creates a view of no bytes.
  @inlinable package init() {
    // The address is never accessed, because there are no bytes.
    unsafe start = UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
    count = 0
  }

  /// Creates a view of a buffer. The memory of the buffer must outlive the view.
  @inlinable package init(_ buffer: UnsafeRawBufferPointer) {
    guard let start = buffer.baseAddress else {
      self.init()
      return
    }
    unsafe self.init(start: start, count: buffer.count)
  }

  @inlinable init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// Whether the view has no bytes.
  @inlinable package var isEmpty: Bool { count == 0 }

  /// The bytes in a range of offsets in the view.
  @inlinable @inline(__always)
  package subscript(range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe ByteView(start: start + range.lowerBound, count: range.upperBound &- range.lowerBound)
  }

  /// Returns the bytes that begin at an offset, which must be at most `count`.
  @inlinable @inline(__always)
  package func suffix(from offset: Int) -> ByteView { self[offset..<count] }

  /// The byte at an offset, which must be below `count`.
  @inlinable @inline(__always)
  package subscript(offset: Int) -> UInt8 { load(at: offset, as: UInt8.self) }

  /// Returns the value at an offset, which need not be aligned. All bytes of the value must be in the view.
  @inlinable @inline(__always)
  package func load<T: BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    assert(offset >= 0 && offset <= count &- MemoryLayout<T>.size)
    return unsafe start.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  /// Returns the little-endian integer at an offset. All its bytes must be in the view.
  @inlinable @inline(__always)
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T
  {
    T(littleEndian: load(at: offset, as: T.self))
  }

  /// Returns the element at `index` of an array of unsigned integers of `width` bytes each. The element must
  /// be in the view. Returns 0 if no integer type has `width` bytes.
  @inlinable @inline(__always)
  package func unsigned(_ index: Int, width: Int) -> UInt64 {
    switch width {
    case 1: UInt64(self[index])
    case 2: UInt64(integer(at: index &* 2, as: UInt16.self))
    case 4: UInt64(integer(at: index &* 4, as: UInt32.self))
    case 8: integer(at: index &* 8, as: UInt64.self)
    default: 0  // Not a column of integers: nothing is loaded.
    }
  }

  /// Returns the element at `index` of an array of signed integers of `width` bytes each. The element must be
  /// in the view. Returns 0 if no integer type has `width` bytes.
  @inlinable @inline(__always)
  package func signed(_ index: Int, width: Int) -> Int64 {
    let unusedBits = Int64(64 &- 8 &* width)
    return (Int64(bitPattern: unsigned(index, width: width)) &<< unusedBits) &>> unusedBits
  }

  /// Returns the bit at `index`. The first bit is the lowest bit of the first byte.
  @inlinable @inline(__always)
  package func bit(_ index: Int) -> Bool { self[index >> 3] >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1 }

  var areZeros: Bool { (0..<count).allSatisfy { self[$0] == 0 } }

  /// The last 8 bytes as an integer, or all bytes if the view is shorter. Used for the end of a sequence of
  /// words, where the 8 bytes may overlap the preceding word.
  @inlinable @inline(__always) var lastWord: UInt64 {
    if count >= 8 { return load(at: count &- 8, as: UInt64.self) }
    if count >= 4 {
      let first = load(at: 0, as: UInt32.self)
      let last = load(at: count &- 4, as: UInt32.self)
      return UInt64(first) | UInt64(last) << 32
    }
    var word: UInt64 = 0
    for index in 0..<count { word = word << 8 | UInt64(self[index]) }
    return word
  }

  /// Returns whether both views have equal bytes.
  @inlinable @inline(__always)
  package func isEqual(to other: ByteView) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset &+ 8 <= count {
      if load(at: offset, as: UInt64.self) != other.load(at: offset, as: UInt64.self) { return false }
      offset &+= 8
    }
    return lastWord == other.lastWord
  }

  /// Calls `body` with the bytes as values of a type. Omits a remainder that is smaller than a value. Returns
  /// nil, without calling `body`, if the bytes are not aligned for the type.
  package func withSpan<Value: BitwiseCopyable, Result>(
    of type: Value.Type, _ body: (Span<Value>) throws -> Result
  ) rethrows -> Result? {
    guard unsafe UInt(bitPattern: start) % UInt(MemoryLayout<Value>.alignment) == 0 else { return nil }
    let values = unsafe UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: Value.self), count: count / MemoryLayout<Value>.size)
    return try unsafe body(Span(_unsafeElements: values))
  }

  /// Calls `body` with the bytes.
  @inlinable @inline(__always)
  package func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    return unsafe try body(Span(_unsafeElements: bytes))
  }

  /// Calls `body` with the bytes as a buffer.
  @inlinable @inline(__always)
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension Array where Element == UInt8 {
  /// Creates an array with a copy of the bytes of a view.
  @inlinable package init(_ bytes: ByteView) { self = unsafe bytes.withUnsafeBytes { unsafe Array($0) } }

  /// Appends the bytes of a view.
  @inlinable package mutating func append(contentsOf bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Calls `body` with the bytes of the elements in memory.
  @inlinable package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
    try unsafe withUnsafeBytes { try body(unsafe ByteView($0)) }
  }
}
