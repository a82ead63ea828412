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
  /// Whether members that no property reads are issues, unless they are preserved.
  let reportsUnknownKeys: Bool
  /// Whether objects whose class is ``UnknownMemberPreserving`` store such members.
  let preservesUnknownMembers: Bool
  /// What a text may cost.
  let limits: JSONLimits
  /// What is kept of readings with the same rules. Whoever reads keeps it; what it keeps has the rules.
  unowned let pool: ReadingPool
  /// The values that the program's own code can access.
  var userInfo: [CodingUserInfoKey: any Sendable]

  /// The words for what an issue of an unknown member expects.
  var expectedForUnknownKeys: String {
    preservesUnknownMembers
      ? "only known members, or a class that conforms to UnknownMemberPreserving" : "only known members"
  }

  /// The same for hooks.
  var context: ArchiveContext { ArchiveContext(userInfo: userInfo) }
}
