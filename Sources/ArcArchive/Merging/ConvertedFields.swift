import ArcFormat
package import ArcRuntime

/// The older fields that a program converts to fields of its structures.
package struct ConvertedFields: Sendable {
  /// The keys of older fields, by the name of the structure and the name of the field to which they are
  /// converted.
  private var older: [ExactName: [ExactName: Set<ExactName>]] = [:]

  /// Creates an empty list.
  package init() {}

  /// Whether the program converts no fields.
  var isEmpty: Bool { older.isEmpty }

  /// Adds conversions of older fields. `conversions` contains, for each structure and each of its fields, the
  /// keys of the older fields that each conversion reads.
  package mutating func add(_ conversions: [ExactName: [ExactName: [[String]]]]) {
    for (structure, fields) in conversions {
      for (field, keys) in fields {
        older[structure, default: [:]][field, default: []].formUnion(keys.joined().map { ExactName($0) })
      }
    }
  }

  /// Returns the keys of all older fields of a structure.
  func keys(of structure: String) -> Set<ExactName> {
    guard let fields = older[ExactName(structure)] else { return [] }
    return fields.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// Returns the keys of the older fields from which a field of a structure is converted.
  func keys(of structure: String, convertedTo field: String) -> Set<ExactName> {
    older[ExactName(structure)]?[ExactName(field)] ?? []
  }
}

extension TypedValue {
  /// Returns the value without the absent fields of its structures, and without each field that the program
  /// converts from older fields instead of reading it. The program does so if an older release set an older
  /// field after a newer release wrote the structure. Used to compare the value with the value that the
  /// program read. Spec: 06-evolution, section 3.
  func withoutUnreadFields(_ converted: ConvertedFields) -> ArchiveValue {
    guard !converted.isEmpty else { return withoutAbsentFields }
    return withoutAbsentFields { structure, field in
      let fields = structure.value.fields ?? []
      let older = converted.keys(of: structure.typeName ?? "", convertedTo: fields[field].name)
      return !older.isEmpty
        && fields.indices.contains { index in
          let other = structure.child(index)
          return older.contains(ExactName(fields[index].name)) && other.isAbsentIfNil && other.value != .null
        }
    }
  }
}

extension TypeEncoding {
  /// Returns a file's type without the older fields that the program converts. In the values that the program
  /// reads, other fields replace these fields.
  ///
  /// Recursive over the type, whose nesting is limited.
  ///
  /// - Parameters:
  ///   - converted: The older fields that the program converts.
  ///   - wanted: The type as which the program reads the values.
  /// - Returns: The type without the converted fields of structures that the program has.
  func removing(_ converted: ConvertedFields, readAs wanted: TypeEncoding) -> TypeEncoding {
    func part(_ type: TypeEncoding, _ wanted: TypeEncoding) -> TypeEncoding {
      type.removing(converted, readAs: wanted)
    }
    if let type = mapChildren(readAs: wanted, part) { return type }
    switch (self, wanted) {
    case (.structure(let name, let fields?), .structure(let wantedName, let wantedFields?)):
      let removed = converted.keys(of: wantedName)
      return .structure(
        name: name,
        fields: fields.compactMap { field in
          guard let wanted = wantedFields.first(where: { $0.hasName(of: field) }) else {
            return removed.contains(ExactName(field.name ?? "")) ? nil : field
          }
          var known = field
          known.type = part(field.type, wanted.type)
          return known
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
