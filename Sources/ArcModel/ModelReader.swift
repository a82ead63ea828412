public import Arc
public import ArcJSON

/// Reads objects of your classes from JSON.
///
///     let reader = ModelReader(naming: .snakeCase)
///     let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
///     let feed = try reader.read([User].self, from: #"{"data": {"feed": []}}"#, at: "data.feed")
///     print(user.name, feed.count)   // Ada 0
///
/// A class needs only `@Archivable`. The reader reads each property, including `let` properties and
/// properties of superclasses, from the member with the property's key. Structures, enumerations, collections
/// and optionals are read at any depth. If a member is missing, the property or field keeps its initial
/// value, or is nil if it is optional. The members of all other properties are required. Weak properties are
/// not read. [Conversions](doc:Conversions) lists which JSON values each type accepts.
///
/// A dictionary is read from a JSON object whose member names are the keys. If the key type is not `String`,
/// the name must be in the canonical form of the type: an integer is written as `"-7"`, not `"+7"` or `"07"`.
public struct ModelReader: Sendable {
  /// The treatment of JSON values that do not fit their Swift types.
  ///
  ///     let strict = ModelReader(.strict)
  ///     let lenient = ModelReader(.lenient)
  ///     let user = try lenient.read(User.self, from: #"{"id": "7", "name": "Ada"}"#)   // not with `strict`
  ///     print(user.id, strict.mode == .lenient)   // 7 false
  public enum Mode: Hashable, Sendable {
    /// Reading throws an error if a JSON value does not fit its Swift type.
    ///
    /// The error has the first issue in the order of the text.
    case strict
    /// The reader converts a value that does not fit, or skips it and reports an issue.
    ///
    /// The reader converts a value of another kind if nothing is lost, such as `"7"` to a number. Otherwise
    /// the property or field keeps its initial value or is nil, and a collection omits the element. If a
    /// property has no initial value and is not optional, the reader skips the whole object that contains the
    /// property. Reading throws if the reader would have to skip the requested value itself.
    case lenient
  }

  /// The treatment of JSON members that no property of the class reads.
  ///
  ///     let reader = ModelReader(unknownKeys: .reported)
  ///     do { _ = try reader.read(User.self, from: #"{"id": 7, "nam": "Ada"}"#) }
  ///     catch { print(error) }   // nam: …
  public enum UnknownKeys: Hashable, Sendable {
    /// The reader ignores members that no property reads.
    case ignored
    /// The reader reports members that no property reads as issues. A strict reader throws.
    case reported
    /// Objects of an ``UnknownMemberPreserving`` class preserve members that no property reads.
    ///
    /// In all other objects, such members are issues, so that nothing is lost silently.
    case preserved
  }

  /// The treatment of JSON values that do not fit their Swift types.
  ///
  ///     var reader = ModelReader()
  ///     reader.mode = .lenient
  ///     let users = try reader.read([User].self, from: #"[{"id": 7, "name": "Ada"}, 5]"#)
  ///     print(users.count)   // 1
  public var mode: Mode { didSet { choosePool() } }
  /// The strategy that converts keys of properties to names of members.
  ///
  ///     var reader = ModelReader()
  ///     reader.naming = .snakeCase
  ///     let user = try reader.read(User.self, from: #"{"id": 7, "last_login": 1700000000}"#)
  ///     print(user.lastLogin ?? 0)   // 1700000000
  public var naming: KeyNaming { didSet { choosePool() } }
  /// The mappings that have priority over the types' own ``ModelMapping``s, by type.
  private var mappings: [ObjectIdentifier: JSONMapping] = [:] { didSet { choosePool() } }
  /// The treatment of JSON members that no property reads.
  ///
  ///     var reader = ModelReader()
  ///     reader.unknownKeys = .reported
  ///     do { _ = try reader.read(User.self, from: #"{"id": 7, "nam": "Ada"}"#) }
  ///     catch { print(error) }   // nam: …
  public var unknownKeys: UnknownKeys { didSet { choosePool() } }
  /// The rules by which two JSON values represent one object. (default: none)
  ///
  ///     var reader = ModelReader()
  ///     reader.references = .marked
  ///     let text = #"[{"$id": "1", "id": 7, "name": "Ada"}, {"$ref": "1"}]"#
  ///     let users = try reader.read([User].self, from: text)
  ///     print(users[0] === users[1])   // true
  ///
  /// With ``ModelReferences/marked``, `$ref` refers to the object whose `$id` has the same value. This object
  /// may be before or after the reference, or outside the part of the text that is read. The reader builds
  /// objects in the order that their `let` properties require, and then sets all other properties. So the
  /// reader also restores cycles. The class of an object is determined where the object's members are, and
  /// not where a `$ref` refers to the object.
  ///
  /// If any of these rules is set, a reader rejects classes that conform to ``JSONPreprocessing``. A lenient
  /// reader then also throws if the program's code rejects an object, or if an object lacks a required value,
  /// because other objects may already refer to this object.
  public var references: ModelReferences { didSet { choosePool() } }
  /// The maximum size and nesting depth of a JSON text.
  ///
  ///     var reader = ModelReader()
  ///     reader.limits.bytes = 1 << 20
  ///     let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
  public var limits: JSONLimits { didSet { choosePool() } }
  /// The values that hooks and `Codable` values can access during reading.
  ///
  ///     var reader = ModelReader()
  ///     if let key = CodingUserInfoKey(rawValue: "store") { reader.userInfo[key] = "main" }
  ///     let user = try reader.read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
  ///
  /// Hooks, such as `didRead(in:)`, find the values in their `ArchiveContext`. `Codable` values find the
  /// values in their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]
  /// The plans for JSON texts that are read with these options.
  private var pool: ReadingPool

