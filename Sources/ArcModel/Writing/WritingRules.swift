import ArcJSON

/// The options of a writer.
struct WritingRules {
  let naming: KeyNaming
  let isPretty: Bool
  let sortsKeys: Bool
  /// Whether each property that is nil is written as `null`.
  let writesNulls: Bool
  /// Whether each property that is nil is omitted. If neither `writesNulls` nor `omitsNulls` is true, a
  /// property that is nil is written as `null` only if it has an initial value.
  let omitsNulls: Bool
  let only: Set<String>?
  /// The mappings that the writer uses instead of the mappings of the classes, by class.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// How the JSON represents several references to one object.
  let references: ModelReferences
  /// Whether infinity and NaN are written as `null`.
  let writesNonFiniteAsNull: Bool
  /// Whether infinity and NaN are written as `"Infinity"`, `"-Infinity"` and `"NaN"`. If neither
  /// `writesNonFiniteAsNull` nor `writesNonFiniteAsText` is true, writing them fails.
  let writesNonFiniteAsText: Bool
  let escaping: JSONEscaping
  let depth: Int
  let userInfo: [CodingUserInfoKey: any Sendable]
}
