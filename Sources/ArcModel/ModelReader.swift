public import Arc
public import ArcJSON

/// Makes objects of one's own classes out of JSON.
///
///     let user = try ModelReader().read(User.self, from: data)
///     let (feed, issues) = try ModelReader(.lenient).readReporting(Feed.self, from: data, at: "data.feed")
///
/// A class needs nothing but `@Archivable`: each property is read from the member with its key, those of its
/// superclasses too. `let` properties, structures, enumerations, collections and optionals are read at any
/// depth. A property or field whose key is missing has its initial value, or is nil; weak ones are not read.
/// What values become which types, [Conversions](doc:Conversions) lists.
///
/// Keys of dictionaries are names of members, which are text. One that is no text is exact in its own
/// notation: an integer in digits, as `"-7"`, and neither `"+7"` nor `"07"`.
public struct ModelReader: Sendable {
  /// What becomes of a value that is not as the model wants it.
  public enum Mode: Hashable, Sendable {
    /// Reading ends with an error.
    case strict
    /// Values of other kinds are converted where they say the same, such as `"7"` for a number; any other is
    /// passed over and reported. The property or field then keeps its initial value or is nil, a collection
    /// is without the element. Only what a property without either needs ends reading.
    case lenient
  }

  /// What becomes of a value that is not as the model wants it.
  public var mode: Mode { didSet { pool = ReadingPool() } }
  /// How the names of members are made of the keys of properties.
  public var naming: KeyNaming { didSet { pool = ReadingPool() } }
  /// How classes are mapped otherwise than their declarations say, or their ``ModelMapping``.
  private var mappings: [ObjectIdentifier: JSONMapping] = [:] { didSet { pool = ReadingPool() } }
  /// What becomes of members that no property of their class is read from.
  public var unknownKeys: UnknownKeys { didSet { pool = ReadingPool() } }
  /// What tells that two places have the same object.
  ///
  /// With ``ModelReferences/marked`` a `$ref` leads to the object with that `$id` anywhere in the text, in
  /// front or behind, also outside of what is read. Cycles and constants are read as from archives: objects
  /// are built in the order in which they need each other, and the rest is set when all are there. An object
  /// is of the class that the place of its members tells. As others may have an object already, one that
  /// refuses itself, or turns out to lack what it must have, ends a lenient reading too. Classes that are
  /// ``ModelReading`` are refused. With ``ModelReferences/identified`` the same holds.
  public var references: ModelReferences { didSet { pool = ReadingPool() } }
  /// What a text may cost at most.
  public var limits: JSONLimits { didSet { pool = ReadingPool() } }
  /// What the program's own code gets while it is read.
  public var userInfo: [CodingUserInfoKey: any Sendable] { didSet { pool = ReadingPool() } }
  /// What is kept for the next text with these options.
  private var pool = ReadingPool()

  /// A reader with default options.
  fileprivate static let standard = ModelReader()

