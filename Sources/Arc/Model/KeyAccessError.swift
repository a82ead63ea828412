/// An error in accessing a property by its name.
///
///     unknownKey: found no archived property 'nmae' at key 'nmae' of key path 'mother.nmae'
///     of class 'Person', expected the name of a property: name, mother
public struct KeyAccessError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The class and its superclasses have no archived property with this name, or the structure has no such
    /// field.
    case unknownKey
    /// The value has another type than the property.
    case typeMismatch
    /// The property or field is a `let`, or the value is an element of a set.
    case readOnly
    /// A value before the end of the path is nil, so nothing can be set.
    case nilOnPath
    /// A value before the end of the path is not an object, structure or collection with keys.
    case hasNoKeys
    /// The collection has no element at this index, or cannot have an entry with this key.
    case noElement
    /// The key path is malformed.
    case badPath
    /// The object does not have the class that declares the property. This is an error in a hand-written
    /// class.
    case wrongClass
  }

  /// The kind of failure.
  public let code: Code
  /// The whole key path that the caller passed.
  public internal(set) var keyPath = ""
  /// The key at which access failed. For an entry of a collection, its notation in the path, such as `[3]`.
  public internal(set) var key = ""
  /// The coded name of the class or structure that should have the key, or the type of the collection.
  public internal(set) var className = ""
  /// A description of the value or the type that was found.
  public let found: String
  /// A description of the value or the type that was expected. Empty if the error has no such description.
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
  /// One sentence with the code, the location, and what was found and expected.
  public var description: String {
    let path = keyPath == key ? "" : " of key path '\(keyPath)'"
    return "\(code.rawValue): found \(found) at key '\(key)'\(path) of class '\(className)'"
      + (expected.isEmpty ? "" : ", expected \(expected)")
  }
}
