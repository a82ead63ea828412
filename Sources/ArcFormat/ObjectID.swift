/// The number of an object in its archive: its row number, 1 for the first object.
///
/// Row 0 contains the named roots and is no object, so that 0 means nil in reference columns.
///
/// Spec: 05-graph, rule G1.
public struct ObjectID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The row number.
  public let rawValue: UInt32
  /// Makes the number of the object in row `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The number as messages print it: `#12` for row 12.
  public var description: String { "#\(rawValue)" }
  /// Whether the row of `left` is before that of `right`.
  public static func < (left: ObjectID, right: ObjectID) -> Bool { left.rawValue < right.rawValue }
}
