/// The byte that says how the values of a chunk are stored. Spec: 04-columns, section 2.
///
/// 1, 2, 4 and 8 are plain integers of that many bytes; the rest has names.
enum ChunkEncoding {
  /// Values one behind the other.
  static let plain: UInt8 = 0
  /// Of strings: ids in the string table.
  static let stringTable: UInt8 = 1
  /// Of integers: a base, and so many bits above it for each. Of anything else: one value for all.
  static let packed: UInt8 = 0x10
  /// Of integers: the first value, and packed differences.
  static let delta: UInt8 = 0x11
  /// Of integers: values, and how often each occurs in a row.
  static let runs: UInt8 = 0x12
  /// Flag of plain values: zeros stand before them, up to a multiple of `alignment` in the payload.
  static let aligned: UInt8 = 0x80

  /// What aligned values begin at a multiple of, and segments too: bytes.
  static let alignment = 8
  /// A chunk that is not plain stands for so many values at most, since a few bytes can stand for all.
  /// Spec: 04-columns, rule V8.
  static let greatestEncodedCount = 1 << 18
  /// Packed values have so many bits at most, so that one load of 8 bytes holds each.
  static let greatestBitWidth = 56

  /// The bytes that are missing from `offset` to the next multiple of `alignment`.
  static func padding(at offset: Int) -> Int { -offset & (alignment - 1) }
}

/// How a chunk must be read; `ChunkEncoding` with the widths left out.
@usableFromInline enum ChunkForm: UInt8 {
  /// Values one behind the other.
  case plain
  /// One value for all: bits and values of fixed size.
  case constant
  /// Integers, see `IntegerSequence`.
  case packed, delta, runs
}
