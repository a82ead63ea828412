/// The bytes of a JSON text, followed by zeros.
///
/// Invariant: the memory at `start` contains `count` bytes of text, followed by `padding` zeros. Callers pass
/// offsets of at most `count`, so the byte at an offset and the seven bytes after it are in this memory. A
/// scanner stops at a zero, because no value contains a zero. So a scanner never moves beyond `count`.
@usableFromInline @safe final class JSONText: @unchecked Sendable {  // Nothing changes the bytes.
  @usableFromInline static var padding: Int { 64 }

  /// The number of bytes of the text.
  @usableFromInline let count: Int
  @usableFromInline let start: UnsafeMutableRawPointer

  /// Copies the bytes of a text.
  init(_ bytes: Span<UInt8>) {
    count = bytes.count
    unsafe start = .allocate(byteCount: bytes.count + Self.padding, alignment: 16)
    unsafe bytes.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { unsafe start.copyMemory(from: source, byteCount: bytes.count) }
    }
    unsafe (start + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  deinit { unsafe start.deallocate() }

  /// Returns the byte at an offset, or 0 at the end of the text.
  @inlinable @inline(__always) func byte(at offset: Int) -> UInt8 {
    assert(offset >= 0 && offset <= count + Self.padding - 8)
    return unsafe start.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Returns the eight bytes that begin at an offset. The first byte is in the lowest bits. Bytes after the
  /// end of the text are 0.
  @inlinable @inline(__always) func word(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= count + Self.padding - 8)
    return UInt64(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns a copy of the bytes in a range.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Calls `body` with the bytes in a range.
  @inlinable func withBytes<Result>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    unsafe try body(Span(_unsafeElements: memory(range)))
  }

  /// Returns the bytes in a range, without a copy.
  @inlinable @inline(__always) func memory(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let range = range.clamped(to: 0..<count)
    return unsafe UnsafeBufferPointer(
      start: (start + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
  }

  /// Returns the string in a range, which must contain valid UTF-8.
  @inline(__always) func string(_ range: Range<Int>, isASCII: Bool) -> String {
    unsafe String(checked: memory(range), isASCII: isASCII)
  }

  /// Whether the bytes in a range equal other bytes.
  @inline(__always) func isSame(_ range: Range<Int>, as bytes: Span<UInt8>) -> Bool {
    let own = unsafe UnsafeRawBufferPointer(memory(range))
    guard bytes.count == own.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset &+ 8 <= bytes.count {
        guard
          unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        else { return false }
        offset &+= 8
      }
      while offset < bytes.count {
        guard unsafe bytes[offset] == own[offset] else { return false }
        offset &+= 1
      }
      return true
    }
  }

  /// Returns the line and the column of an offset, both counted from 1. A column counts Unicode scalars.
  ///
  /// - Complexity: O(offset).
  func lineAndColumn(of offset: Int) -> (line: Int, column: Int) {
    var lines = LineCounter(self)
    lines.advance(to: offset)
    return (lines.line, lines.column)
  }
}

extension String {
  /// Creates a string from bytes, which must be valid UTF-8. `isASCII` states that all bytes are ASCII.
  @unsafe @inline(__always) init(checked bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      self = unsafe String(decoding: bytes, as: UTF8.self)
      return
    }
    // The bytes are not validated again.
    self = unsafe String(copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: isASCII))
  }
}
