public import Arc
public import ArcJSON

/// Writes objects of your classes, and other archivable values, as JSON.
///
///     let writer = ModelWriter(naming: .snakeCase, isPretty: true)
///     let text = try writer.text(of: user)
///     let bytes = try writer.bytes(of: [user])
///     print(text, bytes.count)
///
/// A class needs only `@Archivable`. The writer writes all properties in the order of their declaration,
/// including private and `let` properties. Properties of superclasses are first. Weak and unowned properties
/// are not written. An object is written in full at each reference. An object that contains itself is an
/// error, unless ``references`` include ``ModelReferences/marked``. The writer does not call archiving hooks,
/// such as `willArchive(in:)`.
///
/// The table shows the JSON of each value. A strict ``ModelReader`` reads an equal value from this JSON.
///
/// | value | JSON |
/// |---|---|
/// | Boolean | `true` or `false` |
/// | number, decimal | a number with all digits that equality requires |
/// | string, character; UUID; URL | a string; a relative URL is joined with its base |
/// | date | `"2001-01-31T12:00:00.250Z"`, with all digits; after the year 9999, the seconds since 1970 |
/// | data | a string in base64 |
/// | optional | the value, or `null` |
/// | array, set | an array |
/// | dictionary | an object if keys are strings, numbers, dates, UUIDs, data; otherwise `[[key, value], …]` |
/// | structure, tuple, range | an object of its fields; the fields of a tuple are named by number |
/// | enumeration | its raw value, or `"empty"`; with associated values `{"circle": {"radius": 2}}` |
/// | object; target of a `Lazy`; value declared as `any P` | an object of all its properties |
/// | `JSONValue` | the value |
/// | `Codable` value marked `@Coded` | the output of `JSONEncoder`, with dates and data as in this table |
///
/// If the program's code changes an object while the object is written, the text contains either the old or
/// the new value.
///
/// To read an object of a subclass, or a value declared as `any P`, a reader needs `JSONClassChoosing` or
/// `@JSONFormat` to determine the class.
public struct ModelWriter: Sendable {
  /// The treatment of properties that are nil.
  ///
  ///     let writer = ModelWriter(nulls: .written)
  ///     let text = try writer.text(of: User(id: 8))
  ///     print(text)   // {"id":8,"name":"","lastLogin":null}
  ///
  /// Elements and dictionary values that are nil are always written as `null`.
  public enum NullWriting: Hashable, Sendable {
    /// Properties that are nil are omitted.
    ///
    /// A property that has an initial value is written as `null`, because reading a missing member would
    /// restore the initial value.
    case whereNeeded
    /// Properties that are nil are omitted.
    case omitted
    /// Properties that are nil are written as `null`.
    case written
  }

  /// The treatment of infinity and NaN. JSON cannot represent these numbers.
  ///
  ///     let writer = ModelWriter(nonFinite: .text)
  ///     let text = try writer.text(of: [1, .infinity])
  ///     print(text)   // [1.0,"Infinity"]
  public enum NonFiniteWriting: Hashable, Sendable {
    /// Infinity and NaN are rejected: writing throws.
    case refused
    /// Infinity and NaN are written as `null`. If a key of a dictionary is infinity or NaN, writing throws.
    case null
    /// Infinity and NaN are written as `"Infinity"`, `"-Infinity"` and `"NaN"`. A lenient reader accepts
    /// these strings.
    case text
  }

