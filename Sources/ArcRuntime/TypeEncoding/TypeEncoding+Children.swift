// The types that the type of a Swift value directly contains. References and types of C contain none.

extension TypeEncoding {
  /// The types that this type directly contains: the types of its wrapped value, elements, keys and values,
  /// fields, or associated values.
  package var children: [TypeEncoding] {
    switch self {
    case .optional(let type), .list(let type), .set(let type): [type]
    case .dictionary(let key, let value): [key, value]
    case .structure(_, let members?), .enumeration(_, let members?): members.map(\.type)
    default: []
    }
  }

  /// Returns the type with replaced children.
  ///
  /// - Parameter transform: returns the new type for the type at an index of `children`.
  /// - Returns: a type of the same form. A type without children is returned unchanged.
  /// - Throws: the errors of `transform`.
  package func mapChildren<Failure: Error>(
    _ transform: (TypeEncoding, Int) throws(Failure) -> TypeEncoding
  ) throws(Failure) -> TypeEncoding {
    switch self {
    case .optional(let type): return .optional(try transform(type, 0))
    case .list(let type): return .list(try transform(type, 0))
    case .set(let type): return .set(try transform(type, 0))
    case .dictionary(let key, let value):
      return .dictionary(key: try transform(key, 0), value: try transform(value, 1))
    case .structure(let name, var members?):
      for index in members.indices { members[index].type = try transform(members[index].type, index) }
      return .structure(name: name, fields: members)
    case .enumeration(let name, var members?):
      for index in members.indices { members[index].type = try transform(members[index].type, index) }
      return .enumeration(name: name, cases: members)
    default: return self
    }
  }

  /// Returns this type, which a file contains, with replaced children. `target` is the type to which the
  /// program converts the values.
  ///
  /// `transform` receives each child of the file's type and the matching child of the program's type. An
  /// array can be converted to a set, a set to an array, and a single value to an optional or a collection.
  /// The result is nil if the program's type has no matching child. It is also nil for two structures and for
  /// two enumerations, because the caller must match their members by name. Spec: 06-evolution, rule M4.
  package func mapChildren(
    readAs target: TypeEncoding, _ transform: (TypeEncoding, TypeEncoding) -> TypeEncoding
  ) -> TypeEncoding? {
    switch (self, target) {
    case (.optional(let type), .optional(let target)), (.optional(let type), let target):
      .optional(transform(type, target))
    case (_, .optional(let target)): transform(self, target)
    case (.list(let type), .list(let target)), (.list(let type), .set(let target)):
      .list(transform(type, target))
    case (.set(let type), .set(let target)), (.set(let type), .list(let target)):
      .set(transform(type, target))
    case (_, .list(let target)), (_, .set(let target)): transform(self, target)
    case (.dictionary(let key, let value), .dictionary(let targetKey, let targetValue)):
      .dictionary(key: transform(key, targetKey), value: transform(value, targetValue))
    default: nil
    }
  }
}
