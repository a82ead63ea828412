import ArcJSON

/// The treatment of properties that are nil. Elements and values of collections that are nil are always
/// `null`.
public enum NullWriting: Hashable, Sendable {
  /// Properties that are nil are omitted.
  ///
  /// A property with an initial value is written as `null`, because reading a missing member would restore
  /// that value.
  case whereNeeded
  /// Properties that are nil are omitted.
  case omitted
  /// Properties that are nil are written as `null`.
  case written
}

/// The treatment of infinity and NaN, which JSON cannot represent.
public enum NonFiniteWriting: Hashable, Sendable {
  /// Infinity and NaN are rejected: writing throws.
  case refused
  /// Infinity and NaN are written as `null`. As a key of a dictionary they are rejected.
  case null
  /// Infinity and NaN are written as `"Infinity"`, `"-Infinity"` and `"NaN"`, which a lenient reader accepts.
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
