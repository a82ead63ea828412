/// The bytes of a JSON text, with zeros behind them.
///
/// Invariant: `start` has `count` bytes of text and `padding` zeros after these. Offsets that are asked for
/// are at most `count`: so a byte there, and the eight bytes from there on, are within the memory. What scans
/// the text stops at a zero, which no value contains, and so at `count` at the latest.
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

  /// The byte at an offset; 0 at the end.
  @inlinable @inline(__always) func byte(at offset: Int) -> UInt8 {
    assert(offset >= 0 && offset <= count + Self.padding - 8)
    return unsafe start.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Eight bytes from an offset on, the first in the lowest bits; zeros behind the end.
  @inlinable @inline(__always) func word(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= count + Self.padding - 8)
    return UInt64(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The bytes of a part of the text.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Calls `body` with a part of the text.
  @inlinable func withBytes<Result>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    unsafe try body(Span(_unsafeElements: memory(range)))
  }

  /// The bytes of a part of the text, in its memory.
  @inlinable @inline(__always) func memory(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let range = range.clamped(to: 0..<count)
    return unsafe UnsafeBufferPointer(
      start: (start + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
  }

  /// The string of a part of the text that was checked to be UTF-8.
  @inline(__always) func string(_ range: Range<Int>, isASCII: Bool) -> String {
    unsafe String(checked: memory(range), isASCII: isASCII)
  }

  /// Whether a part of the text has just some bytes.
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

  /// The line and the column of an offset, both from 1; a column counts Unicode scalars.
  ///
  /// - Complexity: O(offset).
  func place(of offset: Int) -> (line: Int, column: Int) {
    var lines = LineCounter(self)
    lines.advance(to: offset)
    return (lines.line, lines.column)
  }
}

extension String {
  /// The string of bytes that were checked to be UTF-8.
  @unsafe @inline(__always) init(checked bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      self = unsafe String(decoding: bytes, as: UTF8.self)
      return
    }
    // Without a second check.
    self = unsafe String(copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: isASCII))
  }
}
