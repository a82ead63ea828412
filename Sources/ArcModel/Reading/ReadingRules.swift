import Arc
import ArcJSON

/// The options of a reader that a session uses: how members are named, and how invalid values are treated.
struct ReadingRules {
  /// Whether the reader is lenient: it skips invalid values, and converts values to the expected types.
  let isLenient: Bool
  let naming: KeyNaming
  /// The mappings that the reader uses instead of the mappings of the classes, by class.
  let mappings: [ObjectIdentifier: JSONMapping]
  /// How the reader recognizes that several JSON objects describe one object.
  let references: ModelReferences
  /// Whether the reader reports unknown members, which no property reads. Members that the object preserves
  /// are not reported.
  let reportsUnknownKeys: Bool
  /// Whether objects whose class is ``UnknownMemberPreserving`` store unknown members, which no property
  /// reads.
  let preservesUnknownMembers: Bool
  /// The maximum size and depth of a text.
  let limits: JSONLimits
  /// The pool of plans for readers with these rules. The reader retains the pool. The rules do not retain the
  /// pool, because the plans in the pool contain the rules.
  unowned let pool: ReadingPool
  /// The values that the reader passes to the program's own code.
  var userInfo: [CodingUserInfoKey: any Sendable]

  /// A description of what the reader expects instead of an unknown member, for issues.
  var expectedForUnknownKeys: String {
    preservesUnknownMembers
      ? "only known members, or a class that conforms to UnknownMemberPreserving" : "only known members"
  }

  /// The context that hooks receive.
  var context: ArchiveContext { ArchiveContext(userInfo: userInfo) }
}
