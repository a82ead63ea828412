/// An entry in the index of a JSON text: a value, or the key of a member.
///
/// | bits | string, key or number | array or object |
/// |---|---|---|
/// | 0 to 3 | kind | kind |
/// | 4 to 31 | number of bytes, without quotes | number of elements or members |
/// | 32 to 63 | offset of the first byte, after the quote | index of the entry after all nested values |
///
/// An array or object has a second entry. The upper half of the second entry is the offset of the opening
/// bracket.
@usableFromInline @frozen package struct JSONWord {
  /// The kind of an entry.
  @usableFromInline @frozen package enum Kind: UInt8 {
    case null, `false`, `true`
    /// A number without a fraction and without an exponent.
    case integer
    /// A number with a fraction or an exponent.
    case fraction
    /// Strings without escapes: `asciiString` contains only ASCII characters, and `string` also other
    /// characters.
    case asciiString, string
    /// A string that contains escapes.
    case escapedString
    case array, object
  }

  /// The maximum number of bytes of a string or number, and of elements or members of an array or object.
  package static let maximumLength = 1 << 28 - 1
  /// The maximum offset or index that an entry can store.
  static let maximumOffset = Int(UInt32.max)

  @usableFromInline var bits: UInt64

  /// Creates an entry. The length and the offset must not exceed the maximum.
  @inline(__always) init(_ kind: Kind, length: Int, offset: Int) {
    bits =
      UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: length) << 4 | UInt64(truncatingIfNeeded: offset)
      << 32
  }

  /// The kind of the entry.
  ///
  /// Invariant: bits 0 to 3 are the raw value of a kind, because only `init` sets them.
  @inlinable @inline(__always) package var kind: Kind {
    unsafe unsafeBitCast(UInt8(truncatingIfNeeded: bits & 15), to: Kind.self)
  }

  /// Whether the entry is a string or key, of any of the three kinds.
  @inlinable @inline(__always) package var isString: Bool {
    bits & 15 &- UInt64(Kind.asciiString.rawValue) < 3
  }
  /// Whether the entry is a number, with or without a fraction.
  @inlinable @inline(__always) package var isNumber: Bool { bits & 15 &- UInt64(Kind.integer.rawValue) < 2 }

  /// The kind and the length, combined in one number for fast comparison.
  @inlinable @inline(__always) var head: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// The number of bytes of a string, key or number; for an array or object, the number of elements or
  /// members.
  @inlinable @inline(__always) package var length: Int { Int(truncatingIfNeeded: bits >> 4 & 0xFFF_FFFF) }

  /// The offset of the value's first byte. For an array or object, the index of the entry after all nested
  /// values.
  @inlinable @inline(__always) package var offset: Int { Int(truncatingIfNeeded: bits >> 32) }

  /// The bytes of a string, key or number, as a range in the text.
  @inlinable @inline(__always) var range: Range<Int> { offset..<offset + length }

  /// Whether the entry is an array or object.
  @inlinable @inline(__always) package var isContainer: Bool { bits & 15 >= UInt64(Kind.array.rawValue) }

  /// Sets the number of elements or members.
  @inline(__always) mutating func setLength(_ length: Int) {
    bits = bits & ~(0xFFF_FFFF << 4) | UInt64(truncatingIfNeeded: length) << 4
  }
}
