/// Tells why a class could not be bound to a name.
public struct ClassTableError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The name has no characters.
    case emptyName
    /// The name already means another class.
    case nameTaken
  }

  /// The kind of failure.
  public let code: Code
  /// The name that was asked for.
  public let name: String
  /// The class that has the name, with its module; `nil` where the name is at fault itself.
  public let boundClassName: String?
  /// The class that was to get the name, with its module.
  public let refusedClassName: String

  init(code: Code, name: String, bound: AnyClass?, refused: AnyClass) {
    self.code = code
    self.name = name
    boundClassName = bound.map { String(reflecting: $0) }
    refusedClassName = String(reflecting: refused)
  }
}

extension ClassTableError: CustomStringConvertible {
  /// One sentence that names the name and both classes.
  public var description: String {
    guard let boundClassName else { return "cannot register class \(refusedClassName) under an empty name" }
    return "cannot register class \(refusedClassName) as \"\(name)\": "
      + "the name already stands for class \(boundClassName); register one of them under another name"
  }
}
