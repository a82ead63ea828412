/// The operation that is measured.
enum Operation: String, CaseIterable, Codable {
  case archive
  case unarchive
}

/// An implementation of one operation for one workload: Arc, a floor or a peer.
struct Contender {
  /// The role of a contender in comparisons.
  enum Role: String, Codable {
    case arc
    /// Arc with an option: compressed, in canonical order, or a snapshot. Its ratios refer to Arc without the
    /// option.
    case option
    /// The floor. Ratios to the floor refer to the fastest contender with this role.
    case floor
    /// A comparison that handles bytes, not objects.
    case bytes
    case peer
  }

  let name: String
  let role: Role
  let operation: Operation
  /// The number of objects that one call handles. A slow peer gets fewer objects.
  let objectCount: Int
  /// What the contender omits or does differently. Empty without a difference.
  var remark = ""
  /// Creates the bytes that an unarchiving contender reads. Nil if it reads no bytes.
  var makeInput: (() throws -> [UInt8])?
  /// Prepares everything that a call needs. This is not timed. `input` is the result of `makeInput`.
  let prepare: (_ input: [UInt8]) throws -> Call
}

extension Contender {
  /// The names to which goals refer.
  enum Name {
    static let arc = "Arc"
    static let canonicalArc = "Arc, canonical"
    static let snapshot = "Arc, snapshot"
    static let deepCopy = "Arc, deep copy"
    static let isIsomorphic = "Arc, is isomorphic"
    static let json = "JSON"
    static let propertyList = "binary plist"
    static let protobuf = "swift-protobuf"
    static let memcpy = "memcpy"
    static let plainWalk = "walk, plain Swift"

    static func arc(zlibLevel level: Int) -> String { "Arc zlib \(level)" }
    static func zlib(level: Int) -> String { "zlib \(level), one thread" }
  }
}
