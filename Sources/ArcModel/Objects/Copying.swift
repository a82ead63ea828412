public import Arc

// Objects as values: shallow copies, and what two objects of a class have made into one.

extension Archivable {
  /// A new object with the same values, constant ones too, which refers to the same objects: a shallow copy.
  /// Where the object refers to itself, the copy does. For a copy of the whole graph there is `deepCopy`. As
  /// there, hooks of archiving are called, and properties that are not archived have their initial values.
  ///
  /// - Returns: the copy, of the class of this object.
  /// - Throws: `ArchiveError` as archiving and unarchiving do.
  /// - Complexity: O(values of the object).
  public func copied() throws -> Self {
    if let copy = try RowCopier.copy(self) { return copy }
    let parts = type(of: self).archiveSchema.lineage.flatMap { level in
      level.properties.map { GraphPart.property($0.name, of: level.type) }
    }
    return try deepCopy(self, sharing: parts)
  }

  /// Takes values of another object, property by property: all of them, or none if something is thrown.
  ///
  ///     try user.merge(edited) { key, mine, theirs in key == "id" ? .mine : .theirs }
  ///
  /// Constant properties stay, and nothing is asked of them.
  ///
  /// - Parameters:
  ///   - other: an object of this class or of a superclass, whose properties are then asked for.
  ///   - choose: says for each variable property which value the object has then; gets its name and both
  ///     values.
  /// - Throws: `KeyAccessError` for a value of another type than the property's, and what `choose` throws.
  public func merge(
    _ other: some Archivable,
    choosing choose: (_ key: String, _ mine: Any?, _ theirs: Any?) throws -> MergeChoice
  ) throws {
    var values: [(key: String, value: Any?)] = []
    for key in type(of: other).variableNames {
      let (mine, theirs) = (try value(forKey: key), try other.value(forKey: key))
      switch try choose(key, mine, theirs) {
      case .mine: break
      case .theirs: values.append((key, theirs))
      case .value(let value): values.append((key, value))
      }
    }
    let former = try values.map { ($0.key, try value(forKey: $0.key)) }
    do { try setValues(values) } catch {
      try setValues(former)
      throw error
    }
  }

  /// The values of all variable properties.
  func variableValues() throws -> [(key: String, value: Any?)] {
    try type(of: self).variableNames.map { ($0, try value(forKey: $0)) }
  }

  /// Sets values by name.
  func setValues(_ values: [(key: String, value: Any?)]) throws {
    for (key, value) in values { try setValue(value, forKey: key) }
  }

  /// The names of the variable properties, those of superclasses first.
  private static var variableNames: [String] {
    archiveSchema.lineage.reversed().flatMap(\.properties).filter { !$0.traits.contains(.readOnly) }
      .map(\.name)
  }
}

/// Which value a property has when two objects were merged.
public enum MergeChoice {
  /// That of the object that is changed.
  case mine
  /// That of the other object.
  case theirs
  /// Another one, of the type of the property.
  case value(Any?)
}
