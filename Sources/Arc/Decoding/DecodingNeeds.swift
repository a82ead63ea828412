/// What the classes of a graph need of the steps that rebuild it: a step that no class needs asks none of
/// them, which a small archive would notice.
struct DecodingNeeds: OptionSet {
  let rawValue: UInt8

  /// A call on the main actor.
  static let mainActor = DecodingNeeds(rawValue: 1)
  /// Dynamic keys, which each archive has its own of.
  static let keys = DecodingNeeds(rawValue: 1 << 1)
  /// To know who holds an object before its holder is built.
  static let firstHolders = DecodingNeeds(rawValue: 1 << 2)
  /// Later rows, while an object is built.
  static let laterRows = DecodingNeeds(rawValue: 1 << 3)
  /// To know which object holds which: for hooks that are called in an order that follows from it, and those
  /// by which what an object holds may be lost.
  static let referenceLog = DecodingNeeds(rawValue: 1 << 4)
  /// A visit in phase `link`.
  static let link = DecodingNeeds(rawValue: 1 << 5)
}

extension ClassReader {
  /// What the class needs. It does not change while the reader lives.
  var needs: DecodingNeeds {
    var needs: DecodingNeeds = []
    if programClass.isolation.mainActorType != nil { needs.insert(.mainActor) }
    if keys != nil { needs.insert(.keys) }
    if mayPrecedeHolders { needs.insert(.firstHolders) }
    if mayNeedLaterRows { needs.insert(.laterRows) }
    if hooks.contains(.finishing) || mayBeReplaced && mayHoldObjects { needs.insert(.referenceLog) }
    if isVisited(in: .link) { needs.insert(.link) }
    return needs
  }
}