  fileprivate static let standard = ModelReader()

  /// Creates a reader.
  ///
  ///     let reader = ModelReader(.lenient, naming: .snakeCase, unknownKeys: .reported)
  ///     let result = try reader.readWithIssues(User.self, from: #"{"id": 7, "nam": "Ada"}"#)
  ///     print(result.value.id, result.issues.count)   // 7 1
  ///
  /// Readers with equal options share what they learn about classes. So only the first object of a class
  /// takes longer, and a program can create a reader for each call without a loss of speed. If the options
  /// contain functions, such as ``KeyNaming/custom(_:)``, only this reader and its copies share what they
  /// learn. Keep such a reader.
  ///
  /// - Parameters:
  ///   - mode: the treatment of JSON values that do not fit their Swift types.
  ///   - naming: the strategy that converts keys of properties to names of members.
  ///   - references: the rules by which two JSON values represent one object.
  ///   - unknownKeys: the treatment of JSON members that no property reads.
  ///   - limits: the maximum size and nesting depth of a JSON text.
  ///   - userInfo: the values that hooks and `Codable` values can access.
  public init(
    _ mode: Mode = .strict, naming: KeyNaming = .asDeclared, references: ModelReferences = [],
    unknownKeys: UnknownKeys = .ignored, limits: JSONLimits = .default,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.mode = mode
    self.naming = naming
    self.references = references
    self.unknownKeys = unknownKeys
    self.limits = limits
    self.userInfo = userInfo
    pool = Self.initialPool
    choosePool()
  }

  /// The pool of a reader whose options are not all set yet.
  private static let initialPool = ReadingPool()

  /// Selects the pool of plans that all readers with the current options share.
  private mutating func choosePool() { pool = .shared(options(references)) }

  /// The options on which plans depend. Nil if they contain functions, because functions cannot be compared.
  private func options(_ references: ModelReferences) -> ReadingPool.Options? {
    ReadingPool.Options(
      isLenient: mode == .lenient, naming: naming, mappings: mappings, references: references,
      reportsUnknownKeys: unknownKeys != .ignored, preservesUnknownMembers: unknownKeys == .preserved,
      limits: limits)
  }

  /// Sets how the reader maps a class, structure or enumeration to JSON.
  ///
  ///     var reader = ModelReader()
  ///     reader.setMapping(JSONMapping(paths: ["id": ["user.id"]]), for: User.self)
  ///     let user = try reader.read(User.self, from: #"{"user": {"id": 7}, "name": "Ada"}"#)
  ///     print(user.id)   // 7
  ///
  /// This mapping has priority over the type's own ``ModelMapping``, and over macros on its properties, such
  /// as `@Key(json:)`. The mapping also applies to subclasses, but a mapping that this reader has for a
  /// subclass has priority. A property that any of these mappings excludes with `only` or `except` is not
  /// read.
  ///
  /// - Parameters:
  ///   - mapping: the mapping.
  ///   - type: the class, structure or enumeration.
  public mutating func setMapping(_ mapping: JSONMapping, for type: any ArchivableValue.Type) {
    mappings[ObjectIdentifier(type)] = mapping
  }

