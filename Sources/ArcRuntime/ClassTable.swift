import Synchronization

/// The classes that names in a file may stand for, both ways: names to classes, and classes to names.
///
/// A class may have several names, the first of which is its own and the others aliases; a name stands for
/// one class for as long as the table lives. Threads may register and look up at the same time.
///
///     let table = ClassTable()
///     try table.register(Person.self, as: "Person")
///     try table.register(Person.self, as: "OldPerson")
///     table.names(of: Person.self)   // ["Person", "OldPerson"]
public final class ClassTable: Sendable {
  /// The table of the process, for programs that need only one.
  public static let shared = ClassTable()

  private struct Bindings {
    var classes: [String: AnyClass] = [:]
    var names: [ObjectIdentifier: [String]] = [:]
  }

  private let bindings = Mutex(Bindings())

  /// Makes an empty table.
  public init() {}

  /// Binds a name to a class; binding the same pair again changes nothing.
  ///
  /// - Throws: ``ClassTableError`` where the name is empty or already stands for another class.
  public func register(_ type: AnyClass, as name: String) throws(ClassTableError) {
    guard !name.isEmpty else {
      throw ClassTableError(code: .emptyName, name: name, bound: nil, refused: type)
    }
    let bound: AnyClass? = bindings.withLock { bindings in
      if let bound = bindings.classes[name] { return bound }
      bindings.classes[name] = type
      bindings.names[ObjectIdentifier(type), default: []].append(name)
      return nil
    }
    if let bound, bound != type {
      throw ClassTableError(code: .nameTaken, name: name, bound: bound, refused: type)
    }
  }

  /// The class that the name stands for.
  public func classType(named name: String) -> AnyClass? {
    bindings.withLock { $0.classes[name] }
  }

  /// The names of the class in order of registration, none for a class that was never registered.
  public func names(of type: AnyClass) -> [String] {
    bindings.withLock { $0.names[ObjectIdentifier(type)] ?? [] }
  }
}

/// Tells why a class could not be bound to a name.
public struct ClassTableError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The name has no characters.
    case emptyName
    /// The name already stands for another class.
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
