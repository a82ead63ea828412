import ArcRuntime

/// The UTF-8 of texts that are read where they are stored, so that no reference to their bytes is counted.
///
/// A text is two words (swift/stdlib/public/core/StringObject.swift): the highest four bits of the second say
/// what they are. A small text is its own bytes, and their number; a large one tells the number in the first
/// word and in the second the address of what has the bytes, which begin 32 bytes behind that where a bit of
/// the first word says so. Of any other text, as one that Objective-C has, this knows nothing. The layout is
/// part of the stable binary interface on Apple's platforms; everywhere it is tried on texts of each form
/// before it is relied on.
///
/// Invariant: an address is that of a text, or optional one, that something keeps alive and nothing changes
/// while it is used here.
@usableFromInline @safe package struct TextMemory {
  /// Whether the layout is as it is said here.
  @usableFromInline let isKnown = TextMemory.isAsSaid

  package init() {}

  /// Calls `body` with the UTF-8 of the text at an address.
  @unsafe @inlinable @inline(__always) package func withUTF8<Result>(
    at address: UnsafeRawPointer, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    if isKnown, let bytes = unsafe Self.utf8(at: address) {
      return unsafe try body(Span(_unsafeElements: bytes))
    }
    var text = unsafe address.assumingMemoryBound(to: String.self).pointee
    return try text.withUTF8 { unsafe try body(Span(_unsafeElements: $0)) }
  }

  /// Calls `body` with the UTF-8 of one of several texts.
  @inlinable @inline(__always) package func withUTF8<Result>(
    of index: Int, in texts: [String], _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    precondition(texts.indices.contains(index))
    return unsafe try texts.withUnsafeBytes { texts in
      guard let first = texts.baseAddress else { return try body(Span()) }
      return unsafe try withUTF8(at: first + index * MemoryLayout<String>.stride, body)
    }
  }

  /// Whether two texts at addresses, or optional ones, have the same bytes.
  @unsafe func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    // Surely where their words are the same, as those of short texts and of copies.
    if unsafe one.load(as: UInt.self) == other.load(as: UInt.self),
      unsafe one.load(fromByteOffset: wordSize, as: UInt.self)
        == other.load(fromByteOffset: wordSize, as: UInt.self),
      MemoryLayout<String>.size == 2 * wordSize
    {
      return true
    }
    // Only one of the words tells of nil: the other may be anything.
    if unsafe isNil(at: one) || isNil(at: other) { return unsafe isNil(at: one) && isNil(at: other) }
    return unsafe withUTF8(at: one) { one in
      unsafe withUTF8(at: other) { other in
        unsafe one.withUnsafeBytes { one in unsafe other.withUnsafeBytes { unsafe haveSameBytes(one, $0) } }
      }
    }
  }

  private var wordSize: Int { MemoryLayout<UInt>.size }

  /// Whether there is no text at an address, but nil.
  @unsafe @inlinable @inline(__always) package func isNil(at address: UnsafeRawPointer) -> Bool {
    guard isKnown else { return unsafe address.assumingMemoryBound(to: String?.self).pointee == nil }
    return unsafe address.load(fromByteOffset: 8, as: UInt64.self) == 0
  }

  /// The UTF-8 of the text at an address, if it is of one of the forms that are known.
  @unsafe @usableFromInline @inline(__always) static func utf8(
    at address: UnsafeRawPointer
  ) -> UnsafeBufferPointer<UInt8>? {
    let first = unsafe address.load(as: UInt64.self)
    let second = unsafe address.load(fromByteOffset: 8, as: UInt64.self)
    if second & isSmall != 0 {
      let count = Int(truncatingIfNeeded: second >> 56 & 15)
      return unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: count)
    }
    guard second & isElsewhere == 0, first & isBehindHeader != 0 else { return nil }
    let start = UInt(truncatingIfNeeded: second & ~forms) + 32
    let count = Int(truncatingIfNeeded: first & countBits)
    return unsafe UnsafeBufferPointer(start: UnsafePointer(bitPattern: start), count: count)
  }

  @inlinable static var isSmall: UInt64 { 1 << 61 }
  /// Bits of texts whose bytes another object gives, or nobody has as UTF-8.
  @inlinable static var isElsewhere: UInt64 { 1 << 62 | 1 << 60 }
  @inlinable static var forms: UInt64 { 15 << 60 }
  @inlinable static var isBehindHeader: UInt64 { 1 << 60 }
  @inlinable static var countBits: UInt64 { 1 << 48 - 1 }

  private static let isAsSaid: Bool = {
    guard RuntimeLayout.isTrusted, MemoryLayout<String?>.size == 16, 1.littleEndian == 1 else { return false }
    // Small ones, constants of the program, and those that are made; with and without other than ASCII.
    let literals = [
      "", "a", "fifteen letters", "größer", "a constant that is too long to be small", "größer als klein — 🙂",
    ]
    let made = literals.flatMap { [$0 + $0, $0 + " and more than one word"] }
    let texts: [String?] = literals + made
    var grown = "grown, so that its memory is larger than it is itself"
    for _ in 0..<40 { grown += "…" }
    return (texts + [grown]).allSatisfy(isRead) && isRead(nil)
  }()

  private static func isRead(_ text: String?) -> Bool {
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