  /// Reads an archivable value, such as an object or an array, from JSON. Returns the value.
  ///
  ///     let text = #"{"data": [{"id": 7, "name": "Ada"}, {"id": 8, "name": "Bob"}]}"#
  ///     let users = try ModelReader().read([User].self, from: text, at: "data")
  ///     let bob = try ModelReader().read(User.self, from: text, at: "data[1]")
  ///     print(users.count, bob.name)   // 2 Bob
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the path of the value in the text, such as `data.items[0]`; nil if the root is read.
  ///   - objects: existing objects that the reader updates, and to which new objects may refer. If a JSON
  ///     object has the same identity as an existing object, the reader updates the existing object, as in
  ///     ``update(_:from:at:updating:)``. If two existing objects have the same identity, the reader uses the
  ///     first object. If this argument is not nil, the reader also uses the rule
  ///     ``ModelReferences/identified``. If the call throws, no object is changed.
  /// - Returns: the value.
  /// - Throws: `JSONError` if the text is not valid JSON; ``ModelReadingError`` if a value does not fit its
  ///   Swift type; or any error of the program's own code.
  /// - Complexity: O(bytes). The reader uses recursion for nested values and for the first 24 levels of
  ///   nested objects. The reader reads deeper objects without recursion.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> Value {
    try readWithIssues(type, from: text, at: path, updating: objects).value
  }

  /// Reads a value from JSON. Returns the value, and issues such as skipped values.
  ///
  ///     let text = #"[{"id": 7, "name": "Ada"}, {"id": "?", "name": "Bob"}]"#
  ///     let (users, issues) = try ModelReader(.lenient).readWithIssues([User].self, from: text)
  ///     print(users.count, issues[0])
  ///     // 2 [1].id: found "?", expected an integer of 64 bits
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the path of the value in the text, such as `data.items[0]`; nil if the root is read.
  ///   - objects: existing objects that the reader updates, and to which new objects may refer, as in
  ///     ``read(_:from:at:updating:)``.
  /// - Returns: the value, and up to 1,000 issues in the order of the text. A strict reader returns no
  ///   issues, because it throws an error instead.
  /// - Throws: `JSONError` if the text is not valid JSON; ``ModelReadingError`` if a value does not fit its
  ///   Swift type; or any error of the program's own code.
  public func readWithIssues<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> (value: Value, issues: [ModelIssue]) {
    let borrowed = takePlans(identifies: objects != nil)
    if path == nil, objects == nil, references.isEmpty,
      let value = try borrowed.plans.valueInOnePass(type, text.__utf8)
    {
      return (value, [])
    }
    let text = try open(text, at: path, with: borrowed)
    var reading = ReadingSession(text)
    reading.identify(objects ?? [])
    do {
      let value = try reading.rules.references.isEmpty ? reading.read(type) : reading.readGraph(type)
      return (value, reading.issues.all)
    } catch { throw reading.firstIssue(after: error) }
  }

  /// Updates an existing object from JSON. Returns the issues.
  ///
  ///     let user = try ModelReader().read(User.self, from: #"{"id": 7, "name": "Ada"}"#)
  ///     try ModelReader().update(user, from: #"{"name": "Ada L."}"#)   // all other properties stay
  ///     print(user.id, user.name)   // 7 Ada L.
  ///
  /// The update is atomic: if the call throws, nothing is changed. Rules:
  ///
  /// - A property keeps its value if its member is missing. A member with the value `null` sets the property
  ///   to nil.
  /// - An object in a property is updated too, unless the text describes another class or another identity
  ///   (``ModelIdentifiable``). In this case the property gets a new object, and the old object is unchanged.
  /// - A structure keeps the fields whose members are missing, as an object does. This does not apply to a
  ///   structure that contains values of its own type.
  /// - `@JSONRule(.replaced)` replaces the property's structure or object as a whole.
  /// - Collections are replaced. A collection with `@JSONRule(.merged)` keeps its elements, and the elements
  ///   in the text are added. If the array already contains an object with the identity of a new object, the
  ///   new object replaces the existing object. If ``references`` include ``ModelReferences/identified``, the
  ///   existing object is updated instead.
  /// - The updated object keeps its class. If ``JSONClassChoosing`` selects another class for the text, the
  ///   reader reports an issue.
  /// - A value for a `let` property is an issue, unless the object already has this value.
  /// - The reader rejects a nested object if its class conforms to ``JSONPreprocessing``.
  /// - If several properties refer to one object, the reader uses the member of the property that is declared
  ///   first.
  ///
  /// - Parameters:
  ///   - object: the object to update.
  ///   - text: the JSON text.
  ///   - path: the path of the value in the text; nil if the root is read.
  ///   - objects: existing objects that the text may refer to. If a JSON object has the same identity as an
  ///     existing object, the reader updates and uses the existing object. If this argument is not nil,
  ///     ``references`` include ``ModelReferences/identified``.
  /// - Returns: the issues in the order of the text. A strict reader reports no issues.
  /// - Throws: `JSONError` if the text is not valid JSON; ``ModelReadingError`` if a value does not fit its
  ///   Swift type; or any error of the program's own code.
  @discardableResult
  public func update(
    _ object: some Archivable, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> [ModelIssue] {
    let borrowed = takePlans(identifies: objects != nil)
    let usesGraph = !references.isEmpty || objects != nil
    if path == nil, !usesGraph, borrowed.plans.updateInOnePass(object, text.__utf8) { return [] }
    let text = try open(text, at: path, with: borrowed)
    var reading = ReadingSession(text)
    reading.identify(objects ?? [])
    do {
      if let type = type(of: object) as? any JSONPreprocessing.Type {
        try reading.updatePrepared(object, as: type)
      } else if usesGraph {
        try reading.updateGraph(object)
      } else {
        try reading.update(object)
      }
      return reading.issues.all
    } catch { throw reading.firstIssue(after: error) }
  }

  /// Takes plans for one reading from the pool. If `identifies` is true, the plans also use the rule
  /// `identified`.
  private func takePlans(identifies: Bool = false) -> BorrowedPlans {
    let references = identifies ? references.union(.identified) : references
    let pool = references == self.references ? pool : .shared(options(references))
    return BorrowedPlans(
      pool, userInfo,
      ReadingRules(
        isLenient: mode == .lenient, naming: naming, mappings: mappings, references: references,
        reportsUnknownKeys: unknownKeys != .ignored, preservesUnknownMembers: unknownKeys == .preserved,
        limits: limits, pool: pool, userInfo: userInfo))
  }

  /// Builds the index of a text, and finds the value at a path in it.
  private func open(
    _ text: some ModelSource, at path: String?, with plans: consuming BorrowedPlans
  ) throws -> OpenText {
    let document = try text.jsonDocument(limits: limits)
    guard let path else { return try OpenText(document, plans, root: 0) }
    guard let index = JSONPath(path).flatMap({ document.index(at: $0) }) else {
      throw ModelReadingError(
        issues: [
          ModelIssue(
            code: .missingKey, path: path, found: "nothing", expected: "a value")
        ])
    }
    return try OpenText(document, plans, root: index)
  }
}