  /// The strategy that converts keys of properties to names of JSON members.
  ///
  ///     var writer = ModelWriter()
  ///     writer.naming = .snakeCase
  ///     print(try writer.text(of: user))   // {"id":7,"name":"Ada","last_login":1700000000}
  public var naming: KeyNaming { didSet { choosePool() } }
  /// Whether each member and element is on its own line. If false, the JSON is one line.
  ///
  ///     var writer = ModelWriter()
  ///     writer.isPretty = true
  ///     print(try writer.text(of: user))
  public var isPretty: Bool { didSet { choosePool() } }
  /// Whether members are sorted by name. If false, properties are in declaration order.
  ///
  ///     var writer = ModelWriter()
  ///     writer.sortsKeys = true
  ///     print(try writer.text(of: user))   // {"id":7,"lastLogin":1700000000,"name":"Ada"}
  ///
  /// Names are compared byte by byte. The elements of a set are sorted by their JSON text. So equal values
  /// have equal JSON texts.
  public var sortsKeys: Bool { didSet { choosePool() } }
  /// The treatment of properties that are nil.
  ///
  ///     var writer = ModelWriter()
  ///     writer.nulls = .written
  ///     print(try writer.text(of: User(id: 8)))   // {"id":8,"name":"","lastLogin":null}
  public var nulls: NullWriting { didSet { choosePool() } }
  /// The names of the properties that are written for the outermost objects. Nil to write all properties.
  ///
  ///     var writer = ModelWriter()
  ///     writer.only = ["id", "name"]
  ///     print(try writer.text(of: [user]))   // [{"id":7,"name":"Ada"}]
  ///
  /// An outermost object is not nested in another object. If a class has no property with a name, the writer
  /// ignores the name for objects of the class. The writer does not call the getters of omitted properties.
  public var only: Set<String>? { didSet { choosePool() } }
  /// The rules for references to an object that is already written. (default: none)
  ///
  ///     var writer = ModelWriter(only: ["id"])
  ///     writer.references = .marked
  ///     print(try writer.text(of: [user, user]))   // [{"$id":"1","id":7},{"$ref":"1"}]
  ///
  /// With ``ModelReferences/marked``, the writer walks through all objects twice. An object is written in
  /// full at the first reference to the object, nested in the object that refers to it. So a long chain of
  /// objects can require a larger ``maximumDepth``. With ``sortsKeys``, equal values have equal JSON texts
  /// only if no set or dictionary contains an object that is referred to several times. The writer rejects a
  /// class whose own JSON members include `$id` or `$ref`.
  public var references: ModelReferences { didSet { choosePool() } }
  /// The treatment of infinity and NaN.
  ///
  ///     var writer = ModelWriter()
  ///     writer.nonFinite = .null
  ///     print(try writer.text(of: [1, .infinity]))   // [1.0,null]
  public var nonFinite: NonFiniteWriting
  /// The characters that are escaped in addition to the characters that JSON requires.
  ///
  ///     var writer = ModelWriter()
  ///     writer.escaping = .ascii
  ///     print(try writer.text(of: ["é"]))   // ["\u00e9"]
  public var escaping: JSONEscaping { didSet { choosePool() } }
  /// The maximum nesting depth of arrays and objects.
  ///
  ///     var writer = ModelWriter()
  ///     writer.maximumDepth = 1
  ///     do { _ = try writer.text(of: [[1]]) }
  ///     catch { print(error) }   // tooDeep at [0]: …
  public var maximumDepth: Int
  /// The values that `willWrite(_:in:)` and `Codable` values can access during writing.
  ///
  ///     var writer = ModelWriter()
  ///     if let key = CodingUserInfoKey(rawValue: "store") { writer.userInfo[key] = "main" }
  ///     print(try writer.text(of: user))
  ///
  /// The method `willWrite(_:in:)` finds the values in its `ArchiveContext`. `Codable` values find the values
  /// in their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// The mappings that have priority over the types' own ``ModelMapping``s, by type.
  private var mappings: [ObjectIdentifier: JSONMapping] = [:] { didSet { choosePool() } }
  /// The plans for values that are written with these options.
  private var pool: WritingPool

  fileprivate static let standard = ModelWriter()

  /// Creates a writer.
  ///
  ///     let writer = ModelWriter(isPretty: true, sortsKeys: true, nulls: .omitted)
  ///     let first = try writer.text(of: user)
  ///     let second = try writer.text(of: user)
  ///     print(first == second)   // true
  ///
  /// Writers with equal options share what they learn about classes. So only the first object of a class
  /// takes longer, and a program can create a writer for each call without a loss of speed. If the options
  /// contain functions, such as ``KeyNaming/custom(_:)``, only this writer and its copies share what they
  /// learn. Keep such a writer.
  ///
  /// - Parameters:
  ///   - naming: the strategy that converts keys of properties to names of members.
  ///   - isPretty: whether each member and element is on its own line.
  ///   - sortsKeys: whether members are sorted by name.
  ///   - nulls: the treatment of properties that are nil.
  ///   - only: the names of the properties that are written for the outermost objects; nil to write all
  ///     properties.
  ///   - references: the rules for references to an object that is already written.
  ///   - nonFinite: the treatment of infinity and NaN.
  ///   - escaping: the characters that are escaped in addition to the characters that JSON requires.
  ///   - maximumDepth: the maximum nesting depth of arrays and objects.
  ///   - userInfo: the values that `willWrite(_:in:)` and `Codable` values can access.
  public init(
    naming: KeyNaming = .asDeclared, isPretty: Bool = false, sortsKeys: Bool = false,
    nulls: NullWriting = .whereNeeded, only: Set<String>? = nil, references: ModelReferences = [],
    nonFinite: NonFiniteWriting = .refused, escaping: JSONEscaping = .required,
    maximumDepth: Int = JSONLimits.default.depth, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.naming = naming
    self.isPretty = isPretty
    self.sortsKeys = sortsKeys
    self.nulls = nulls
    self.only = only
    self.references = references
    self.nonFinite = nonFinite
    self.escaping = escaping
    self.maximumDepth = maximumDepth
    self.userInfo = userInfo
    pool = Self.initialPool
    choosePool()
  }

  /// The pool of a writer whose options are not all set yet.
  private static let initialPool = WritingPool()

  /// Selects the pool of plans that all writers with the current options share.
  private mutating func choosePool() { pool = .shared(WritingPool.Options(rules)) }

  private var rules: WritingRules {
    WritingRules(
      naming: naming, isPretty: isPretty, sortsKeys: sortsKeys,
      writesNulls: nulls == .written, omitsNulls: nulls == .omitted, only: only, mappings: mappings,
      references: references, writesNonFiniteAsNull: nonFinite == .null,
      writesNonFiniteAsText: nonFinite == .text, escaping: escaping, depth: maximumDepth,
      userInfo: userInfo)
  }

