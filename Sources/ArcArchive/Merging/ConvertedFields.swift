import ArcRuntime

extension TypeEncoding {
  /// Returns a file's type without the fields that the program converts, because other fields replace them in
  /// the values that the program reads.
  ///
  /// Recursive over the type, whose nesting is limited.
  ///
  /// - Parameters:
  ///   - converted: The keys of the converted fields, by the name of the program's structure.
  ///   - wanted: The type as which the program reads the values.
  /// - Returns: The type without the converted fields of structures that the program has.
  func removing(_ converted: [ExactName: Set<ExactName>], readAs wanted: TypeEncoding) -> TypeEncoding {
    func part(_ type: TypeEncoding, _ wanted: TypeEncoding) -> TypeEncoding {
      type.removing(converted, readAs: wanted)
    }
    if let type = mapChildren(readAs: wanted, part) { return type }
    switch (self, wanted) {
    case (.structure(let name, let fields?), .structure(let wantedName, let wantedFields?)):
      let removed = converted[ExactName(wantedName)] ?? []
      return .structure(
        name: name,
        fields: fields.compactMap { field in
          guard let wanted = wantedFields.first(where: { $0.hasName(of: field) }) else {
            return removed.contains(ExactName(field.name ?? "")) ? nil : field
          }
          return Field(name: field.name, type: part(field.type, wanted.type))
        })
    case (.enumeration(let name, let cases?), .enumeration(_, let wantedCases?)):
      return .enumeration(
        name: name,
        cases: cases.map { field in
          guard let wanted = wantedCases.first(where: { $0.hasName(of: field) }) else { return field }
          return Field(name: field.name, type: part(field.type, wanted.type))
        })
    default: return self
    }
  }
}

extension TypeEncoding.Field {
  fileprivate func hasName(of other: TypeEncoding.Field) -> Bool {
    (name ?? "").hasSameBytes(as: other.name ?? "")
  }
}
