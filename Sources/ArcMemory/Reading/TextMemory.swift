import ArcRuntime

/// Reads the UTF-8 bytes of strings where they are stored, so that no reference count changes.
///
/// A string consists of two words (swift/stdlib/public/core/StringObject.swift). The highest four bits of the
/// second word are the form of the string. A small string contains its bytes and their number. The first word
/// of a large string contains the number of bytes and a bit for native strings, and the second word contains
/// an address 32 bytes before the bytes. For other strings, such as strings of Objective-C, the methods use
/// `String.withUTF8`. The layout is part of the stable ABI on Apple's platforms. On all platforms, `isTested`
/// compares the bytes of strings of each form.
///
/// Invariant: an address is the address of a `String` or `String?` that the caller keeps alive and that no
/// code changes during the call.
@usableFromInline @safe package struct TextMemory {
  /// Whether the strings of this runtime have the layout that `TextMemory` describes.
  @usableFromInline let isKnown = TextMemory.isTested

  /// Creates a reader of strings. The first call in a process tests the layout.
  package init() {}

  /// Calls `body` with the UTF-8 bytes of the string at an address.
  @unsafe @inlinable @inline(__always) package func withUTF8<Result>(
    at address: UnsafeRawPointer, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    if isKnown, let bytes = unsafe Self.utf8(at: address) {
      return unsafe try body(Span(_unsafeElements: bytes))
    }
    var text = unsafe address.assumingMemoryBound(to: String.self).pointee
    return try text.withUTF8 { unsafe try body(Span(_unsafeElements: $0)) }
  }

  /// Calls `body` with the UTF-8 bytes of one string of an array.
  @inlinable @inline(__always) package func withUTF8<Result>(
    of index: Int, in texts: [String], _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    precondition(texts.indices.contains(index))
    return unsafe try texts.withUnsafeBytes { texts in
      guard let first = texts.baseAddress else { return try body(Span()) }
      return unsafe try withUTF8(at: first + index * MemoryLayout<String>.stride, body)
    }
  }

  /// Whether the strings at two addresses have the same bytes, or both are nil.
  @unsafe package func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    // Equal words, as of short strings and of copies, mean equal bytes.
    if unsafe one.load(as: UInt.self) == other.load(as: UInt.self),
      unsafe one.load(fromByteOffset: wordSize, as: UInt.self)
        == other.load(fromByteOffset: wordSize, as: UInt.self),
      MemoryLayout<String>.size == 2 * wordSize
    {
      return true
    }
    // Only the second word differs for nil: the first word may have any value.
    if unsafe isNil(at: one) || isNil(at: other) { return unsafe isNil(at: one) && isNil(at: other) }
    return unsafe withUTF8(at: one) { one in
      unsafe withUTF8(at: other) { other in
        unsafe one.withUnsafeBytes { one in unsafe other.withUnsafeBytes { unsafe haveSameBytes(one, $0) } }
      }
    }
  }

  private var wordSize: Int { MemoryLayout<UInt>.size }

  /// Whether the value at an address is nil.
  @unsafe @inlinable @inline(__always) package func isNil(at address: UnsafeRawPointer) -> Bool {
    guard isKnown else { return unsafe address.assumingMemoryBound(to: String?.self).pointee == nil }
    return unsafe address.load(fromByteOffset: 8, as: UInt64.self) == 0
  }

  /// Returns the UTF-8 bytes of the string at an address. Nil if the form of the string is unknown.
  @unsafe @usableFromInline @inline(__always) static func utf8(
    at address: UnsafeRawPointer
  ) -> UnsafeBufferPointer<UInt8>? {
    let first = unsafe address.load(as: UInt64.self)
    let second = unsafe address.load(fromByteOffset: 8, as: UInt64.self)
    if second & isSmall != 0 {
      let count = Int(truncatingIfNeeded: second >> 56 & 15)
      return unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: count)
    }
    guard second & hasOtherStorage == 0, first & isTailAllocated != 0 else { return nil }
    let start = UInt(truncatingIfNeeded: second & ~forms) + 32
    let count = Int(truncatingIfNeeded: first & countBits)
    return unsafe UnsafeBufferPointer(start: UnsafePointer(bitPattern: start), count: count)
  }

  @inlinable static var isSmall: UInt64 { 1 << 61 }
  /// Two bits of the second word of a string. At least one of them is set if another object supplies the
  /// bytes of the string, or if the bytes are not UTF-8.
  @inlinable static var hasOtherStorage: UInt64 { 1 << 62 | 1 << 60 }
  @inlinable static var forms: UInt64 { 15 << 60 }
  @inlinable static var isTailAllocated: UInt64 { 1 << 60 }
  @inlinable static var countBits: UInt64 { 1 << 48 - 1 }

  private static let isTested: Bool = {
    guard RuntimeLayout.isTrusted, MemoryLayout<String?>.size == 16, 1.littleEndian == 1 else { return false }
    // Small strings, constants of the program and allocated strings; with and without non-ASCII characters.
    let literals = [
      "", "a", "fifteen letters", "größer", "a constant that is too long to be small", "größer als klein — 🙂",
    ]
    let allocated = literals.flatMap { [$0 + $0, $0 + " and more than one word"] }
    let texts: [String?] = literals + allocated
    var grown = "grown, so that its memory is larger than it is itself"
    for _ in 0..<40 { grown += "…" }
    return (texts + [grown]).allSatisfy(isReadCorrectly) && isReadCorrectly(nil)
  }()

  private static func isReadCorrectly(_ text: String?) -> Bool {
    var text = text
    let isNil = text == nil
    let expected = text.map { Array($0.utf8) }
    return unsafe withUnsafeBytes(of: &text) { memory in
      guard let address = memory.baseAddress else { return false }
      let hasNoObject = unsafe address.load(fromByteOffset: 8, as: UInt64.self) == 0
      guard let expected else { return hasNoObject }
      return unsafe !isNil && !hasNoObject
        && utf8(at: address).map { unsafe $0.elementsEqual(expected) } ?? false
    }
  }
}
