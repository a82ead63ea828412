/// A JSON value that can be changed: what a ``JSONNode`` is when all of it is taken out of its document.
///
///     var value = try JSONValue(parsing: "{\"name\": \"Ada\"}")
///     value["born"] = 1815
///     print(value)   // {"name":"Ada","born":1815}
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with all its digits.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object.
  case object(JSONObject)

  /// Reads a text.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
    var limits = limits
    limits.depth = min(limits.depth, Self.maximumDepth)
    self.init(try JSONDocument(text, limits: limits).root)
  }

  /// How deep values can be inside of each other: what is deeper can be read in its ``JSONDocument``.
  public static let maximumDepth = 1000

  /// Takes a value out of its document, with all that is in it; `null` for what is deeper than
  /// ``maximumDepth``. Of members of one name the one is taken that the document says.
  public init(_ node: JSONNode) { self = Self.value(of: node) }

  /// The member of an object; nil if there is none, or if it is no object. What is set to nil is removed. Of
  /// anything else than an object nothing is set.
  public subscript(name: String) -> JSONValue? {
    get {
      guard case .object(let object) = self else { return nil }
      return object[name]
    }
    set {
      guard case .object(var object) = self else { return }
      self = .null
      object[name] = newValue
      self = .object(object)
    }
  }
}

/// The members of an object in order, each name once.
public struct JSONObject: Hashable, Sendable {
  /// The names in order.
  public private(set) var names: [String] = []
  private var values: [JSONName: JSONValue] = [:]

  /// An object without members.
  public init() {}

  /// The number of members.
  public var count: Int { names.count }

  /// The value of a member; nil if there is none. A new one comes last, one that is set to nil is removed.
  ///
  /// - Complexity: O(1); O(members) to remove one.
  public subscript(name: String) -> JSONValue? {
    get { values[JSONName(name)] }
    set {
      let old = values[JSONName(name)]
      values[JSONName(name)] = newValue
      if old == nil, newValue != nil { names.append(name) }
      if old != nil, newValue == nil { names.removeAll { JSONName($0) == JSONName(name) } }
    }
  }

  /// The members in order.
  public var members: [(name: String, value: JSONValue)] {
    names.compactMap { name in self[name].map { (name, $0) } }
  }

  /// Whether two have the same members, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == JSONValue.object(right)
  }

  /// Hashes the members without their order.
  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A number, as short as it can be written exactly: `0.1`. One that is too large for 64 bits, `1e999`, is
  /// `null`: JSON has no infinity.
  public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of members of one name the last one counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    self = .object(object)
  }
}
