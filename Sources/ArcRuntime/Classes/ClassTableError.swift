/// An error in registering a class under a name.
public struct ClassTableError: Error, Hashable, Sendable {
  /// The kind of an error.
  public enum Code: String, CaseIterable, Sendable {
    /// The name is empty.
    case emptyName
    /// The name belongs to another class.
    case nameTaken
  }

  /// The kind of the error.
  public let code: Code
  /// The coded name under which the class was to be registered.
  public let name: String
  /// The class that the name belongs to, with its module. Nil if the name is empty.
  public let boundClassName: String?
  /// The class that was to be registered, with its module.
  public let refusedClassName: String

  init(code: Code, name: String, bound: AnyClass?, refused: AnyClass) {
    self.code = code
    self.name = name
    boundClassName = bound.map { String(reflecting: $0) }
    refusedClassName = String(reflecting: refused)
  }
}

extension ClassTableError: CustomStringConvertible {
  /// The error in one sentence: the coded name, the refused class, and the class that has the name already.
  public var description: String {
    guard let boundClassName else { return "cannot register class \(refusedClassName) with an empty name" }
    return "cannot register class \(refusedClassName) as \"\(name)\", because "
      + "the name already belongs to class \(boundClassName); register one class with another name"
  }
}
