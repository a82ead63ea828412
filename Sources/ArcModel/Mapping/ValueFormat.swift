public import Arc
public import ArcJSON

/// The JSON format of a property's value, as in `@JSONFormat`.
///
///     @JSONFormat(.millisecondsSince1970) var joined: Date?
///
/// A format of dates, enumerations or objects applies to each such value in the property, also within
/// collections and structures. A format with ``custom(read:write:)`` applies to the property's value as a
/// whole.
public struct ValueFormat: Sendable, __PropertyMark {
  enum Kind: Sendable {
    case date(DateFormat)
    /// Enumerations are objects with a member of this name, which contains the name of the case.
    case tagged(String)
    /// Enumerations are written without the name of the case.
    case untagged
    /// Objects have a type that is determined from their JSON.
    case chosen(TypeChoice)
    case custom(
      read: @Sendable (JSONValue) throws -> JSONValue, write: @Sendable (JSONValue) throws -> JSONValue)

    /// A format that can be compared, because it contains no functions of the program.
    enum Notation: Hashable {
      case date(DateFormat)
      case tagged(String)
      case untagged
    }

    /// The format as a value that can be compared. Nil if the format contains a function.
    var notation: Notation? {
      switch self {
      case .date(let format): .date(format)
      case .tagged(let name): .tagged(name)
      case .untagged: .untagged
      case .chosen, .custom: nil
      }
    }
  }

  enum DateFormat: Hashable, Sendable {
    case iso8601, rfc1123, seconds, milliseconds

    /// A description of the date that the format expects, for issues.
    var words: String {
      switch self {
      case .iso8601: "a date such as \"2001-01-31T12:00:00Z\""
      case .rfc1123: "a date such as \"Wed, 31 Jan 2001 12:00:00 GMT\""
      case .seconds: "a date in seconds since 1970"
      case .milliseconds: "a date in milliseconds since 1970"
      }
    }
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Creates a copy of a format, for the expansion of `@JSONFormat`.
  @_documentation(visibility: internal)
  public init(_ format: ValueFormat) { self = format }

  /// Dates are written as `2001-01-31T12:00:00.5Z`, without the fraction if it is zero.
  public static let iso8601 = ValueFormat(Kind.date(.iso8601))
  /// Dates are written as `Wed, 31 Jan 2001 12:00:00 GMT`.
  ///
  /// Dates are rounded to seconds. RFC 9110, section 5.6.7, defines this notation.
  public static let rfc1123 = ValueFormat(Kind.date(.rfc1123))
  /// Dates are written as seconds since 1970-01-01 00:00:00 UTC, accurate to about 1 µs.
  public static let secondsSince1970 = ValueFormat(Kind.date(.seconds))
  /// Dates are written as milliseconds since 1970-01-01 00:00:00 UTC, accurate to about 1 µs.
  public static let millisecondsSince1970 = ValueFormat(Kind.date(.milliseconds))

  /// Returns a format that writes each enumeration value as an object with a member that names the case.
  ///
  ///     @JSONFormat(.tagged(by: "type")) var shape = Shape.circle(radius: 2)
  ///
  /// The associated values are members of the JSON object that names the case. A single, unlabelled value is
  /// the member `_0`. A single, unlabelled structure is written as one member per field, without `_0`. For a
  /// single, unlabelled object of a class, a reader accepts the member `_0` or one member per property.
  ///
  /// - Parameter name: the name of the member that names the case.
  /// - Returns: the format.
  public static func tagged(by name: String) -> ValueFormat { ValueFormat(Kind.tagged(name)) }

  /// Enumerations are written as their associated values, without the case.
  ///
  /// A reader uses the first case that accepts the value without conversion. A case without associated values
  /// is written as its name. This format is not available for enumerations that contain objects.
  public static let untagged = ValueFormat(Kind.untagged)

  /// Returns a format that writes each object with a member that names the type of the object.
  ///
  ///     @JSONFormat(.tagged(by: "kind", ["dog": Dog.self, "cat": Cat.self])) var pets: [any Pet] = []
  ///
  /// Use this format for properties whose declared type does not determine the type of the object, such as
  /// properties of type `any P` or of a class with subclasses. Structures are written with this member too.
  /// The writer writes the member that names the type first. If the object has a property with the name of
  /// this member, the writer writes only the property, and rejects a value that does not name the type. The
  /// reader and the writer reject types that are not in `types`.
  ///
  /// - Parameters:
  ///   - name: the name of the member that names the type.
  ///   - types: the types, by the string that the member contains.
  /// - Returns: the format.
  public static func tagged(
    by name: String, _ types: [String: any ArchivableValue.Type]
  ) -> ValueFormat {
    let table = TypeTable(types: types)
    return ValueFormat(
      Kind.chosen(
        TypeChoice(tag: name, table: table) { object in object[name]?.string.flatMap { table.types[$0] } }))
  }

  /// Returns a format with a function that chooses the type of each JSON object.
  ///
  /// A reader calls the function with the JSON object as a `JSONNode`. To use members of `JSONNode`, import
  /// `ArcJSON`. The format does not change how objects are written.
  ///
  ///     @JSONFormat(.chosen { if $0["barks"] == nil { return Cat.self } else { return Dog.self } })
  ///     var pet: (any Pet)?
  ///
  /// - Parameter choose: returns the type of a JSON object. If it returns nil, the object is rejected.
  /// - Returns: the format.
  public static func chosen(
    _ choose: @escaping @Sendable (_ object: JSONNode) -> (any ArchivableValue.Type)?
  ) -> ValueFormat {
    ValueFormat(Kind.chosen(TypeChoice(tag: nil, table: TypeTable(types: [:]), choose: choose)))
  }

  /// Returns a format that converts values by a read function and a write function.
  ///
  ///     @JSONFormat(.custom(read: { try colorMembers(of: $0) }, write: { colorText(of: $0) }))
  ///     var color = RGB(red: 0, green: 0, blue: 0)   // "#FF8000"
  ///
  /// `read` converts the value in the text to the JSON that the property has without a format. The reader
  /// then reads the result. `write` does the opposite conversion, from the JSON without a format to the value
  /// in the text. This format is not available for properties that contain objects. `JSONValue` requires
  /// `import ArcJSON`.
  ///
  /// - Parameters:
  ///   - read: converts a value before it is read. If it throws, the value is rejected. A reader may call it
  ///     several times for one value.
  ///   - write: converts a value before it is written.
  /// - Returns: the format.
  public static func custom(
    read: @escaping @Sendable (JSONValue) throws -> JSONValue,
    write: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) -> ValueFormat {
    ValueFormat(Kind.custom(read: read, write: write))
  }
}
