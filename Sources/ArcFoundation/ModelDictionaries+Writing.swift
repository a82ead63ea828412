public import Arc
import ArcFormat
public import ArcJSON
public import ArcModel
import Foundation

// Writing models as objects for `JSONSerialization`, `PropertyListSerialization` and `UserDefaults`.

extension Archivable {
  /// Returns the object as a dictionary with the members of its JSON text.
  ///
  ///     let object = try user.jsonObject()
  ///     defaults.set(try settings.jsonObject(by: ModelWriter(nulls: .omitted)), forKey: "settings")
  ///
  /// `try User(json: object)` reads an equal object from the dictionary. A property list cannot contain null.
  /// So for a property list, use `nulls: .omitted`, and write no arrays that contain nil.
  ///
  /// - Parameter writer: the writer that determines the members.
  /// - Returns: the members, with values as ``ArcJSON/JSONValue/foundationObject()`` returns them.
  /// - Throws: `ModelWritingError` if JSON cannot represent the object, or if the object is not written as a
  ///   JSON object; or any error of `ModelWriter.value(of:)`.
  /// - Complexity: O(bytes of the text), about six times the time of writing the text.
  public func jsonObject(by writer: ModelWriter = ModelWriter()) throws -> [String: Any] {
    guard let members = try writer.value(of: self).foundationObject() as? [String: Any] else {
      throw ModelWritingError.noObject(of: "\(type(of: self))")
    }
    return members
  }
}

extension JSONValue {
  /// Converts the value to objects of Foundation and values of Swift.
  ///
  /// The result consists of `[String: Any]`, `[Any]`, `String`, numbers, `Bool` and `NSNull`.
  ///
  /// A number without a decimal point and exponent becomes an `Int` or a `UInt64`, if one of these types can
  /// represent it. Any other number becomes a `Double` if the shortest text of the nearest `Double` denotes
  /// the same number. Otherwise it becomes a `Decimal` if a `Decimal` can represent all digits, or else a
  /// string that contains the text of the number.
  ///
  /// - Returns: the value.
  /// - Throws: `limitExceeded` if the stack is exhausted and the system cannot create a thread.
  /// - Complexity: O(values). Recursive, with as much stack as the value needs.
  public func foundationObject() throws -> Any {
    switch self {
    case .null: return NSNull()
    case .bool(let value): return value
    case .number(let number): return number.foundationObject
    case .string(let text): return text
    case .array(let elements):
      return try elements.map { element -> Any in
        try StackExtension.call { () throws -> Any in try element.foundationObject() }
      }
    case .object(let object):
      var members: [String: Any] = [:]
      for (name, member) in object.members {
        members[name] = try StackExtension.call { () throws -> Any in try member.foundationObject() }
      }
      return members
    }
  }
}

extension JSONNumber {
  fileprivate var foundationObject: Any {
    let isWhole = !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    if isWhole, let value = integer(Int.self) { return value }
    if isWhole, let value = integer(UInt64.self) { return value }
    if let double, isDouble { return double }
    return Decimal(exactly: text) ?? text
  }
}
