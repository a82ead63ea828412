/// The values of a chunk's encoding byte, which states how the values of the chunk are stored. 1, 2, 4 and 8
/// mean plain integers of this number of bytes. The other encodings have names here. Spec: 04-columns,
/// sections 2 and 3.
package enum ChunkEncoding {
  /// All values in order. Not used for integers.
  package static let plain: UInt8 = 0
  /// For strings: ids in the string table.
  static let stringTable: UInt8 = 1
  /// For integers: a base, and for each value the difference from the base in a few bits. For bits and fixed
  /// values: one value that is repeated for the whole chunk.
  static let packed: UInt8 = 0x10
  /// For integers: the first value, and packed differences between consecutive values.
  static let delta: UInt8 = 0x11
  /// For integers: runs of equal values, with the lengths of the runs.
  static let runs: UInt8 = 0x12
  /// A flag for plain values: padding before the values aligns them to `Alignment.byteCount` in the payload.
  static let aligned: UInt8 = 0x80

  /// The maximum number of values in a chunk that is not plain. Such a chunk can represent all its values
  /// with a few bytes, so the size of the file does not limit their number.
  ///
  /// Spec: 04-columns, rule V8.
  static let maximumEncodedCount = 1 << 18
  /// The maximum number of bits of a packed value. It ensures that one load of 8 bytes contains the whole
  /// value. Spec: 04-columns, rule V9.
  static let maximumBitWidth = 56
}

/// The form in which the values of a chunk are stored. Does not include the width of integers. Determined by
/// the chunk's `ChunkEncoding`.
@usableFromInline package enum ChunkForm: UInt8 {
  /// All values in order.
  case plain
  /// One value that is repeated for the whole chunk. Only for bits and fixed storage.
  case constant
  /// Integers that are not plain. See `IntegerSequence`.
  case packed, delta, runs
}
