public import Arc
import ArcJSON

/// Access to values by key paths, with the conversions of a ``ModelReader``: a number from a string, a date
/// from seconds.
///
///     try user.setValue("36", forKeyPath: "address.number", convertedBy: ModelReader(.lenient))
///     try user.value(forKeyPath: "age", as: String.self, convertedBy: ModelReader(.lenient))
///
/// [Conversions](doc:Conversions) lists the conversions. Attributes of properties, such as `@JSONFormat`,
/// have no effect. A value cannot be converted to an object.
extension Archivable {
  /// Converts a value to the property's type, and sets it at a key path.
  ///
  ///     try user.setValue("36", forKeyPath: "address.number", convertedBy: ModelReader(.lenient))
  ///
  /// - Parameters:
  ///   - value: a value of an archivable type. Nil sets an optional to nil, or removes the entry of a
  ///     dictionary.
  ///   - keyPath: one or more keys, in the notation of `setValue(_:forKeyPath:)`.
  ///   - reader: the reader that converts the value, by its rules for JSON values.
  /// - Throws: `KeyAccessError` with code `typeMismatch` if the reader cannot convert the whole value; or any
  ///   error of `setValue(_:forKeyPath:)`.
  public func setValue(
    _ value: Any?, forKeyPath keyPath: String, convertedBy reader: ModelReader
  ) throws(KeyAccessError) {
    try setValue(value, forKeyPath: keyPath) { (value, type) throws(KeyAccessError) in
      try reader.converted(value, to: type)
    }
  }

  /// Returns the value at a key path, converted to a type.
  ///
  ///     let age = try user.value(forKeyPath: "age", as: String.self, convertedBy: ModelReader(.lenient))
  ///
  /// - Parameters:
  ///   - keyPath: one or more keys, in the notation of `value(forKeyPath:)`.
  ///   - type: the type of the result; an optional type if the value may be nil.
  ///   - reader: the reader that converts the value, by its rules for JSON values.
  /// - Returns: the value.
  /// - Throws: `KeyAccessError` with code `typeMismatch` if the reader cannot convert the whole value; or any
  ///   error of `value(forKeyPath:)`.
  public func value<Value: ArchivableValue>(
    forKeyPath keyPath: String, as type: Value.Type, convertedBy reader: ModelReader
  ) throws(KeyAccessError) -> Value {
    try value(forKeyPath: keyPath, as: type) { (value) throws(KeyAccessError) in
      try reader.converted(value, to: type)
    }
  }
}

extension ModelReader {
  /// Converts a value to another type through its JSON. Throws `typeMismatch` if the type cannot be read from
  /// this JSON.
  fileprivate func converted(
    _ value: Any, to type: any ArchivableValue.Type
  ) throws(KeyAccessError) -> Any {
    func read<Value: ArchivableValue>(_ type: Value.Type, _ text: String) throws -> (Any, [ModelIssue]) {
      try readWithIssues(type, from: text)
    }
    var reason = "which is not archivable"
    do {
      if let json = try Self.json(of: value, by: ModelWriter()) {
        let (read, issues) = try read(type, json.description)
        guard let issue = issues.first else { return read }
        reason = "which can be converted only in part (\(issue))"
      }
    } catch {
      reason = "which cannot be converted (\(error))"
    }
    throw KeyAccessError(
      .typeMismatch, found: "a value of type '\(Swift.type(of: value))', \(reason)",
      expected: "a value that can be converted to type '\(type)'")
  }

  /// Returns a value as JSON. Nil if the value is not archivable. Converts each element of an array
  /// separately, because a key path can return an array of unrelated values.
  private static func json(of value: Any, by writer: ModelWriter) throws -> JSONValue? {
    if let value = value as? any ArchivableValue { return try writer.value(of: value) }
    guard let values = value as? [Any?] else { return nil }
    var elements: [JSONValue] = []
    for value in values {
      guard let value else {
        elements.append(.null)
        continue
      }
      guard let element = try json(of: value, by: writer) else { return nil }
      elements.append(element)
    }
    return .array(elements)
  }
}
