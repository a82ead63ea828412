import ArcJSON

/// The options of a writer.
struct WritingRules {
  let naming: KeyNaming
  let isPretty: Bool
  let sortsKeys: Bool
  /// Whether all properties that are nil are written as `null`.
  let writesNulls: Bool
  /// Whether all properties that are nil are omitted. If neither option is set, only properties with an
  /// initial value are written as `null`.
  let omitsNulls: Bool
  let only: Set<String>?
  /// Mappings of the writer that replace the mappings of the classes, by class.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// How the JSON shows that two references refer to the same object.
  let references: ModelReferences
  /// Whether infinity and NaN are written as `null`.
  let writesNonFiniteAsNull: Bool
  /// Whether infinity and NaN are written as `"Infinity"`, `"-Infinity"` and `"NaN"`. If neither option is
  /// set, writing them fails.
  let writesNonFiniteAsText: Bool
  let escaping: JSONEscaping
  let depth: Int
  let userInfo: [CodingUserInfoKey: any Sendable]
}
