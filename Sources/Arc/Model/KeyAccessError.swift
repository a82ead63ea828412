/// Says why a property could not be reached by its name.
///
///     person "mother.nmae": unknownKey at 'nmae' of class 'Person': …
public struct KeyAccessError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The class and its superclasses declare no archived property with the name, or the structure no field.
    case unknownKey
    /// The value is of another type than the property.
    case typeMismatch
    /// The property or field is a `let`, or the value is one of a set.
    case readOnly
    /// A value on the way to the last key is nil, so there is nothing to set.
    case nilOnPath
    /// A value on the way to the last key is no object, structure or collection that has such keys.
    case hasNoKeys
    /// The collection has no element at the position, or can have no entry with the key.
    case noElement
    /// The path is not written as paths are.
    case badPath
    /// The object is not of the class that declares the property: an error of a class coded by hand.
    case wrongClass
  }

  /// The kind of failure.
  public let code: Code
  /// The whole key path that was asked for.
  public internal(set) var keyPath = ""
  /// The key at which access failed; of a collection the entry as the path has it, `[3]`.
  public internal(set) var key = ""
  /// The coded name of the class or structure that was asked for the key; of a collection its type.
  public internal(set) var className = ""
  /// What was found.
  public let found: String
  /// What would have been right; empty where nothing can be said.
  public let expected: String

  package init(_ code: Code, found: String, expected: String = "") {
    self.code = code
    self.found = found
    self.expected = expected
  }

  func located(className: String, key: String) -> KeyAccessError {
    var error = self
    error.className = className
    error.key = key
    return error
  }

  func onPath(_ keyPath: String) -> KeyAccessError {
    var error = self
    error.keyPath = keyPath
    return error
  }
}

extension KeyAccessError: CustomStringConvertible {
  /// One sentence: code, location, what was found and what was expected.
  public var description: String {
    let path = keyPath == key ? "" : " of key path '\(keyPath)'"
    return "\(code.rawValue): found \(found) at key '\(key)'\(path) of class '\(className)'"
      + (expected.isEmpty ? "" : ", expected \(expected)")
  }
}
