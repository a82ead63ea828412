extension TypeEncoding {
  /// Returns a type that can represent the values of both types. Nil if there is no such type.
  ///
  /// The union of two structures has the fields of both, and the union of two enumerations has the cases of
  /// both. A field that only one structure has becomes an optional. If only one of two references is weak,
  /// the union is a strong reference. Numbers of two kinds have a union only inside structures and
  /// enumerations.
  ///
  /// - Complexity: O(*n*) in the length of the encodings, times the number of fields or cases of one record.
  package func union(with other: TypeEncoding) -> TypeEncoding? {
    unionWithAbsentFields(other)?.withOptionalFields
  }

  /// Returns the union of two types. Fields that only one structure has are marked with `mayBeAbsent` instead
  /// of becoming optionals.
  ///
  /// - Parameters:
  ///   - other: the other type.
  ///   - keepsOwnParts: the effect on a nested type that has no union with the matching type in `other`.
  ///     Nested types are the types of fields, associated values, keys and elements. If true, such a type
  ///     remains as in `self`, and a collection also has a union with a collection of another kind and with a
  ///     single value. The union then has all fields, but cannot represent all values of `other`.
  /// - Returns: the union. Nil if there is none.
  package func unionWithAbsentFields(_ other: TypeEncoding, keepsOwnParts: Bool = false) -> TypeEncoding? {
    union(other, isPart: false, keepsOwnParts)
  }

  /// The type with an optional for each field that may be absent.
  package var withOptionalFields: TypeEncoding {
    let type = mapChildren { type, _ in type.withOptionalFields }
    guard case .structure(let name, let fields?) = type else { return type }
    return .structure(
      name: name,
      fields: fields.map { $0.mayBeAbsent ? Field(name: $0.name, type: .optional($0.type)) : $0 })
  }

  /// Returns the union. `isPart` is true for the type of a field or of associated values.
  private func union(_ other: TypeEncoding, isPart: Bool, _ keepsOwnParts: Bool) -> TypeEncoding? {
    if self == other { return self }
    func inner(_ type: TypeEncoding, _ other: TypeEncoding) -> TypeEncoding? {
      type.union(other, isPart: isPart, keepsOwnParts)
    }
    func union(_ fields: [Field], _ others: [Field], ofStructure: Bool) -> [Field]? {
      Self.union(fields, others, ofStructure: ofStructure, keepsOwnParts)
    }
    if keepsOwnParts, isCollection, case .optional(let single) = other, !single.wrappedType.isCollection {
      // A nil single value becomes an empty collection.
      return inner(self, single)
    }
    switch (self, other) {
    case (.scalar(let scalar), .scalar(let other)):
      return isPart ? scalar.union(with: other).map { .scalar($0) } : nil
    case (.optional(let type), .optional(let other)): return inner(type, other).map { .optional($0) }
    case (.optional(let type), _): return inner(type, other).map { .optional($0) }
    case (_, .optional(let other)): return inner(self, other).map { .optional($0) }
    case (.weak(let type), .weak(let other)): return inner(type, other).map { .weak($0) }
    case (.weak(let type), _): return inner(type, other)
    case (_, .weak(let other)): return inner(self, other)
    case (.list(let type), .list(let other)): return inner(type, other).map { .list($0) }
    case (.set(let type), .set(let other)): return inner(type, other).map { .set($0) }
    case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
      let (keys, values) = (inner(key, otherKey), inner(value, otherValue))
      if keepsOwnParts, keys != nil || values != nil {
        return .dictionary(key: keys ?? key, value: values ?? value)
      }
      guard let keys, let values else { return nil }
      return .dictionary(key: keys, value: values)
    case (.structure(let name, let fields?), .structure(let otherName, let others?)):
      guard let others = Self.renamed(others, .structure(name: otherName, fields: nil), self) else {
        return nil
      }
      return union(fields, others, ofStructure: true).map { .structure(name: name, fields: $0) }
    case (.uncoded, .structure(let name, let fields?)), (.structure(let name, let fields?), .uncoded):
      // Only one of the two enumerations has associated values for the case.
      return .structure(name: name, fields: fields.map(\.absent))
    case (.enumeration(let name, let cases?), .enumeration(let otherName, let others?)):
      guard let others = Self.renamed(others, .enumeration(name: otherName, cases: nil), self) else {
        return nil
      }
      return union(cases, others, ofStructure: false).map { .enumeration(name: name, cases: $0) }
    case (.list(let type), .set(let other)) where keepsOwnParts: return inner(type, other).map { .list($0) }
    case (.set(let type), .list(let other)) where keepsOwnParts: return inner(type, other).map { .set($0) }
    case (.list(let type), _) where keepsOwnParts: return inner(type, other).map { .list($0) }
    case (.set(let type), _) where keepsOwnParts: return inner(type, other).map { .set($0) }
    case (_, .list(let other)), (_, .set(let other)): return keepsOwnParts ? inner(self, other) : nil
    default: return nil
    }
  }

  /// Whether the type is an array or a set.
  private var isCollection: Bool {
    switch self {
    case .list, .set: true
    default: false
    }
  }

  /// The type without the optionals around it.
  private var wrappedType: TypeEncoding {
    if case .optional(let type) = self { type.wrappedType } else { self }
  }

  /// Returns the members of the first record, then the members that only the second record has.
  ///
  /// Repeated names are matched in order: the first occurrence in one record with the first occurrence in the
  /// other record, and so on. A field that only one structure has may be absent.
  private static func union(
    _ fields: [Field], _ others: [Field], ofStructure: Bool, _ keepsOwnParts: Bool
  ) -> [Field]? {
    let (own, other) = (occurrences(of: fields), occurrences(of: others))
    let known = Dictionary(uniqueKeysWithValues: zip(other, others))
    var result: [Field] = []
    for (occurrence, field) in zip(own, fields) {
      guard let partner = known[occurrence] else {
        result.append(ofStructure ? field.absent : field)
        continue
      }
      let common = field.type.union(partner.type, isPart: true, keepsOwnParts)
      guard let type = keepsOwnParts ? common ?? field.type : common else { return nil }
      var union = Field(name: field.name, type: type)
      union.mayBeAbsent = field.mayBeAbsent || partner.mayBeAbsent
      result.append(union)
    }
    let names = Set(own)
    for (occurrence, field) in zip(other, others) where !names.contains(occurrence) {
      result.append(ofStructure ? field.absent : field)
    }
    return result
  }

  /// Returns the members of a renamed record. Where a member mentions the record by name, the result has the
  /// new name.
  ///
  /// Nil if a nested record has the new name, because a mention would then refer to the nested record.
  private static func renamed(
    _ members: [Field], _ mention: TypeEncoding, _ new: TypeEncoding
  ) -> [Field]? {
    if mention.hasRecordName(of: new) { return members }
    var result = members
    for index in members.indices {
      guard let type = members[index].type.renamingMentions(mention, new) else { return nil }
      result[index].type = type
    }
    return result
  }

  /// Returns the type with the new name of an enclosing record in all mentions of this record.
  ///
  /// Nil if a nested record that has the new name contains a mention, because the mention would then refer to
  /// the nested record. Spec: 03-classes, rule E3.
  private func renamingMentions(_ mention: TypeEncoding, _ new: TypeEncoding) -> TypeEncoding? {
    if self == mention { return new.withoutMembers }
    // In a nested record with the old name, a mention refers to this nested record.
    if hasRecordName(of: mention) { return self }
    var isUnambiguous = true
    let renamed = mapChildren { type, _ in
      let renamed = type.renamingMentions(mention, new)
      isUnambiguous = isUnambiguous && renamed != nil
      return renamed ?? type
    }
    return isUnambiguous && !(hasRecordName(of: new) && renamed != self) ? renamed : nil
  }

  /// Whether both types are structures, or both enumerations, with the same name.
  private func hasRecordName(of other: TypeEncoding) -> Bool { withoutMembers == other.withoutMembers }

  /// The encoding with which a record mentions itself or an enclosing record: its name without members.
  private var withoutMembers: TypeEncoding {
    switch self {
    case .structure(let name, _): .structure(name: name, fields: nil)
    case .enumeration(let name, _): .enumeration(name: name, cases: nil)
    default: self
    }
  }

  /// The name of a field, and the number of earlier fields with this name.
  private struct FieldOccurrence: Hashable {
    let name: ExactName
    let occurrence: Int
  }

  private static func occurrences(of fields: [Field]) -> [FieldOccurrence] {
    var counts: [ExactName: Int] = [:]
    return fields.map { field in
      let name = ExactName(field.name ?? "")
      counts[name, default: -1] += 1
      return FieldOccurrence(name: name, occurrence: counts[name] ?? 0)
    }
  }

  /// Returns the type with other class names in its references. If `newName` returns nil, the reference
  /// declares no class.
  package func renamingClasses(_ newName: (String) -> String?) -> TypeEncoding {
    switch self {
    case .object:
      guard let name = qualifiedClassName else { return self }
      guard let new = newName(name) else { return .object(className: nil, protocols: []) }
      return new.hasSameBytes(as: name) ? self : .object(named: new)
    case .weak(let type): return .weak(type.renamingClasses(newName))
    default: return mapChildren { type, _ in type.renamingClasses(newName) }
    }
  }
}

