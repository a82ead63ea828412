package import ArcRuntime

/// The program's names for the fields and cases in a type of a file.
///
/// If a name was changed, an archive that an older release merged contains values under the old and under the
/// new name. Each structure then has only one of the two fields, and each enumeration value has one of the
/// two cases. `CurrentNames` replaces both names by the program's name. Spec: 06-evolution, section 2.
package struct CurrentNames: Sendable {
  /// The type of the file, with the names of the program.
  package private(set) var type: TypeEncoding
  /// Whether values under several names of the file were combined under one name of the program.
  package private(set) var joinsSeveral = false
  /// Whether the program's name of any field or case differs from the file's name.
  package private(set) var isChanged = false
  /// The layout of `type`. Nil if no values are converted. Values are converted if the file has several types
  /// for one field of the program.
  package let fittingLayout: ColumnLayout?
  /// The sources of the fields, for each structure of the file in which names change.
  package private(set) var structures: [Record: [FieldSources]] = [:]
  /// The program's names of cases, by the enumeration's name and the case's name in the file.
  package private(set) var cases: [ExactName: [ExactName: String]] = [:]

  /// The identity of a structure in the file.
  package struct Record: Hashable {
    let name: ExactName
    let labels: [ExactName]

    /// Creates the identity of a structure from its name and its labels in the file.
    package init(name: ExactName, labels: [ExactName]) { (self.name, self.labels) = (name, labels) }

    fileprivate init(_ name: String, _ fields: [TypeEncoding.Field]) {
      self.init(name: ExactName(name), labels: fields.map { ExactName($0.name ?? "") })
    }
  }

  /// A field of the program, and the positions of the file's fields that may contain its value. The reader
  /// uses the first of these fields that has a value. Fields that structures may lack come first, from the
  /// oldest to the newest name, because a value under an older name means that an older release wrote the
  /// value last.
  package struct FieldSources {
    /// The program's name of the field.
    package let name: String
    /// The positions of the fields in the file, in the order in which a reader tries them.
    package let positions: [Int]
    /// The conversions to the type that the field has under its first name, by position of the field in the
    /// file.
    package let conversions: [Int: FieldConversion]

    init(name: String, positions: [Int], conversions: [Int: FieldConversion]) {
      (self.name, self.positions, self.conversions) = (name, positions, conversions)
    }

    fileprivate init(_ field: TypeEncoding.Field, at position: Int) {
      self.init(name: field.name ?? "", positions: [position], conversions: [:])
    }
  }

  /// A conversion of the values that the file stores for a field under an older name with another type.
  package struct FieldConversion {
    /// A column with the type that the file stores, for the resolver of columns.
    package let stored: ColumnDescription
    /// The type to which the values are converted.
    package let wanted: ColumnLayout

    /// Creates a conversion. Returns nil if values of the stored type cannot be read as the wanted type.
    fileprivate init?(from stored: TypeEncoding, to wanted: TypeEncoding) {
      self.stored = ColumnDescription(
        declaringClassIndex: 0, key: "", attributes: PropertyAttributes(type: stored, flags: [], ivar: nil),
        flags: [])
      // A type without a layout does not have names to compare.
      guard let layout = try? ColumnLayout(of: wanted), let file = try? ColumnLayout(of: stored) else {
        return nil
      }
      self.wanted = layout
      var resolver = ColumnResolver(wanted: layout, file: file)
      guard resolver.resolve(root: 0, fileRoot: 0) != nil else { return nil }
    }
  }

  /// Compares the names in a type of the file with the names in the program's type.
  ///
  /// - Parameters:
  ///   - column: the attributes of a column of the file, including the marks of absent fields.
  ///   - wanted: the type that the program reads.
  ///   - olderNames: the older names of fields and cases, by the name of the structure or enumeration and by
  ///     the current name of the field or case.
  /// - Complexity: O(fields and cases · older names).
  package init(
    _ column: PropertyAttributes, as wanted: TypeEncoding, olderNames: [ExactName: [ExactName: [String]]]
  ) {
    let file = column.type ?? .uncoded
    // If the marks are invalid, all structures of the type have all fields.
    let marked = olderNames.isEmpty ? file : (try? column.typeWithAbsentFields()) ?? file
    var builder = Builder(olderNames: olderNames, absentFields: Self.absentFields(in: marked))
    type = olderNames.isEmpty ? file : builder.renamed(file, wanted)
    structures = builder.structures
    cases = builder.cases
    joinsSeveral = builder.joinsSeveral
    isChanged = builder.isChanged
    fittingLayout = builder.needsFitting ? try? ColumnLayout(of: type) : nil
  }

  /// Returns, for each structure of the type, the positions of the fields that values of the structure may
  /// lack.
  private static func absentFields(in type: TypeEncoding) -> [Record: Set<Int>] {
    var found: [Record: Set<Int>] = [:]
    type.forEachStructure { name, fields in
      let absent = fields.indices.filter { fields[$0].mayBeAbsent }
      if !absent.isEmpty { found[Record(name, fields), default: []].formUnion(absent) }
    }
    return found
  }

  private struct Builder {
    let olderNames: [ExactName: [ExactName: [String]]]
    /// The positions of the fields that structures of the file may lack.
    let absentFields: [Record: Set<Int>]
    var structures: [Record: [FieldSources]] = [:]
    var cases: [ExactName: [ExactName: String]] = [:]
    var joinsSeveral = false
    var isChanged = false
    var needsFitting = false

    init(olderNames: [ExactName: [ExactName: [String]]], absentFields: [Record: Set<Int>]) {
      (self.olderNames, self.absentFields) = (olderNames, absentFields)
    }

    /// Returns the type of the file with the program's names. The recursion is as deep as the type is nested.
    mutating func renamed(_ file: TypeEncoding, _ wanted: TypeEncoding) -> TypeEncoding {
      if let type = file.mapChildren(readAs: wanted, { renamed($0, $1) }) { return type }
      switch (file, wanted) {
      case (.structure(let name, let fields?), .structure(let wantedName, let wanted?)):
        return .structure(name: name, fields: renamed(fields, of: name, wanted, of: wantedName))
      case (.enumeration(let name, let cases?), .enumeration(let wantedName, let wanted?)):
        return .enumeration(name: name, cases: renamed(cases: cases, of: name, wanted, of: wantedName))
      default: return file
      }
    }

    // MARK: Fields

    private mutating func renamed(
      _ fields: [TypeEncoding.Field], of name: String, _ wanted: [TypeEncoding.Field], of wantedName: String
    ) -> [TypeEncoding.Field] {
      let older = olderNames[ExactName(wantedName)] ?? [:]
      /// Returns the position of the file's field for a field of the program. Nil if the file has no such
      /// field. If a label is repeated, its occurrences are matched in order.
      func position(_ label: String, _ index: Int) -> Int? {
        let occurrence = wanted[..<index].count { ($0.name ?? "").hasSameBytes(as: wanted[index].name ?? "") }
        let occurrences = fields.indices.filter { (fields[$0].name ?? "").hasSameBytes(as: label) }
        return occurrence < occurrences.count ? occurrences[occurrence] : nil
      }
      var sources = wanted.indices.map { index in
        position(wanted[index].name ?? "", index).map { [$0] } ?? []
      }
      var isUsed = Set(sources.joined())
      for index in wanted.indices {
        for label in older[ExactName(wanted[index].name ?? "")] ?? [] {
          guard let found = position(label, index), isUsed.insert(found).inserted else { continue }
          sources[index].append(found)
        }
      }
      let record = Record(name, fields)
      let absent = absentFields[record] ?? []
      var result = fields.indices.map {
        Optional((field: fields[$0], sources: FieldSources(fields[$0], at: $0)))
      }
      var differs = false
      for (index, all) in sources.enumerated() where !all.isEmpty {
        let types = all.map { renamed(fields[$0].type, wanted[index].type) }
        let joined = union(types)
        // If no type can hold the values of all, they are converted to the type under the first name.
        var conversions: [Int: FieldConversion] = [:]
        if joined == nil {
          for (position, type) in zip(all, types).dropFirst() {
            conversions[position] = FieldConversion(from: type, to: types[0])
          }
        }
        let positions = joined == nil ? [all[0]] + all.dropFirst().filter { conversions[$0] != nil } : all
        for position in positions { result[position] = nil }
        let field = TypeEncoding.Field(name: wanted[index].name, type: joined ?? types[0])
        let ordered =
          positions.filter(absent.contains).reversed() + positions.filter { !absent.contains($0) }
        result[positions.min() ?? all[0]] = (
          field, FieldSources(name: field.name ?? "", positions: ordered, conversions: conversions)
        )
        joinsSeveral = joinsSeveral || positions.count > 1
        let label = wanted[index].name ?? ""
        differs = differs || positions.count > 1 || !(fields[positions[0]].name ?? "").hasSameBytes(as: label)
      }
      let current = result.compactMap { $0 }
      guard differs else { return current.map(\.field) }
      isChanged = true
      structures[record] = current.map(\.sources)
      return current.map(\.field)
    }

    /// Returns a type that can hold the values of all given types. Nil if there is no such type.
    private mutating func union(_ types: [TypeEncoding]) -> TypeEncoding? {
      var union = types[0]
      for type in types.dropFirst() {
        // `union(with:)` unites two kinds of numbers only in fields.
        let (one, other) = (Self.field(union), Self.field(type))
        guard case .structure(_, let fields?)? = one.union(with: other) else { return nil }
        union = fields[0].type
      }
      let isOptional = types.contains(where: Self.isOptional)
      if types.contains(where: { $0 != union && .optional($0) != union }) { needsFitting = true }
      return isOptional && !Self.isOptional(union) ? .optional(union) : union
    }

    private static func field(_ type: TypeEncoding) -> TypeEncoding {
      .structure(name: "", fields: [TypeEncoding.Field(name: "", type: type)])
    }

    private static func isOptional(_ type: TypeEncoding) -> Bool {
      if case .optional = type { true } else { false }
    }

    // MARK: Cases

    private mutating func renamed(
      cases: [TypeEncoding.Field], of name: String, _ wanted: [TypeEncoding.Field], of wantedName: String
    ) -> [TypeEncoding.Field] {
      let older = olderNames[ExactName(wantedName)] ?? [:]
      func label(_ field: TypeEncoding.Field) -> String { field.name ?? "" }
      var groups: [Int: [Int]] = [:]
      for (position, field) in cases.enumerated() {
        let own = wanted.firstIndex { label($0).hasSameBytes(as: label(field)) }
        let found =
          own
          ?? wanted.firstIndex { current in
            (older[ExactName(label(current))] ?? []).contains { $0.hasSameBytes(as: label(field)) }
          }
        if let found { groups[found, default: []].append(position) }
      }
      var result: [TypeEncoding.Field?] = cases
      for (index, members) in groups {
        let newName = label(wanted[index])
        let withValues = members.filter { !cases[$0].type.isUncoded }
        let types = withValues.map { renamed(cases[$0].type, wanted[index].type) }
        let joined = types.isEmpty ? .uncoded : union(types)
        // Cases with and cases without associated values are not combined, because a case in a type either
        // has a payload or not.
        let isMixed = !withValues.isEmpty && withValues.count < members.count
        guard let joined, !isMixed || withValues.count > 1 else {
          for (position, type) in zip(withValues, types) {
            result[position] = TypeEncoding.Field(name: cases[position].name, type: type)
          }
          continue
        }
        let merged = isMixed ? withValues : members
        let isFree = !members.contains { !merged.contains($0) && label(cases[$0]).hasSameBytes(as: newName) }
        let mergedName = isFree ? newName : label(cases[merged[0]])
        for position in merged {
          result[position] = nil
          guard !label(cases[position]).hasSameBytes(as: mergedName) else { continue }
          self.cases[ExactName(name), default: [:]][ExactName(label(cases[position]))] = mergedName
          isChanged = true
        }
        result[merged[0]] = TypeEncoding.Field(name: mergedName, type: joined)
        joinsSeveral = joinsSeveral || withValues.count > 1
      }
      return result.compactMap { $0 }
    }
  }
}

extension TypeEncoding {
  /// Calls `body` with the name and the fields of each structure in the type. The recursion is as deep as the
  /// type is nested.
  fileprivate func forEachStructure(_ body: (String, [Field]) -> Void) {
    if case .structure(let name, let fields?) = self { body(name, fields) }
    for child in children { child.forEachStructure(body) }
  }
}