  /// Sets how the writer maps a class, structure or enumeration to JSON.
  ///
  ///     var writer = ModelWriter()
  ///     writer.setMapping(JSONMapping(except: ["lastLogin"]), for: User.self)
  ///     print(try writer.text(of: user))   // {"id":7,"name":"Ada"}
  ///
  /// This mapping has priority over the type's own ``ModelMapping``, and over macros on its properties, such
  /// as `@Key(json:)`. The mapping also applies to subclasses, but a mapping that this writer has for a
  /// subclass has priority. A property that any of these mappings excludes with `only` or `except` is not
  /// written.
  ///
  /// - Parameters:
  ///   - mapping: the mapping.
  ///   - type: the class, structure or enumeration.
  public mutating func setMapping(_ mapping: JSONMapping, for type: any ArchivableValue.Type) {
    mappings[ObjectIdentifier(type)] = mapping
  }

  /// Writes an archivable value, such as an object or an array, as JSON text.
  ///
  ///     let text = try ModelWriter(only: ["id"]).text(of: [user])
  ///     let copies = try ModelReader().read([User].self, from: text)
  ///     print(text, copies[0].id)   // [{"id":7}] 7
  ///
  /// - Parameter value: the value to write.
  /// - Returns: the JSON text.
  /// - Throws: ``ModelWritingError`` if JSON cannot represent the value; `ArchiveError` for a value that no
  ///   `ModelReader` could read back, with the path of the value in `objectPath`; or any error of the
  ///   program's own code.
  /// - Complexity: O(*n*) for *n* bytes of JSON text. With ``sortsKeys``, each set and dictionary is also
  ///   sorted.
  public func text(of value: some ArchivableValue) throws -> String {
    try pool.write(value, rules) { $0.json.text }
  }

  /// Writes an archivable value, such as an object or an array, as JSON bytes.
  ///
  ///     let bytes = try ModelWriter(only: ["id"]).bytes(of: [user])
  ///     let copies = try ModelReader().read([User].self, from: bytes)
  ///     print(bytes.count, copies[0].id)   // 10 7
  ///
  /// - Parameter value: the value to write.
  /// - Returns: the bytes of the JSON text.
  /// - Throws: ``ModelWritingError`` if JSON cannot represent the value; `ArchiveError` for a value that no
  ///   `ModelReader` could read back, with the path of the value in `objectPath`; or any error of the
  ///   program's own code.
  /// - Complexity: O(*n*) for *n* bytes of JSON text. With ``sortsKeys``, each set and dictionary is also
  ///   sorted.
  public func bytes(of value: some ArchivableValue) throws -> [UInt8] {
    try pool.write(value, rules) { $0.json.bytes }
  }

  /// Converts an archivable value to a JSON value that the caller can change. Returns the JSON value.
  ///
  ///     var value = try ModelWriter().value(of: user)
  ///     value["name"] = "Ada L."
  ///     print(value)   // {"id":7,"name":"Ada L.","lastLogin":1700000000}
  ///
  /// - Parameter value: the archivable value, such as an object or an array.
  /// - Returns: the JSON value.
  /// - Throws: the errors of ``text(of:)``; or `JSONError` if the JSON is nested more deeply than
  ///   `JSONValue.maximumDepth`.
  /// - Complexity: O(*n*) for *n* bytes of JSON text, about five times the time of ``text(of:)``.
  public func value(of value: some ArchivableValue) throws -> JSONValue {
    try JSONValue(
      parsing: text(of: value), limits: JSONLimits(depth: min(max(maximumDepth, 0), JSONValue.maximumDepth)))
  }
}

extension ArchivableValue {
  /// Writes this value as JSON text. Returns the text.
  ///
  ///     let text = try user.json()
  ///     let summary = try users.json(isPretty: true, only: ["id", "name"])
  ///
  /// ``ModelWriter`` has more options.
  ///
  /// - Parameters:
  ///   - isPretty: whether each member and element is on its own line.
  ///   - sortsKeys: whether members are sorted by name.
  ///   - naming: the strategy that converts keys of properties to names of members; nil to use the declared
  ///     keys.
  ///   - nulls: the treatment of properties that are nil.
  ///   - only: the names of the properties that are written for the outermost objects; nil to write all
  ///     properties.
  /// - Returns: the JSON text.
  /// - Throws: ``ModelWritingError`` if JSON cannot represent the value, such as an object that contains
  ///   itself; `ArchiveError` for a value that no `ModelReader` could read back; or any error of the
  ///   program's own code.
  public func json(
    isPretty: Bool = false, sortsKeys: Bool = false, naming: KeyNaming? = nil,
    nulls: ModelWriter.NullWriting = .whereNeeded, only: Set<String>? = nil
  ) throws -> String {
    let isStandard = !isPretty && !sortsKeys && naming == nil && nulls == .whereNeeded && only == nil
    let writer =
      isStandard
      ? ModelWriter.standard
      : ModelWriter(
        naming: naming ?? .asDeclared, isPretty: isPretty, sortsKeys: sortsKeys, nulls: nulls, only: only)
    return try writer.text(of: self)
  }
}