extension TypeEncoding.Scalar {
  /// The signed integers by their size in bytes.
  private static let signed: [Int: Self] = [1: .character, 2: .short, 4: .int, 8: .longLong, 16: .int128]
  private static let unsigned: [Int: Self] = [
    1: .unsignedCharacter, 2: .unsignedShort, 4: .unsignedInt, 8: .unsignedLongLong, 16: .unsignedInt128,
  ]
  private static let floating: [Self] = [.half, .float, .double]

  /// Returns the kind of number that represents the numbers of both kinds. Nil if one of the types is not a
  /// number.
  ///
  /// A floating-point number and an integer become `double`, which does not represent all integers.
  fileprivate func union(with other: Self) -> Self? {
    if let wide = Self.floating.lastIndex(where: { $0 == self || $0 == other }) {
      let isFloating = Self.floating.contains(self) && Self.floating.contains(other)
      return isFloating ? Self.floating[wide] : isNumber && other.isNumber ? .double : nil
    }
    guard let (size, isSigned) = integer, let (otherSize, isOtherSigned) = other.integer else { return nil }
    if isSigned == isOtherSigned {
      return (isSigned ? Self.signed : Self.unsigned)[max(size, otherSize)]
    }
    let (signedSize, unsignedSize) = isSigned ? (size, otherSize) : (otherSize, size)
    return Self.signed[max(signedSize, 2 * unsignedSize)]
  }

  private var isNumber: Bool { integer != nil || Self.floating.contains(self) }

  private var integer: (size: Int, isSigned: Bool)? {
    if let size = Self.signed.first(where: { $0.value == self })?.key { return (size, true) }
    return Self.unsigned.first { $0.value == self }.map { ($0.key, false) }
  }
}

extension TypeEncoding.Field {
  /// The field, marked as a field that may be absent.
  fileprivate var absent: TypeEncoding.Field {
    var field = self
    field.mayBeAbsent = true
    return field
  }
}
