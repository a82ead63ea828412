/// What is measured of a graph.
enum Operation: String, CaseIterable, Codable {
  case archive
  case unarchive
}

/// One way to do one operation with one workload: Arc, a floor or a peer.
struct Contender {
  /// What contenders are to each other.
  enum Role: String, Codable {
    case arc
    /// Arc with an option: its archive compressed, in canonical order, or a snapshot of it; ratios are to Arc without.
    case option
    /// What ratios to the floor are to: the fastest contender of that role.
    case floor
    /// A yardstick that handles bytes, not objects.
    case bytes
    case peer
  }

  let name: String
  let role: Role
  let operation: Operation
  /// The objects that one call handles; a slow peer gets fewer.
  let objectCount: Int
  /// What the contender leaves out or does in another way; empty if nothing.
  var remark = ""
  /// Makes the bytes that an unarchiving contender reads; nil where it reads none.
  var makeInput: (() throws -> [UInt8])?
  /// Gets ready all that a call needs, outside of any timing. The argument is what `makeInput` made.
  let prepare: (_ input: [UInt8]) throws -> Call
}

extension Contender {
  /// Names for which goals look.
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
