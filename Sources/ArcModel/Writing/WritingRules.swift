import ArcJSON

/// What becomes of properties that are nil. Elements and values of collections that are nil are `null`.
public enum NullWriting: Hashable, Sendable {
  /// They are left out, except for those with an initial value: a reader would take that for a missing
  /// member, so `null` is written.
  case whereNeeded
  /// They are left out.
  case omitted
  /// They are `null`.
  case written
}

/// What becomes of infinity and NaN, which JSON does not have.
public enum NonFiniteWriting: Hashable, Sendable {
  /// Writing ends with an error.
  case refused
  /// They are `null`. No name of a member can be that: as keys of a dictionary they are refused.
  case null
  /// They are `"NaN"`, `"Infinity"` or `"-Infinity"`, which a lenient reader takes for them.
  case text
}

/// What a writing does where there is a choice: the properties of the writer.
struct WritingRules {
  let naming: KeyNaming
  let isPretty: Bool
  let sortsKeys: Bool
  let nulls: NullWriting
  let only: Set<String>?
  /// How classes are mapped otherwise than they say.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// What tells that two places have the same object.
  let references: ModelReferences
  let nonFinite: NonFiniteWriting
  let escaping: JSONEscaping
  let depth: Int
  let userInfo: [CodingUserInfoKey: any Sendable]
}
