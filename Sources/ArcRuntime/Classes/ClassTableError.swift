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
  /// The name, as stored in files, under which the program tried to register a class.
  public let name: String
  /// The module and name of the class that already has ``name``. Nil if ``name`` is empty.
  public let boundClassName: String?
  /// The module and name of the class that the program tried to register.
  public let refusedClassName: String

  init(code: Code, name: String, bound: AnyClass?, refused: AnyClass) {
    self.code = code
    self.name = name
    boundClassName = bound.map { String(reflecting: $0) }
    refusedClassName = String(reflecting: refused)
  }
}

extension ClassTableError: CustomStringConvertible {
  /// The error in one sentence: the refused class, the name, and the class that already has the name.
  public var description: String {
    guard let boundClassName else { return "cannot register class \(refusedClassName) with an empty name" }
    return "cannot register class \(refusedClassName) as \"\(name)\", because "
      + "the name already belongs to class \(boundClassName); register one class with another name"
  }
}
