public import Arc
public import ArcJSON

/// How values are written in JSON: what `@Format` says of a property, for the dates or enumerations in it at
/// any depth, or for its whole value.
public struct ValueFormat: Sendable, PropertyMark {
  enum Kind: Sendable {
    case date(DateFormat)
    /// Enumerations with the case in a member of that name.
    case tagged(String)
    /// Enumerations without the case.
    case untagged
    /// Objects whose text tells which type they are of.
    case chosen(TypeChoice)
    case custom(
      read: @Sendable (JSONValue) throws -> JSONValue, write: @Sendable (JSONValue) throws -> JSONValue)
  }

  /// How dates are written.
  enum DateFormat: Hashable, Sendable {
    case iso8601, rfc1123, seconds, milliseconds

    /// What is wanted, in words.
    var words: String {
      switch self {
      case .iso8601: "a date, as \"2001-01-31T12:00:00Z\""
      case .rfc1123: "a date, as \"Wed, 31 Jan 2001 12:00:00 GMT\""
      case .seconds: "a date, in seconds since 1970"
      case .milliseconds: "a date, in milliseconds since 1970"
      }
    }
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Creates the same format: what `@Format` expands to.
  @_documentation(visibility: internal)
  public init(_ format: ValueFormat) { self = format }

  /// Dates as `2001-01-31T12:00:00.5Z`, with or without a fraction.
  public static let iso8601 = ValueFormat(Kind.date(.iso8601))
  /// Dates as `Wed, 31 Jan 2001 12:00:00 GMT`, to the second (RFC 9110, section 5.6.7).
  public static let rfc1123 = ValueFormat(Kind.date(.rfc1123))
  /// Dates as seconds since 1970-01-01 00:00:00 UTC, to about a microsecond.
  public static let secondsSince1970 = ValueFormat(Kind.date(.seconds))
  /// Dates as milliseconds since 1970-01-01 00:00:00 UTC, to about a microsecond.
  public static let millisecondsSince1970 = ValueFormat(Kind.date(.milliseconds))

  /// Enumerations as objects of which a member tells the case, with the associated values beside it:
  /// `{"type": "circle", "radius": 2}`. One value without a label that is a structure has its own members
  /// there, as an object is read too; any other is in the member `_0`.
  ///
  /// - Parameter name: the name of that member.
  /// - Returns: the format.
  public static func tagged(by name: String) -> ValueFormat { ValueFormat(Kind.tagged(name)) }

  /// Enumerations as their associated values alone: read is the first case that takes the value as it is. A
  /// case without associated values is its name. Enumerations with objects in them can have no such format.
  public static let untagged = ValueFormat(Kind.untagged)

  /// Objects of which a member tells the type: for properties that do not say it, such as those of type `any
  /// P`, and for classes with subclasses. Values of structures can be in place of objects there.
  ///
  ///     @Format(.tagged(by: "kind", ["dog": Dog.self, "cat": Cat.self])) var pets: [any Pet] = []
  ///
  /// The member is written before those of the object, unless it has one of that name itself. An object of
  /// a type that is not among them is refused, read or written.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - types: the types by what the member says, a string.
  /// - Returns: the format.
  public static func tagged(
    by name: String, _ types: [String: any ArchivableValue.Type]
  ) -> ValueFormat {
    let table = TypeTable(types: types)
    return ValueFormat(
      Kind.chosen(
        TypeChoice(tag: name, table: table) { object in object[name]?.string.flatMap { table.types[$0] } }))
  }

  /// Objects of a type that a function tells by their text. They are written as they are.
  ///
  ///     @Format(.chosen { if $0["barks"] == nil { return Cat.self } else { return Dog.self } })
  ///     var pet: (any Pet)?
  ///
  /// What is asked of the object needs `import ArcJSON`.
  ///
  /// - Parameter choose: tells the type of a JSON object; nil for none, which is refused.
  /// - Returns: the format.
  public static func chosen(
    _ choose: @escaping @Sendable (_ object: JSONNode) -> (any ArchivableValue.Type)?
  ) -> ValueFormat {
    ValueFormat(Kind.chosen(TypeChoice(tag: nil, table: TypeTable(types: [:]), choose: choose)))
  }

  /// Values of any form: `read` makes of what is in the text what is read without a format, and `write` makes
  /// what is written of it again. Properties with objects in them can have no such format.
  /// `JSONValue` needs `import ArcJSON`.
  ///
  ///     @Format(.custom(read: { try colorMembers(of: $0) }, write: { colorText(of: $0) }))
  ///     var color = RGB(red: 0, green: 0, blue: 0)   // "#FF8000"
  ///
  /// - Parameters:
  ///   - read: makes the value that is read; what it throws refuses the value.
  ///   - write: makes the value that is written.
  /// - Returns: the format.
  public static func custom(
    read: @escaping @Sendable (JSONValue) throws -> JSONValue,
    write: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> ValueFormat {
    ValueFormat(Kind.custom(read: read, write: write))
  }
}
