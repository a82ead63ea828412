/// An entry of the index of a text: a value, or the key of a member.
///
/// | bits | of a string, key or number | of an array or object |
/// |---|---|---|
/// | 0 to 3 | kind | kind |
/// | 4 to 31 | number of its bytes, without quotes | number of elements or members |
/// | 32 to 63 | offset of its first byte, behind the quote | index of the entry behind all that is in it |
///
/// An array or object has a second entry, whose upper half is the offset of its bracket.
@usableFromInline @frozen package struct JSONWord {
  /// What an entry is of.
  @usableFromInline @frozen package enum Kind: UInt8 {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// Any other number.
    case fraction
    /// Strings without escapes: of ASCII alone, and others.
    case asciiString, string
    /// A string with escapes.
    case escapedString
    case array, object
  }

  /// The maximum of a length or count.
  package static let maximumLength = 1 << 28 - 1
  /// The maximum of an offset or index.
  static let maximumOffset = Int(UInt32.max)

  @usableFromInline var bits: UInt64

  /// Lengths and offsets must be within the maximum.
  @inline(__always) init(_ kind: Kind, length: Int, offset: Int) {
    bits =
      UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: length) << 4 | UInt64(truncatingIfNeeded: offset)
      << 32
  }

  /// What it is of. Invariant: the lowest bits are those of a kind, since `init` alone sets them.
  @inlinable @inline(__always) package var kind: Kind {
    unsafe unsafeBitCast(UInt8(truncatingIfNeeded: bits & 15), to: Kind.self)
  }

  /// Whether it is a string of some kind.
  @inlinable @inline(__always) package var isString: Bool {
    bits & 15 &- UInt64(Kind.asciiString.rawValue) < 3
  }
  /// Whether it is a number of some kind.
  @inlinable @inline(__always) package var isNumber: Bool { bits & 15 &- UInt64(Kind.integer.rawValue) < 2 }

  /// The kind and the number of bytes, elements or members, in one.
  @inlinable @inline(__always) var head: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// The number of bytes, or of elements or members.
  @inlinable @inline(__always) package var length: Int { Int(truncatingIfNeeded: bits >> 4 & 0xFFF_FFFF) }

  /// The offset of the first byte, or the index behind the value.
  @inlinable @inline(__always) package var offset: Int { Int(truncatingIfNeeded: bits >> 32) }

  /// The bytes of a string, key or number.
  @inlinable @inline(__always) var range: Range<Int> { offset..<offset + length }

  /// Whether it is an array or object.
  @inlinable @inline(__always) package var isContainer: Bool { bits & 15 >= UInt64(Kind.array.rawValue) }

  /// Sets the number of elements or members.
  @inline(__always) mutating func setLength(_ length: Int) {
    bits = bits & ~(0xFFF_FFFF << 4) | UInt64(truncatingIfNeeded: length) << 4
  }
}
