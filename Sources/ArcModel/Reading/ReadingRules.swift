import Arc
import ArcJSON

/// What a reading does where a text is not as the model wants it, and where members have other names.
struct ReadingRules {
  /// Whether what does not fit is passed over, and what says the same is converted.
  let isLenient: Bool
  let naming: KeyNaming
  /// How classes are mapped otherwise than they say.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// What tells that two places have the same object.
  let references: ModelReferences
  /// What becomes of members that no property is read from.
  let unknownKeys: UnknownKeys
  /// What a text may cost.
  let limits: JSONLimits
  /// What is kept of readings with the same rules. Whoever reads keeps it; what it keeps has the rules.
  unowned let pool: ReadingPool
  /// What the program's own code gets.
  let userInfo: [CodingUserInfoKey: any Sendable]

  /// The same for hooks.
  var context: ArchiveContext { ArchiveContext(userInfo: userInfo) }
}
