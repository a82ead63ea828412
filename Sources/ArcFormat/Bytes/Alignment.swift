/// The alignment of segments in a file, and of values in segments.
///
/// Spec: 02-container, section 2; 04-columns, sections 2 and 3.
enum Alignment {
  static let byteCount = 8

  /// Returns the number of padding bytes from `offset` to the next multiple of `byteCount`.
  static func padding(at offset: Int) -> Int { -offset & (byteCount - 1) }
}
