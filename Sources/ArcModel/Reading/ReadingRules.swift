/// What a reading does where a text is not as the model wants it, and where members have other names.
struct ReadingRules {
  /// Whether what does not fit is passed over, and what says the same is converted.
  let isLenient: Bool
  let naming: KeyNaming
  /// How deep values of a type may be inside of values of the same type.
  let depth: Int
  /// What the program's own code gets.
  let userInfo: [CodingUserInfoKey: any Sendable]
}
