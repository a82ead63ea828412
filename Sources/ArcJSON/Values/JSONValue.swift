/// A JSON value that can be changed, independent of a ``JSONDocument``.
///
///     var value = try JSONValue(parsing: "{\"name\": \"Ada\"}")
///     value["born"] = 1815
///     print(value)   // {"name":"Ada","born":1815}
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number with all digits of its text.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object.
  case object(JSONObject)

  /// Parses a JSON text.
  ///
  ///     let value = try JSONValue(parsing: "[1, 2, 3]")
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limits: the maximum size and nesting depth of the text.
  /// - Throws: `JSONError` with the first error in the text.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
    var limits = limits
    limits.depth = min(limits.depth, Self.maximumDepth)
    self.init(try JSONDocument(text, limits: limits).root)
  }

  /// The maximum nesting depth of a value: 1,000. Use ``JSONDocument`` for text with deeper nesting.
  public static let maximumDepth = 1000

  /// Copies a value and its nested values from a document.
  ///
  /// A value that is nested more deeply than ``maximumDepth`` becomes `null`. If several members have the
  /// same name, the document's `duplicateKeys` determines which member is copied.
  ///
  /// - Parameter node: the value in the document.
  public init(_ node: JSONNode) { self = Self.value(of: node) }

  /// The value of a member. Nil if this value is not an object, or has no such member.
  ///
  /// Set nil to remove a member. Setting has no effect if this value is not an object.
  ///
  /// - Parameter name: the name of the member.
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

extension JSONValue {
  /// Creates a number.
  ///
  /// The number has the fewest digits that represent `value`. Nil if `value` is infinite or not a number,
  /// because JSON cannot represent such values.
  public init?(_ value: Double) {
    guard let number = JSONNumber(value) else { return nil }
    self = .number(number)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// Creates a number from a floating-point literal, such as `0.1`.
  ///
  /// The number has the fewest digits that represent the literal as a `Double`. A literal that is too large
  /// for a `Double`, such as `1e999`, becomes `null`, because JSON has no infinity.
  public init(floatLiteral value: Double) { self = JSONValue(value) ?? .null }
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object. If several members have the same name, the last member is used.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    self = .object(object)
  }
}
