import ArcFormat
public import ArcJSON
public import ArcModel
import Foundation

// Reading models from the results of `JSONSerialization` and `PropertyListSerialization`.

extension Dictionary: ModelSource where Key == String, Value == Any {
  /// Converts this dictionary to a JSON document, and returns the document.
  ///
  /// The initializer `init(json:)` of a model calls this method for a dictionary:
  ///
  ///     let user = try User(json: propertyList)
  ///
  /// - Parameter limits: the maximum size and nesting depth of the document.
  /// - Returns: the document.
  /// - Throws: `ModelReadingError` if JSON cannot represent a value.
  public func jsonDocument(limits: JSONLimits) throws -> JSONDocument {
    try JSONValue(foundation: self).jsonDocument(limits: limits)
  }
}

extension JSONValue {
  /// Creates a JSON value from objects of Foundation and values of Swift.
  ///
  ///     let value = try JSONValue(foundation: ["name": "Ada", "born": 1815])
  ///
  /// The initializer accepts results of `JSONSerialization` and `PropertyListSerialization`: dictionaries and
  /// arrays of strings, numbers, Booleans and null. Dates, URLs and UUIDs become strings, and data becomes a
  /// base64 string. A date with a year after 9999, or with more than nine fractional digits of a second,
  /// becomes the number of seconds since 1970.
  ///
  /// - Parameter object: the object or value.
  /// - Throws: `ModelReadingError` with the path of the value if JSON cannot represent a value.
  public init(foundation object: Any) throws {
    self = try Self.value(object, path: "", depth: 0)
  }

  private static func value(_ object: Any, path: String, depth: Int) throws -> JSONValue {
    guard depth <= maximumDepth else {
      throw error("values nested more than \(maximumDepth) levels deep", path)
    }
    switch object {
    // Tested first, because a test for a class of Foundation would bridge all elements.
    case let value as [Any]:
      return .array(
        try value.enumerated().map { index, element in
          try StackExtension.call { try Self.value(element, path: "\(path)[\(index)]", depth: depth + 1) }
        })
    case let value as [String: Any]:
      var members = JSONObject()
      // Sorted, so that the order does not change from run to run.
      for (name, member) in value.sorted(by: { $0.key < $1.key }) {
        members[name] = try StackExtension.call {
          try Self.value(member, path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
        }
      }
      return .object(members)
    case let value as JSONValue: return value
    case is NSNull: return .null
    case let value as Bool where type(of: object) == Bool.self: return .bool(value)
    case let value as any BinaryInteger: return .number(JSONNumber(value))
    case let value as Decimal: return try number("\(value)", path)
    case let value as NSDecimalNumber: return try number(value.stringValue, path)
    case let value as String: return .string(value)
    case let value as Date: return try date(value, path)
    case let value as Data: return .string(value.base64EncodedString())
    case let value as URL: return .string(value.absoluteString)
    case let value as UUID: return .string(value.uuidString)
    case let value as NSNumber: return try number(value, path)
    default:
      // The only other value that JSON can represent is an optional that is nil.
      if Mirror(reflecting: object).displayStyle == .optional, Mirror(reflecting: object).children.isEmpty {
        return .null
      }
      throw error("a value of type '\(type(of: object))'", path)
    }
  }

  private static func number(_ number: NSNumber, _ path: String) throws -> JSONValue {
    #if canImport(Darwin)
      let isBoolean = CFGetTypeID(number) == CFBooleanGetTypeID()
    #else
      let isBoolean = unsafe number.objCType.pointee == CChar(UInt8(ascii: "c"))
    #endif
    return isBoolean ? .bool(number.boolValue) : try Self.number(number.stringValue, path)
  }

  private static func number(_ text: String, _ path: String) throws -> JSONValue {
    guard let number = JSONNumber(text) else { throw error("the number \(text)", path) }
    return .number(number)
  }

  private static func date(_ date: Date, _ path: String) throws -> JSONValue {
    let seconds = date.timeIntervalSinceReferenceDate
    if let text = DateNotation.text(seconds) { return .string(text) }
    guard let number = JSONNumber(date.timeIntervalSince1970) else { throw error("the date \(date)", path) }
    return .number(number)
  }

  private static func error(_ found: String, _ path: String) -> ModelReadingError {
    ModelReadingError(
      issues: [
        ModelIssue(
          code: .typeMismatch, path: path, found: found,
          expected: "a string, number, Boolean, null, array, or dictionary with string keys")
      ])
  }
}
