import ArcFormat

/// An error in writing a value as JSON.
///
/// The description of an error is one line, for example:
///
///     cycle at pet.owner: found a cycle back to the object at the root, expected a tree of objects; …
public struct ModelWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// An object contains itself.
    case cycle
    /// Arrays and objects are nested more deeply than the writer's `maximumDepth`.
    case tooDeep
    /// A number is infinite or NaN. JSON cannot represent such numbers.
    case notFinite
    /// The property's `@JSONFormat` cannot represent the value, such as the year 10000 in ISO 8601.
    case noNotation
    /// A member has two meanings in JSON.
    ///
    /// For example, the path of a property continues in the value of another property. Or an object has a
    /// member with the name of the tag that states the object's class, and with a different value.
    case duplicateName
  }

  /// The kind of the error.
  public let code: Code
  /// The path from the root to the value, such as `friends[3].parent`. Empty if the value is the root.
  public let path: String
  /// A description of the value that was found.
  public let found: String
  /// A description of the value that was expected.
  public let expected: String
  /// A description of how to fix the problem.
  public let remedy: String

  /// Returns the error for two members with one name. Its path is empty, because the path is not known.
  static func duplicateName(_ name: String, of owner: String) -> ModelWritingError {
    ModelWritingError(
      code: .duplicateName, path: "",
      found: "two members '\(printableName(name))' of \(printableName(owner))",
      expected: "members with distinct names",
      remedy: "give one property a different name with @Key(json: \"…\")")
  }

  /// Returns the error for a member that has the name of the tag, but not the tag's value.
  static func wrongTag(
    found: String, expected: String,
    remedy: String = "give the property a different name with @Key(json: \"…\")"
  ) -> ModelWritingError {
    ModelWritingError(
      code: .duplicateName, path: "", found: found, expected: expected,
      remedy: remedy + ", or pass a different name to @JSONFormat(.tagged(by: \"…\"))")
  }

  /// Returns the error for a value that is not written as a JSON object.
  package static func noObject(of type: String) -> ModelWritingError {
    ModelWritingError(
      code: .noNotation, path: "",
      found: "a value of type '\(printableName(type))', which is not written as a JSON object",
      expected: "a value that is written as a JSON object", remedy: "call ModelWriter.value(of:) instead")
  }

  /// The error in one line of text.
  ///
  /// The line contains the kind, the path, what was found, what was expected, and the remedy.
  public var description: String {
    "\(code.rawValue) at \(path.isEmpty ? "the root" : path): found \(found), expected \(expected); \(remedy)"
  }
}
