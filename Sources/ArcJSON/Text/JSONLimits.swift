/// What a JSON text may cost at most.
public struct JSONLimits: Hashable, Sendable {
  /// How many arrays and objects may be one inside another.
  ///
  /// A larger number allows deeper chains of objects of classes. A ``JSONValue``, and a structure or
  /// enumeration that contains itself, are at most 1,000 levels deep whatever the limit, because Swift
  /// releases such values by recursion.
  public var depth: Int
  /// The number of bytes of the text. No text of 4 GB or more is read.
  public var bytes: Int

  /// Those of readers that are not given others.
  public static let `default` = JSONLimits()

  /// Makes limits; what is left out is as by default: 512 levels, any number of bytes below 4 GB.
  public init(depth: Int = 512, bytes: Int = .max) {
    self.depth = depth
    self.bytes = bytes
  }
}
