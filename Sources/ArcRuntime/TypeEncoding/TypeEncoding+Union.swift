extension TypeEncoding {
  /// The type of values of either type: structures have the fields of both, enumerations the cases. A field
  /// that only one has is optional in it. Nil if no such type has both.
  ///
  /// - Complexity: O(*n*) in the length of the encodings, times the number of fields or cases of one.
  package func union(with other: TypeEncoding) -> TypeEncoding? {
    if self == other { return self }
    switch (self, other) {
    case (.optional(let type), .optional(let other)): return type.union(with: other).map { .optional($0) }
    case (.optional(let type), _): return type.union(with: other).map { .optional($0) }
    case (_, .optional(let other)): return union(with: other).map { .optional($0) }
    case (.list(let type), .list(let other)): return type.union(with: other).map { .list($0) }
    case (.set(let type), .set(let other)): return type.union(with: other).map { .set($0) }
    case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
      guard let key = key.union(with: otherKey), let value = value.union(with: otherValue) else { return nil }
      return .dictionary(key: key, value: value)
    case (.structure(let name, let fields?), .structure(let otherName, let others?))
    where name.hasSameBytes(as: otherName):
      return Self.union(fields, others) { $0.isOptionalOrReference ? $0 : .optional($0) }.map {
        .structure(name: name, fields: $0)
      }
    case (.enumeration(let name, let cases?), .enumeration(let otherName, let others?))
    where name.hasSameBytes(as: otherName):
      return Self.union(cases, others) { $0 }.map { .enumeration(name: name, cases: $0) }
    default: return nil
    }
  }

  /// Fields of two records by their names, those of the first before those that only the second has;
  /// `single` makes the type of one that only one record has.
  private static func union(
    _ fields: [Field], _ others: [Field], single: (TypeEncoding) -> TypeEncoding
  ) -> [Field]? {
    func field(like field: Field, in fields: [Field]) -> Field? {
      fields.first { ($0.name ?? "").hasSameBytes(as: field.name ?? "") }
    }
    // Fields without names, and such that repeat, cannot be told apart.
    guard Set(fields.map { ExactName($0.name ?? "") }).count == fields.count,
      Set(others.map { ExactName($0.name ?? "") }).count == others.count
    else { return nil }
    var result: [Field] = []
    for own in fields {
      guard let other = field(like: own, in: others) else {
        result.append(Field(name: own.name, type: single(own.type)))
        continue
      }
      guard let type = own.type.union(with: other.type) else { return nil }
      result.append(Field(name: own.name, type: type))
    }
    for other in others where field(like: other, in: fields) == nil {
      result.append(Field(name: other.name, type: single(other.type)))
    }
    return result
  }

  private var isOptionalOrReference: Bool {
    switch self {
    case .optional, .object, .weak: true
    default: false
    }
  }

  /// The type with other names of classes in its references.
  package func renamingClasses(_ newName: (String) -> String) -> TypeEncoding {
    switch self {
    case .object:
      guard let name = qualifiedClassName else { return self }
      let new = newName(name)
      return new.hasSameBytes(as: name) ? self : .object(named: new)
    case .optional(let type): return .optional(type.renamingClasses(newName))
    case .list(let type): return .list(type.renamingClasses(newName))
    case .set(let type): return .set(type.renamingClasses(newName))
    case .weak(let type): return .weak(type.renamingClasses(newName))
    case .dictionary(let key, let value):
      return .dictionary(key: key.renamingClasses(newName), value: value.renamingClasses(newName))
    case .structure(let name, let fields?):
      return .structure(name: name, fields: fields.map { $0.renamingClasses(newName) })
    case .enumeration(let name, let cases?):
      return .enumeration(name: name, cases: cases.map { $0.renamingClasses(newName) })
    default: return self
    }
  }
}

extension TypeEncoding.Field {
  fileprivate func renamingClasses(_ newName: (String) -> String) -> TypeEncoding.Field {
    TypeEncoding.Field(name: name, type: type.renamingClasses(newName))
  }
}
