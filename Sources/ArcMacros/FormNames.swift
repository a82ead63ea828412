/// The type names that a generated extension uses for a nested type.
///
/// The extension is at file scope, so it cannot find types that are declared in the enclosing type. A
/// generated member of the nested type can find them. This member declares a type alias for each of these
/// types, and the extension uses the aliases.
struct FormNames {
  private static let member = "__Forms"
  private var types: [String] = []

  /// Returns the generated name for a type. `type` is the type as spelled in the program.
  private mutating func name(of type: String) -> String {
    // A type that the compiler infers needs no name.
    if type == "_" { return type }
    let index = types.firstIndex(of: type) ?? types.count
    if index == types.count { types.append(type) }
    return "\(Self.member).T\(index)"
  }

  /// Returns a copy of a property whose type and form use generated names.
  mutating func naming(_ property: StoredProperty) -> StoredProperty {
    guard let form = property.form else { return property }
    var property = property
    property.form = naming(form)
    property.type = property.plainType.map { name(of: $0) }
    return property
  }

  /// Returns a copy of a case whose associated values use generated names.
  mutating func naming(_ element: EnumerationCase) -> EnumerationCase {
    var element = element
    for index in element.payload.indices {
      if let form = element.payload[index].form { element.payload[index].form = naming(form) }
    }
    return element
  }

  private mutating func naming(_ form: ArchivedForm) -> ArchivedForm {
    switch form {
    case .itself(let type): .itself(name(of: type))
    case .coded(let type): .coded(name(of: type))
    case .existential(let type): .existential(name(of: type))
    case .optional(let part): .optional(naming(part))
    case .array(let part): .array(naming(part))
    case .dictionary(let key, let part): .dictionary(key: name(of: key), naming(part))
    case .tuple(let parts): .tuple(parts.map { naming($0) })
    }
  }

  /// The member that declares the generated names. Nil if there are none.
  var declaration: String? {
    if types.isEmpty { return nil }
    let aliases = types.enumerated().map { "typealias T\($0) = \($1)" }
    return source("fileprivate enum \(Self.member)", aliases)
  }
}