  /// Makes a reader. One that is kept reads small texts many times faster than one that is made for each.
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
  }

  /// Maps a class, and subclasses for which nothing else is given, otherwise than its declaration says, and
  /// its ``ModelMapping``; or a structure or enumeration.
  public mutating func setMapping(_ mapping: JSONMapping, for type: any ArchivableValue.Type) {
    mappings[ObjectIdentifier(type)] = mapping
  }

  /// Reads a model, or a collection of some, out of a text.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text, as `data.items[0]`; nil for the root.
  ///   - objects: objects that are there. Where the text has one of the same identity, the object takes what
  ///     is there, as in ``update(_:from:at:updating:)``, and is referred to; of two with one identity the
  ///     first.
  ///     Unless nil, ``references`` are ``ModelReferences/identified`` too. Either all are updated or none.
  /// - Returns: the value.
  /// - Throws: `JSONError` for what is no JSON, ``ModelReadingError``, or what the program's own code throws.
  /// - Complexity: O(bytes); recursive over values, and over no more than 24 levels of objects.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> Value {
    try readReporting(type, from: text, at: path, updating: objects).value
  }

  /// Reads a model, and tells all that was passed over: the first thousand issues.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text, as `data.items[0]`; nil for the root.
  ///   - objects: objects that are there, and are updated, as ``read(_:from:at:updating:)`` has them.
  /// - Returns: the value, and what is wrong with the text, in the order of the text; a strict reader
  ///   finds nothing.
  /// - Throws: `JSONError` for what is no JSON, ``ModelReadingError``, or what the program's own code throws.
  public func readReporting<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> (value: Value, issues: [ModelIssue]) {
    let taken = takePlans(identifies: objects != nil)
    if path == nil, objects == nil, references.isEmpty,
      let value = taken.plans.valueInOnePass(type, text.__utf8)
    {
      return (value, [])
    }
    let text = try open(text, at: path, with: taken)
    if let value = try text.plans.value(type, text.root) { return (value, []) }
    // It does not come right from the text.
    var reading = ObjectReading(text)
    reading.identify(objects ?? [])
    let value = try reading.rules.references.isEmpty ? reading.read(type) : reading.readGraph(type)
    return (value, reading.issues.all)
  }

  /// Has an object take what a text has for it: a property whose member is missing stays as it is, one whose
  /// member is null is nil. Objects that properties refer to are updated too where the text has members for
  /// them, unless it tells another class or another identity (``ModelIdentifiable``) for them: then the
  /// property gets another object, and the object that it had stays as it is. Structures and collections are
  /// replaced, but for collections that are marked `@JSON(.merged)`: the text's is added to these. If
  /// ``references`` are ``ModelReferences/identified``, objects in such an array of this object are updated
  /// where the text has them. A value for a constant property is an issue unless the object has it already.
  /// An inner object whose class is ``ModelReading`` is refused. Where several properties lead to one object,
  /// the text of the one that is declared first counts.
  ///
  ///     try ModelReader().update(post, from: data, updating: store.authors)   // author 2 comes from the
  ///     store
  ///
  /// Either all of it is set or, when something is thrown, nothing.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text; nil for the root.
  ///   - objects: objects that the text may refer to. Where the text has one of the same identity, that
  ///     object is updated and referred to. Unless nil, ``references`` are ``ModelReferences/identified``
  ///     too.
  /// - Returns: what is wrong with the text; a strict reader finds nothing.
  /// - Throws: `JSONError` for what is no JSON, ``ModelReadingError``, or what the program's own code throws.
  @discardableResult
  public func update(
    _ object: some Archivable, from text: some ModelSource, at path: String? = nil,
    updating objects: [any ModelIdentifiable]? = nil
  ) throws -> [ModelIssue] {
    let taken = takePlans(identifies: objects != nil)
    let usesGraph = !references.isEmpty || objects != nil
    if path == nil, !usesGraph, taken.plans.updateInOnePass(object, text.__utf8) { return [] }
    let text = try open(text, at: path, with: taken)
    var updates = DirectUpdates(text.plans)
    if try updates.update(object, text.root) { return [] }
    var reading = ObjectReading(text)
    reading.identify(objects ?? [])
    if let type = type(of: object) as? any ModelReading.Type {
      try reading.updatePrepared(object, as: type)
    } else if usesGraph {
      try reading.updateGraph(object)
    } else {
      try reading.update(object)
    }
    return reading.issues.all
  }

  /// Takes plans for one reading.
  private func takePlans(identifies: Bool = false) -> TakenPlans {
    // Plans for other references than the reader's are of no use to it later.
    let pool = identifies ? ReadingPool() : pool
    return TakenPlans(
      pool,
      ReadingRules(
        isLenient: mode == .lenient, naming: naming, mappings: mappings,
        references: identifies ? references.union(.identified) : references, unknownKeys: unknownKeys,
        limits: limits, pool: pool, userInfo: userInfo))
  }

  /// Opens a text at what a path leads to.
  private func open(
    _ text: some ModelSource, at path: String?, with plans: consuming TakenPlans
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
  /// Has the object take what JSON has for it, as a server's answer to a change: strictly, with the keys as
  /// they are declared. For all else there is ``ModelReader/update(_:from:at:updating:)``.
  ///
  ///     try user.update(json: "{\"name\": \"Ada\", \"email\": null}")
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text; nil for the root.
  /// - Throws: as ``ModelReader/update(_:from:at:updating:)``; then nothing was set.
  public func update(json text: some ModelSource, at path: String? = nil) throws {
    try ModelReader.standard.update(self, from: text, at: path)
  }
}

extension ArchivableValue {
  /// Reads a model, or a collection of some, out of JSON: strictly, with the keys as they are declared. For
  /// all else there is ``ModelReader``.
  ///
  ///     let user = try User(json: "{\"id\": 7}")
  ///     let users = try [User](json: bytes, at: "data.items")
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text; nil for the root.
  /// - Throws: `JSONError` for what is no JSON, ``ModelReadingError``, or what the program's own code throws.
  public init(json text: some ModelSource, at path: String? = nil) throws {
    self = try ModelReader.standard.read(Self.self, from: text, at: path)
  }
}
