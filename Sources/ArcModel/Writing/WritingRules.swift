import ArcJSON

/// What a writing does where there is a choice: the properties of the writer.
struct WritingRules {
  let naming: KeyNaming
  let isPretty: Bool
  let sortsKeys: Bool
  /// Whether every property that is nil is `null`.
  let writesNulls: Bool
  /// Whether every property that is nil is left out. If neither, those with an initial value are `null`.
  let omitsNulls: Bool
  let only: Set<String>?
  /// How classes are mapped otherwise than they say.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// What tells that two places have the same object.
  let references: ModelReferences
  /// Whether infinity and NaN are `null`.
  let writesNonFiniteAsNull: Bool
  /// Whether infinity and NaN are `"Infinity"`, `"-Infinity"` and `"NaN"`. If neither, writing fails.
  let writesNonFiniteAsText: Bool
  let escaping: JSONEscaping
  let depth: Int
  let userInfo: [CodingUserInfoKey: any Sendable]
}
