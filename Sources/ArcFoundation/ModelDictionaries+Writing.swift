public import Arc
import ArcFormat
public import ArcJSON
public import ArcModel
import Foundation

// Models as `JSONSerialization`, `PropertyListSerialization` and `UserDefaults` take them.

extension Archivable {
  /// The object as a dictionary, with the members that its JSON text has.
  ///
  ///     let object = try user.jsonObject()
  ///     defaults.set(try settings.jsonObject(by: ModelWriter(nulls: .omitted)), forKey: "settings")
  ///
  /// What is read from it again is equal: `try User(json: object)`. Property lists have no null: without
  /// those it is one, unless an array has nil for an element.
  ///
  /// - Parameter writer: what writes the members.
  /// - Returns: the members, as ``ArcJSON/JSONValue/foundationObject()`` gives them.
  /// - Throws: `ModelWritingError` for what no JSON stands for, also for an object that is written as no
  ///   object of members; otherwise as `ModelWriter.value(of:)` does.
  /// - Complexity: O(bytes of the text), about six times what that takes.
  public func jsonObject(by writer: ModelWriter = ModelWriter()) throws -> [String: Any] {
    guard let members = try writer.value(of: self).foundationObject() as? [String: Any] else {
      throw ModelWritingError.noObject(of: "\(type(of: self))")
    }
    return members
  }
}

extension JSONValue {
  /// The value as Foundation and Swift have it: `[String: Any]`, `[Any]`, `String`, `Bool` and `NSNull`.
  ///
  /// A number without a point and an exponent is an `Int`, or a `UInt64`; another one, or one that is longer,
  /// a `Double` if that has all its digits, else a `Decimal`, which has 38 of them. A number that neither has
  /// is its text.
  ///
  /// - Throws: `limitExceeded` if the stack is at its end and the system cannot make a thread.
  /// - Complexity: O(values); recursive, with as much stack as it needs.
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
    let exact = Decimal(string: text)
    guard let double else { return exact ?? text }
    guard let exact, let short = Decimal(string: double.description), exact != short else { return double }
    return exact
  }
}
