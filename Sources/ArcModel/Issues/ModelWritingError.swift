import ArcFormat

/// What keeps a model from becoming JSON.
///
///     cycle at friends[3].parent: found the object at friends[3] inside of itself, expected a tree; …
public struct ModelWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// An object that is inside of itself: it would have no end.
    case cycle
    /// More arrays and objects one inside another than the writer allows.
    case tooDeep
    /// Infinity or NaN, which JSON does not have.
    case notFinite
    /// A value that its `@Format` has no text for, such as a date of the year 10000 in ISO 8601.
    case noNotation
    /// Two properties or fields that would be members of one name.
    case duplicateName
  }

  /// What is wrong.
  public let code: Code
  /// The way from the root to the value: `friends[3].parent`; empty for the root.
  public let path: String
  /// What is there.
  public let found: String
  /// What would be right there.
  public let expected: String
  /// What to do about it.
  public let remedy: String

  /// The error for two members of one name, whose path is not known.
  static func duplicateName(_ name: String, of owner: String) -> ModelWritingError {
    ModelWritingError(
      code: .duplicateName, path: "",
      found: "two members '\(printableName(name))' of \(printableName(owner))",
      expected: "one of each name", remedy: "give one property another key with @Key(\"…\")")
  }

  /// The error for an object that is written as another value than an object of members.
  package static func noObject(of type: String) -> ModelWritingError {
    ModelWritingError(
      code: .noNotation, path: "", found: "\(printableName(type)), which is written as another value",
      expected: "an object of members", remedy: "ask for the value with ModelWriter.value(of:)")
  }

  /// The error in one line: what is wrong where, what was found and expected, and the remedy.
  public var description: String {
    "\(code.rawValue) at \(path.isEmpty ? "the root" : path): found \(found), expected \(expected); \(remedy)"
  }
}
