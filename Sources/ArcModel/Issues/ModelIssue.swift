/// An issue: a JSON value that does not fit the model.
///
///     friends[3].joined: found "soon", expected a date
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
  /// The kind of an issue.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The value has another kind than the property, and cannot be converted.
    case typeMismatch
    /// The type of the property cannot represent the number.
    case valueOutOfRange
    /// The string is not in the notation of the property's type, for example not a date.
    case invalidText
    /// The object has no member for a property that has neither an initial value nor nil.
    case missingKey
    /// The program's enumeration does not have the case or the raw value.
    case unknownCase
    /// An object has two members with one name, or a set or dictionary has equal elements or keys.
    case duplicateKey
    /// No property of the class reads a member with this name.
    case unknownKey
    /// The program's own code rejects the value.
    case refused
    /// A `$ref` refers to an object that is missing, or has another class than the property.
    case danglingReference
    /// Two objects have the same `$id`.
    case duplicateIdentifier
    /// One object has two different values for a `let` property in the text.
    case conflictingValue
    /// Objects need each other in `let` properties, so none of them can be built first.
    case constructionCycle
  }

  /// The kind of the issue.
  public let code: Code
  /// The path from the root to the value, such as `friends[3].joined`. Empty if the value is the root.
  public let path: String
  /// The JSON value that was found, in words.
  public let found: String
  /// The JSON value that was expected, in words. Nil if the kind of the issue implies it.
  public let expected: String?
  /// The offset of the value in the text in bytes. For a missing member, the offset of its object.
  public let byteOffset: Int
  /// The line of the value, beginning with 1.
  public let line: Int
  /// The column of the value in its line, in Unicode scalars, beginning with 1.
  public let column: Int

  package init(
    code: Code, path: String, found: String, expected: String?, byteOffset: Int = 0, line: Int = 1,
    column: Int = 1
  ) {
    (self.code, self.path, self.found, self.expected) = (code, path, found, expected)
    (self.byteOffset, self.line, self.column) = (byteOffset, line, column)
  }

  /// The issue in one line: the path, what was found, and what was expected.
  public var description: String {
    let place = path.isEmpty ? "the root" : path
    return "\(place): found \(found)" + (expected.map { ", expected \($0)" } ?? "")
  }
}

/// An error in reading a model from JSON, with all issues.
///
///     do { let user = try ModelReader().read(User.self, from: text) }
///     catch let error as ModelReadingError { for issue in error.issues { print(issue) } }
public struct ModelReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The issues, at least one.
  ///
  /// For a strict reader, the first issue, or all missing members of one object. For a lenient reader, all
  /// issues; the last one could not be skipped.
  public let issues: [ModelIssue]

  package init(issues: [ModelIssue]) { self.issues = issues }

  /// The issues, one per line, each with its line and column in the text.
  public var description: String {
    issues.map { "\($0) (line \($0.line), column \($0.column), byte \($0.byteOffset))" }.joined(
      separator: "\n")
  }
}
