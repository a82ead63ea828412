// The types that the type of a Swift value directly contains. References and types of C contain none.

extension TypeEncoding {
  /// The types that a type directly contains: of the wrapped value, of elements, of keys and values, of
  /// fields, or of associated values.
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

  /// Returns the type of a file with replaced children. `wanted` is the type to which the program converts
  /// the values.
  ///
  /// `transform` receives each child of the file's type and the matching child of the program's type. An
  /// array can be converted to a set, a set to an array, and a single value to an optional or a collection.
  /// The result is nil if both types are structures or enumerations, or if the program's type has no matching
  /// child. Spec: 06-evolution, rule M4.
  package func mapChildren(
    readAs wanted: TypeEncoding, _ transform: (TypeEncoding, TypeEncoding) -> TypeEncoding
  ) -> TypeEncoding? {
    switch (self, wanted) {
    case (.optional(let type), .optional(let wanted)), (.optional(let type), let wanted):
      .optional(transform(type, wanted))
    case (_, .optional(let wanted)): transform(self, wanted)
    case (.list(let type), .list(let wanted)), (.list(let type), .set(let wanted)):
      .list(transform(type, wanted))
    case (.set(let type), .set(let wanted)), (.set(let type), .list(let wanted)):
      .set(transform(type, wanted))
    case (_, .list(let wanted)), (_, .set(let wanted)): transform(self, wanted)
    case (.dictionary(let key, let value), .dictionary(let wantedKey, let wantedValue)):
      .dictionary(key: transform(key, wantedKey), value: transform(value, wantedValue))
    default: nil
    }
  }
}
