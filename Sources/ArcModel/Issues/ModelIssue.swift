/// Something in a JSON text that is not as a model wants it.
///
///     friends[3].joined: found "soon", expected a date
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A value of another kind than the property's, that is none of its values.
    case typeMismatch
    /// A number that the property's type does not hold.
    case valueOutOfRange
    /// A text that is in no notation of the property's type, such as one that is no date.
    case invalidText
    /// No value for a property that has neither an initial value nor nil.
    case missingKey
    /// A case or raw value that the program's enumeration does not have.
    case unknownCase
    /// A name that an object has twice, or an equal element of a set or key of a dictionary.
    case duplicateKey
    /// A name that no property of the class is read from.
    case unknownKey
    /// A value that code of the program refuses.
    case refused
    /// A `$ref` to an object that is not there, or is of another class than the property's.
    case danglingReference
    /// A `$id` that another object has.
    case duplicateIdentifier
    /// A value of a constant other than the same object has at another place.
    case conflictingValue
    /// Objects that need each other to be built, since their properties are constants.
    case constructionCycle
  }

  /// What is wrong.
  public let code: Code
  /// The way from the root to the value: `friends[3].joined`; empty for the root.
  public let path: String
  /// What is there.
  public let found: String
  /// What would be right there; nil where that goes without saying.
  public let expected: String?
  /// How many bytes of the text come before the value, or before the object that lacks one.
  public let byteOffset: Int
  /// The line of the value, counted from 1.
  public let line: Int
  /// The place in its line, counted in Unicode scalars from 1.
  public let column: Int

  package init(
    code: Code, path: String, found: String, expected: String?, byteOffset: Int = 0, line: Int = 1,
    column: Int = 1
  ) {
    (self.code, self.path, self.found, self.expected) = (code, path, found, expected)
    (self.byteOffset, self.line, self.column) = (byteOffset, line, column)
  }

  /// The issue in one line: where, what was found, and what was expected.
  public var description: String {
    let place = path.isEmpty ? "the root" : path
    return "\(place): found \(found)" + (expected.map { ", expected \($0)" } ?? "")
  }
}

/// What keeps a JSON text from becoming a model.
public struct ModelReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, never empty: of a strict reading the first mismatch, or all properties of an object that
  /// are missing; of a lenient one all that was found, the last of which could not be passed over.
  public let issues: [ModelIssue]

  package init(issues: [ModelIssue]) { self.issues = issues }

  /// All issues, one on each line, each with its line and column in the text.
  public var description: String {
    issues.map { "\($0) (line \($0.line), column \($0.column), byte \($0.byteOffset))" }.joined(
      separator: "\n")
  }
}
