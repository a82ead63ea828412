import Arc
import ArcJSON

/// The options of a reader that a session needs: how it names members, and what it does with invalid values.
struct ReadingRules {
  /// Whether invalid values are skipped, and values of other kinds are converted.
  let isLenient: Bool
  let naming: KeyNaming
  /// Mappings of the reader that replace the mappings of the classes, by class.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// How the reader recognizes that two JSON objects are the same object.
  let references: ModelReferences
  /// Whether the reader reports members that no property reads, unless the object preserves them.
  let reportsUnknownKeys: Bool
  /// Whether objects whose class is ``UnknownMemberPreserving`` store such members.
  let preservesUnknownMembers: Bool
  /// The maximum size and depth of a text.
  let limits: JSONLimits
  /// The pool of plans for readers with the same rules. It is not retained here, because its plans contain
  /// these rules; the reader retains it.
  unowned let pool: ReadingPool
  /// The values that the reader passes to the program's own code.
  var userInfo: [CodingUserInfoKey: any Sendable]

  /// The expectation in issues about unknown members.
  var expectedForUnknownKeys: String {
    preservesUnknownMembers
      ? "only known members, or a class that conforms to UnknownMemberPreserving" : "only known members"
  }

  /// The context that hooks receive.
  var context: ArchiveContext { ArchiveContext(userInfo: userInfo) }
}
