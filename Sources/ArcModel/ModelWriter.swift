public import Arc
public import ArcJSON

/// Writes objects of one's own classes, and values of them, as JSON: the counterpart of ``ModelReader``.
///
///     let text = try ModelWriter(isPretty: true).text(of: user)
///     let bytes = try ModelWriter(naming: .snakeCase, only: ["id", "name"]).bytes(of: users)
///
/// A class needs nothing but `@Archivable`. Members are the properties in the order of their declaration,
/// those of superclasses first, private and `let` ones too. Weak and unowned properties are not written. An
/// object is written where it is referred to, each time anew; one inside of itself is an error, unless
/// ``references`` are marked. Hooks of archiving are not called. What is written a strict reader reads back
/// equal:
///
/// | value | JSON |
/// |---|---|
/// | Boolean; number, decimal | `true`, `false`; a number with all digits that it needs |
/// | string, character; UUID; URL | a string; a relative URL is joined with its base |
/// | date | `"2001-01-31T12:00:00.250Z"`, with all digits; beyond year 9999 seconds since 1970 |
/// | data | a string in base64 |
/// | optional | the value, or `null` |
/// | array, set | an array |
/// | dictionary | an object if keys are text, numbers, dates, UUIDs or data; else `[[key, value], …]` |
/// | structure, tuple, range | an object of its fields; of a tuple by their numbers |
/// | enumeration | its raw value; `"empty"`, or with associated values `{"circle": {"radius": 2}}` |
/// | object; what a `Lazy` leads to, or a value in place of `any P` | an object of all its properties |
/// | `JSONValue` | the value |
/// | `Codable` value that is `@Coded` | what `JSONEncoder` writes, with dates and data as above |
///
/// What code of the program changes while an object is written may be in the text or not.
///
/// An object of a subclass, or in place of `any P`, a reader takes where `ModelChoosing` or `@Format` tells
/// the class.
public struct ModelWriter: Sendable {
  /// How the names of members are made of the keys of properties.
  public var naming: KeyNaming { didSet { pool = WritingPool() } }
  /// Whether each member and element has a line of its own.
  public var isPretty: Bool { didSet { pool = WritingPool() } }
  /// Whether members come in the order of their names, byte by byte, and elements of sets in that of their
  /// texts: then equal values have equal texts.
  public var sortsKeys: Bool { didSet { pool = WritingPool() } }
  /// What becomes of properties that are nil.
  public var nulls: NullWriting { didSet { pool = WritingPool() } }
  /// The names of the properties that are written of the outermost objects: those that are inside of no other
  /// object. All for nil. A name that a class does not have says nothing. What is left out is not asked for.
  public var only: Set<String>? { didSet { pool = WritingPool() } }
  /// What tells that two places have the same object.
  ///
  /// With ``ModelReferences/marked`` all objects are walked through twice. Objects are as deep in the text as
  /// the first way to them, so a long chain is written only if the way to each is short, or
  /// ``maximumDepth`` is large.
  /// With `sortsKeys` texts are equal only if no set or dictionary has objects that are referred to more than
  /// once. A class with a member `$id` or `$ref` of its own is refused.
  public var references: ModelReferences { didSet { pool = WritingPool() } }
  /// What becomes of infinity and NaN.
  public var nonFinite: NonFiniteWriting
  /// Which characters are escaped besides those that must be.
  public var escaping: JSONEscaping { didSet { pool = WritingPool() } }
  /// How many arrays and objects may be one inside another.
  public var maximumDepth: Int
  /// What the program's own code gets while it is written.
  public var userInfo: [CodingUserInfoKey: any Sendable] { didSet { pool = WritingPool() } }

  /// How classes are mapped otherwise than their declarations say, or their ``ModelMapping``.
  private var mappings: [ObjectIdentifier: JSONMapping] = [:] { didSet { pool = WritingPool() } }
  /// What is kept for the next text with these options.
  private var pool = WritingPool()

  /// A writer with default options.
  fileprivate static let standard = ModelWriter()

  /// Makes a writer. One that is kept writes small texts faster than one that is made for each.
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
  }

  private var rules: WritingRules {
    WritingRules(
      naming: naming, isPretty: isPretty, sortsKeys: sortsKeys, nulls: nulls, only: only, mappings: mappings,
      references: references, nonFinite: nonFinite, escaping: escaping, depth: maximumDepth,
      userInfo: userInfo)
  }

  /// Maps a class, and subclasses for which nothing else is given, otherwise than its declaration says, and
  /// its ``ModelMapping``; or a structure or enumeration.
  public mutating func setMapping(_ mapping: JSONMapping, for type: any ArchivableValue.Type) {
    mappings[ObjectIdentifier(type)] = mapping
  }

  /// Writes a model, or a collection of some.
  ///
  /// - Parameter value: the value.
  /// - Returns: the JSON text.
  /// - Throws: ``ModelWritingError`` for what no JSON stands for, an `ArchiveError` with its `objectPath` for
  ///   what could not be read again, or what the program's own code throws.
  /// - Complexity: O(bytes); with `sortsKeys` each set and dictionary is sorted.
  public func text(of value: some ArchivableValue) throws -> String {
    try pool.write(value, rules) { $0.json.text }
  }

  /// Writes a model, or a collection of some, in UTF-8.
  ///
  /// - Parameter value: the value.
  /// - Returns: the bytes of the JSON text.
  /// - Throws: as ``text(of:)`` does.
  /// - Complexity: O(bytes); with `sortsKeys` each set and dictionary is sorted.
  public func bytes(of value: some ArchivableValue) throws -> [UInt8] {
    try pool.write(value, rules) { $0.json.bytes }
  }

  /// Writes a model, or a collection of some, and reads the text as a value that can be changed.
  ///
  /// - Parameter value: the value.
  /// - Returns: the value of the text.
  /// - Throws: as ``text(of:)`` does; `JSONError` for what is deeper than `JSONValue.maximumDepth`.
  /// - Complexity: O(bytes), about five times that of the text alone.
  public func value(of value: some ArchivableValue) throws -> JSONValue {
    try JSONValue(
      parsing: text(of: value), limits: JSONLimits(depth: min(max(maximumDepth, 0), JSONValue.maximumDepth)))
  }
}

extension ArchivableValue {
  /// The model, or collection of some, as a JSON text. For all that cannot be chosen here there is
  /// ``ModelWriter``.
  ///
  ///     let text = try user.json()
  ///     let summary = try users.json(isPretty: true, only: ["id", "name"])
  ///
  /// - Parameters:
  ///   - isPretty: whether each member and element has a line of its own.
  ///   - sortsKeys: whether members come in the order of their names.
  ///   - naming: how the names of members are made of the keys of properties; as declared for nil.
  ///   - nulls: what becomes of properties that are nil.
  ///   - only: the names of the properties that are written of the outermost objects; all for nil.
  /// - Returns: the JSON text.
  /// - Throws: ``ModelWritingError`` for what no JSON stands for, such as an object inside of itself, an
  ///   `ArchiveError` for what could not be read again, or what the program's own code throws.
  public func json(
    isPretty: Bool = false, sortsKeys: Bool = false, naming: KeyNaming? = nil,
    nulls: NullWriting = .whereNeeded, only: Set<String>? = nil
  ) throws -> String {
    var writer = ModelWriter.standard
    if isPretty { writer.isPretty = true }
    if sortsKeys { writer.sortsKeys = true }
    if let naming { writer.naming = naming }
    if nulls != .whereNeeded { writer.nulls = nulls }
    if let only { writer.only = only }
    return try writer.text(of: self)
  }
}
