/// The alignment of segments and of aligned values.
///
/// Spec: 02-container, section 2; 04-columns, sections 2 and 3.
enum Alignment {
  /// The alignment in bytes.
  static let byteCount = 8

  /// The number of bytes from `offset` to the next multiple of `byteCount`.
  static func padding(at offset: Int) -> Int { -offset & (byteCount - 1) }
}
