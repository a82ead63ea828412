import ArcMemory

/// Determines how the values of structures and enumerations are compared in memory: by their fields or by
/// their bytes. This is possible only for types whose archived values are equal if the values are equal in
/// memory.
enum MemoryShape {
  /// Returns how two values of a type are compared in memory. Nil if their memory does not show whether their
  /// archived values are equal.
  static func of(_ type: Any.Type) -> FieldComparison.Shape? {
    guard RuntimeLayout.isTrusted, let type = type as? any ArchivableValue.Type,
      !(type is any ArchivableByConversion.Type), let record = record(of: type) ?? rawValues(of: type)
    else { return nil }
    return record
  }

  /// Returns how values of a structure or enumeration are compared in memory, if they are archived as their
  /// fields or cases. Nil if they are archived in another form, or if their memory also contains values that
  /// are not archived.
  private static func record(of type: any ArchivableValue.Type) -> FieldComparison.Shape? {
    let context = __TypeEncodingContext(collectingNotes: ())
    _ = type.__typeEncoding(in: context)
    guard case .record(let record)? = context.notes?.first, record.type == type, !record.isPayload else {
      return nil
    }
    if RuntimeLayout.isEnumeration(type) {
      return record.parts.count == caseCount(of: type) ? .byte : nil
    }
    let stored = StoredField.all(of: type)
    var fields: [StoredField] = []
    for part in record.parts {
      // A property wrapper stores the value in a field with another name.
      guard let field = stored.first(where: { $0.name == part.name }), field.isStrong, !part.isWeak,
        let archivedType = part.archivedType, field.type == archivedType
      else { return nil }
      fields.append(field)
    }
    return .fields(fields)
  }

  /// Returns how values of an enumeration are compared in memory, if they are archived as their raw values.
  /// Nil if a raw value cannot be read again, or if two cases have equal raw values.
  private static func rawValues(of type: any ArchivableValue.Type) -> FieldComparison.Shape? {
    func areDistinct<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
      var known: Set<AnyHashable> = []
      let cases = RuntimeLayout.cases(of: type)
      return !cases.isEmpty
        && cases.allSatisfy { value in
          guard let rawValue = value.rawValue as? AnyHashable, Value(rawValue: value.rawValue) != nil else {
            return false
          }
          return known.insert(rawValue).inserted
        }
    }
    guard let type = type as? any RawRepresentable.Type, areDistinct(type) else { return nil }
    return .byte
  }

  /// Returns the number of cases of an enumeration whose values are single bytes. 0 for other types.
  private static func caseCount<Value>(of type: Value.Type) -> Int { RuntimeLayout.cases(of: type).count }
}
