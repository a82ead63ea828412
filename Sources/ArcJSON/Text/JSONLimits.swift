/// The maximum size and nesting depth of a JSON text.
///
///     let limits = JSONLimits(depth: 64, bytes: 1 << 20)
///     let document = try JSONDocument(text, limits: limits)
public struct JSONLimits: Hashable, Sendable {
  /// The maximum nesting depth of arrays and objects.
  ///
  /// Increase this depth to read class instances that are nested more than 512 levels deep. The depth of a
  /// ``JSONValue`` is always limited to 1,000 levels, because Swift releases such values recursively. The
  /// limit of 1,000 also applies to structures and enumerations that contain values of their own type.
  public var depth: Int
  /// The maximum number of bytes of the text. A text of 4 GB or more is always rejected.
  public var bytes: Int

  /// The default limits: 512 levels, and any number of bytes below 4 GB.
  public static let `default` = JSONLimits()

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - depth: the maximum nesting depth of arrays and objects.
  ///   - bytes: the maximum number of bytes of the text.
  public init(depth: Int = 512, bytes: Int = .max) {
    self.depth = depth
    self.bytes = bytes
  }
}
