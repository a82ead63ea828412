/// The values of the byte that describes how the values of a chunk are stored. 1, 2, 4 and 8 mean plain
/// integers of that number of bytes. The other values have names here. Spec: 04-columns, sections 2 and 3.
package enum ChunkEncoding {
  /// All values in order. Not used for integers.
  package static let plain: UInt8 = 0
  /// For strings: ids in the string table.
  static let stringTable: UInt8 = 1
  /// For integers: a base, and the difference of each value from the base in a few bits. For bits and fixed
  /// values: one value that all values are equal to.
  static let packed: UInt8 = 0x10
  /// For integers: the first value, and packed differences between consecutive values.
  static let delta: UInt8 = 0x11
  /// For integers: runs of equal values, with the lengths of the runs.
  static let runs: UInt8 = 0x12
  /// A flag for plain values: padding before the values aligns them to `Alignment.byteCount` in the payload.
  static let aligned: UInt8 = 0x80

  /// The maximum number of values in a chunk that is not plain. The limit is necessary because a few bytes
  /// can represent all values of such a chunk.
  ///
  /// Spec: 04-columns, rule V8.
  static let maximumEncodedCount = 1 << 18
  /// The maximum number of bits of a packed value. A packed value can then be loaded with one load of 8
  /// bytes. Spec: 04-columns, rule V9.
  static let maximumBitWidth = 56
}

/// The form in which the values of a chunk are read: `ChunkEncoding` without the widths.
@usableFromInline package enum ChunkForm: UInt8 {
  /// All values in order.
  case plain
  /// One value that all values are equal to. Only for bits and fixed storage.
  case constant
  /// Integers that are not plain. See `IntegerSequence`.
  case packed, delta, runs
}