extension Archivable {
  /// Updates this object from JSON, with a strict reader that has default options.
  ///
  ///     try user.update(json: "{\"name\": \"Ada\", \"email\": null}")
  ///
  /// Use this method, for example, if a server responds with the changed properties of an object. For a
  /// lenient reader or other options, use ``ModelReader/update(_:from:at:updating:)``.
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - path: the path of the value in the text; nil if the root is read.
  /// - Throws: the errors of ``ModelReader/update(_:from:at:updating:)``. The object is then unchanged.
  public func update(json text: some ModelSource, at path: String? = nil) throws {
    try ModelReader.standard.update(self, from: text, at: path)
  }
}

extension ArchivableValue {
  /// Creates a value from JSON, with a strict reader that has default options.
  ///
  ///     let user = try User(json: "{\"id\": 7}")
  ///     let users = try [User](json: bytes, at: "data.items")
  ///
  /// For a lenient reader or other options, use ``ModelReader``.
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - path: the path of the value in the text, such as `data.items[0]`; nil if the root is read.
  /// - Throws: `JSONError` if the text is not valid JSON; ``ModelReadingError`` if a value does not fit its
  ///   Swift type; or any error of the program's own code.
  public init(json text: some ModelSource, at path: String? = nil) throws {
    self = try ModelReader.standard.read(Self.self, from: text, at: path)
  }
}
