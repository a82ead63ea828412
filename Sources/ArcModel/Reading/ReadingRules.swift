import ArcJSON

/// What a reading does where a text is not as the model wants it, and where members have other names.
struct ReadingRules {
  /// Whether what does not fit is passed over, and what says the same is converted.
  let isLenient: Bool
  let naming: KeyNaming
  /// How classes are mapped otherwise than they say.
  let mappings: [ObjectIdentifier: ClassMapping]
  /// Whether members that no property is read from are reported.
  let reportsUnknownKeys: Bool
  /// What a text may cost.
  let limits: JSONLimits
  /// What the program's own code gets.
  let userInfo: [CodingUserInfoKey: any Sendable]
}
