/// The byte that says how the values of a chunk are stored. 1, 2, 4 and 8 are plain integers of that many
/// bytes; the others have names. Spec: 04-columns, sections 2 and 3.
package enum ChunkEncoding {
  /// All values in order, unless the kind is an integer.
  package static let plain: UInt8 = 0
  /// Of strings: ids in the string table.
  static let stringTable: UInt8 = 1
  /// Of integers: a base, and for each value its difference from the base in a few bits. Of bits and fixed
  /// values: one value for all.
  static let packed: UInt8 = 0x10
  /// Of integers: the first value, and packed differences.
  static let delta: UInt8 = 0x11
  /// Of integers: runs of equal values, with their lengths.
  static let runs: UInt8 = 0x12
  /// Flag of plain values: padding before them aligns them to `Alignment.byteCount` in the payload.
  static let aligned: UInt8 = 0x80

  /// The maximum number of values in a chunk that is not plain, since a few bytes can stand for all of them.
  ///
  /// Spec: 04-columns, rule V8.
  static let maximumEncodedCount = 1 << 18
  /// The maximum number of bits of a packed value: one load of 8 bytes contains each.
  /// Spec: 04-columns, rule V9.
  static let maximumBitWidth = 56
}

/// How the values of a chunk are read: `ChunkEncoding` without the widths.
@usableFromInline package enum ChunkForm: UInt8 {
  /// All values in order.
  case plain
  /// One value for all: of bits and fixed storage.
  case constant
  /// Integers that are not plain; see `IntegerSequence`.
  case packed, delta, runs
}
