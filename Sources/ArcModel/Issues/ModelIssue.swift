/// A problem in reading JSON: a JSON value that does not fit its Swift type.
///
/// A `ModelReader` reports issues. The description of an issue is one line, for example:
///
///     friends[3].joined: found "soon", expected a date
public struct ModelIssue: Hashable, Sendable, CustomStringConvertible {
  /// A kind of issue.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The JSON value is of another kind than the property, and cannot be converted.
    case typeMismatch
    /// The number does not fit the property's type: it is too large, or it is negative and the type has no
    /// sign.
    case valueOutOfRange
    /// The number has a fraction, and the property's type is an integer.
    case fractionalNumber
    /// The string cannot be read as the property's type, for example as a date.
    case invalidText
    /// A member is missing, and its property is not optional and has no initial value.
    case missingKey
    /// The program's enumeration does not have the case or raw value that the text names.
    case unknownCase
    /// An object has two members with the same name.
    ///
    /// The same kind is reported for equal elements of a set, and for equal keys of a dictionary.
    case duplicateKey
    /// The object has a member that no property of the class reads.
    case unknownKey
    /// The program's own code rejects the value.
    case refused
    /// A `$ref` refers to a missing object, or to an object of a wrong class.
    case danglingReference
    /// Two objects have the same `$id`.
    case duplicateIdentifier
    /// The text contains two different values for a `let` property of one object, or a value that differs
    /// from the property of the updated object.
    case conflictingValue
    /// Objects refer to each other through `let` properties. None can be built first.
    case constructionCycle
  }

  /// The kind of the issue.
  public let code: Code
  /// The path from the root to the value, such as `friends[3].joined`. Empty if the value is the root.
  public let path: String
  /// A description of the JSON value that was found.
  public let found: String
  /// A description of the JSON value that was expected. Nil if ``code`` already describes the expected value.
  public let expected: String?
  /// The error that the program's own code threw for the value, such as the error of a hook or of
  /// ``ValueFormat/custom(read:write:)``. Nil if the reader found the issue.
  ///
  ///     let (orders, issues) = try ModelReader(.lenient).readWithIssues([Order].self, from: text)
  ///     let isVoid = issues.contains { $0.underlyingError is VoidOrderError }
  ///
  /// Comparisons of issues ignore this error.
  public let underlyingError: (any Error)?
  /// The byte offset of the value in the text. For a missing member, the offset of the incomplete object.
  public let byteOffset: Int
  /// The line of the value, counted from 1.
  public let line: Int
  /// The column of the value in its line, in Unicode scalars, counted from 1.
  public let column: Int

  package init(
    code: Code, path: String, found: String, expected: String?, underlyingError: (any Error)? = nil,
    byteOffset: Int = 0, line: Int = 1, column: Int = 1
  ) {
    self.underlyingError = underlyingError
    (self.code, self.path, self.found, self.expected) = (code, path, found, expected)
    (self.byteOffset, self.line, self.column) = (byteOffset, line, column)
  }

  /// Returns whether two issues are equal in all properties except ``underlyingError``.
  public static func == (left: ModelIssue, right: ModelIssue) -> Bool {
    left.code == right.code && left.path == right.path && left.found == right.found
      && left.expected == right.expected && left.byteOffset == right.byteOffset && left.line == right.line
      && left.column == right.column
  }

  /// Hashes the kind and the location of the issue.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(path)
    hasher.combine(byteOffset)
  }

  /// The issue in one line: the path, what was found, and what was expected.
  public var description: String {
    let location = path.isEmpty ? "the root" : path
    return "\(location): found \(found)" + (expected.map { ", expected \($0)" } ?? "")
  }
}

/// An error that a `ModelReader` throws, with the issues that it found.
///
///     do { let user = try ModelReader().read(User.self, from: text) }
///     catch let error as ModelReadingError { for issue in error.issues { print(issue) } }
public struct ModelReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The issues that caused the error, at least one.
  ///
  /// A strict reader reports only the first issue, or all missing members of one object. A lenient reader
  /// reports up to 1,000 issues in the order of the text, if it cannot build the requested value.
  public let issues: [ModelIssue]

  /// Creates an error with issues.
  package init(issues: [ModelIssue]) { self.issues = issues }

  /// The issues, one per line, each with its line and column in the text.
  public var description: String {
    issues.map { "\($0) (line \($0.line), column \($0.column), byte \($0.byteOffset))" }.joined(
      separator: "\n")
  }
}
