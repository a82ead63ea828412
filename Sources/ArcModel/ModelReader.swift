public import Arc
public import ArcJSON

/// Makes objects of one's own classes out of JSON.
///
///     let user = try ModelReader().read(User.self, from: data)
///     let (feed, issues) = try ModelReader(.lenient).readReporting(Feed.self, from: data, at: "data.feed")
///
/// A class needs nothing but `@Archivable`: each property is read from the member with its key, those of its
/// superclasses too. `let` properties, structures, enumerations, collections and optionals are read at any
/// depth. A property whose key is missing keeps its initial value, or is nil; weak ones are not read. What
/// values become which types, the documentation lists.
public struct ModelReader: Sendable {
  /// What becomes of a value that is not as the model wants it.
  public enum Mode: Hashable, Sendable {
    /// Reading ends with an error.
    case strict
    /// Values of other kinds are converted where they say the same, such as `"7"` for a number; any other is
    /// passed over and reported. The property then keeps its initial value or is nil, a collection is without
    /// the element. Only what a property without either needs ends reading.
    case lenient
  }

  /// What becomes of a value that is not as the model wants it.
  public var mode: Mode
  /// How the names of members are made of the keys of properties.
  public var naming: KeyNaming
  /// How classes are mapped otherwise than their declarations say, or their ``ModelMapping``.
  private var mappings: [ObjectIdentifier: ClassMapping] = [:]
  /// Whether members that no property of their class is read from are issues, which end a strict reading.
  public var reportsUnknownKeys = false
  /// What a text may cost at most.
  public var limits: JSONLimits
  /// What the program's own code gets while it is read.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Makes a reader.
  public init(
    _ mode: Mode = .strict, naming: KeyNaming = .asDeclared, limits: JSONLimits = JSONLimits(),
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.mode = mode
    self.naming = naming
    self.limits = limits
    self.userInfo = userInfo
  }

  /// Maps a class, and subclasses for which nothing else is given, otherwise than its declaration says, and
  /// its ``ModelMapping``.
  public mutating func map(_ type: any Archivable.Type, _ mapping: ClassMapping) {
    mappings[ObjectIdentifier(type)] = mapping
  }

  /// Reads a model, or a collection of some, out of a text.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text, as `data.items[0]`; nil for the root.
  /// - Returns: the value.
  /// - Throws: `JSONError` for what is no JSON, ``ModelError``, or what the program's own code throws.
  /// - Complexity: O(bytes); recursive over values, not over objects.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil
  ) throws -> Value {
    try readReporting(type, from: text, at: path).value
  }

  /// Reads a model, and tells all that was passed over.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text, as `data.items[0]`; nil for the root.
  /// - Returns: the value, and what is wrong with the text, in the order of the text; a strict reader
  ///   finds nothing.
  /// - Throws: `JSONError` for what is no JSON, ``ModelError``, or what the program's own code throws.
  public func readReporting<Value: ArchivableValue>(
    _ type: Value.Type, from text: some ModelSource, at path: String? = nil
  ) throws -> (value: Value, issues: [ModelIssue]) {
    var reading = try reading(of: text, at: path)
    let value = try reading.read(type)
    return (value, reading.issues.all)
  }

  /// Has an object take what a text has for it: a property whose member is missing stays as it is, one whose
  /// member is null is nil. Objects that properties refer to are updated too where the text has members for
  /// them, unless it tells another class for them; structures and collections are replaced. Constant
  /// properties stay. An inner object whose class is ``ModelPreparing`` is refused.
  ///
  /// Either all of it is set or, when something is thrown, nothing.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text; nil for the root.
  /// - Returns: what is wrong with the text; a strict reader finds nothing.
  /// - Throws: `JSONError` for what is no JSON, ``ModelError``, or what the program's own code throws.
  @discardableResult
  public func update(
    _ object: some Archivable, from text: some ModelSource, at path: String? = nil
  ) throws -> [ModelIssue] {
    var reading = try reading(of: text, at: path)
    if let type = type(of: object) as? any ModelPreparing.Type {
      try reading.updatePrepared(object, as: type)
    } else {
      try reading.update(object)
    }
    return reading.issues.all
  }

  /// A reading of what a path leads to in a text.
  private func reading(of text: some ModelSource, at path: String?) throws -> ObjectReading {
    let document = try text.document(limits: limits)
    let rules = ReadingRules(
      isLenient: mode == .lenient, naming: naming, mappings: mappings,
      reportsUnknownKeys: reportsUnknownKeys, limits: limits, userInfo: userInfo)
    guard let path else { return try ObjectReading(document, rules) }
    guard let index = JSONPath(path).flatMap({ document.index(at: $0) }) else {
      throw ModelError(
        issues: [
          ModelIssue(
            code: .missingKey, path: path, found: "nothing", expected: "a value")
        ])
    }
    return try ObjectReading(document, rules, root: index)
  }
}

extension Archivable {
  /// Has the object take what JSON has for it, as a server's answer to a change: strictly, with the keys as
  /// they are declared. For all else there is ``ModelReader/update(_:from:at:)``.
  ///
  ///     try user.update(json: "{\"name\": \"Ada\", \"email\": null}")
  ///
  /// - Parameters:
  ///   - text: the JSON text.
  ///   - path: the way to the value from the root of the text; nil for the root.
  /// - Throws: as ``ModelReader/update(_:from:at:)``; then nothing was set.
  public func update(json text: some ModelSource, at path: String? = nil) throws {
    try ModelReader().update(self, from: text, at: path)
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
  /// - Throws: `JSONError` for what is no JSON, ``ModelError``, or what the program's own code throws.
  public init(json text: some ModelSource, at path: String? = nil) throws {
    self = try ModelReader().read(Self.self, from: text, at: path)
  }
}
