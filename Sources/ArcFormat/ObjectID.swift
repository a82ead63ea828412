/// The number of an object in its archive, which is its row number. The first object has number 1.
///
///     let person = try file.object(ObjectID(rawValue: 7))
///
/// Row 0 contains the named roots and is not an object, so 0 represents nil in reference columns. Spec:
/// 05-graph, rule G1.
public struct ObjectID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The row number.
  public let rawValue: UInt32
  /// Creates an object number from a row number.
  ///
  /// - Parameter rawValue: the row number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The row number after `#`, as in error messages: `#12` for row 12.
  public var description: String { "#\(rawValue)" }
  /// Returns whether the row of `left` is before the row of `right`.
  public static func < (left: ObjectID, right: ObjectID) -> Bool { left.rawValue < right.rawValue }
}
