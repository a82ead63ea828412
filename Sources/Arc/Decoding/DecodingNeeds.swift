/// The optional steps of rebuilding a graph that at least one class requires. A step that no class requires
/// is skipped without a loop over the classes, because the loop would be noticeable for a small archive.
struct DecodingNeeds: OptionSet {
  let rawValue: UInt8

  /// The archive must be read on the main actor.
  static let mainActor = DecodingNeeds(rawValue: 1)
  /// A hand-written class reads values by its own keys, which may differ from archive to archive.
  static let keys = DecodingNeeds(rawValue: 1 << 1)
  /// For each object, the first row that retains it must be recorded. This is needed because some objects may
  /// precede all objects that retain them.
  static let firstHolders = DecodingNeeds(rawValue: 1 << 2)
  /// An object may need objects of later rows when it is built.
  static let laterRows = DecodingNeeds(rawValue: 1 << 3)
  /// All references must be logged. Hooks that are called in the order of references need the log. Hooks that
  /// may replace an object also need the log, because the replacement may retain other objects.
  static let referenceLog = DecodingNeeds(rawValue: 1 << 4)
  /// Objects must be visited in phase `link`.
  static let link = DecodingNeeds(rawValue: 1 << 5)
}

extension ClassReader {
  /// The optional steps of reading that the class requires. A reader always returns the same steps.
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
