public import Arc

// Objects as values: shallow copies, and what two objects of a class have made into one.

extension Archivable {
  /// Creates a shallow copy: a new object with equal values and the same references. Returns the copy.
  ///
  ///     let draft = try user.shallowCopy()
  ///
  /// If the object refers to itself, the copy refers to itself. Arc calls the archiving hooks, as for a deep
  /// copy. In the copy, properties that are not archived have their initial values. This also applies to the
  /// properties of structures in the object.
  ///
  /// - Returns: the copy, with the class of this object.
  /// - Throws: `ArchiveError` if the object cannot be archived or unarchived.
  /// - Complexity: O(values of the object).
  public func shallowCopy() throws -> Self {
    try ObjectGraph.shallowCopy(of: self)
  }

  /// Merges values of another object into this object, property by property.
  ///
  ///     try user.merge(edited) { key, mine, theirs in key == "id" ? .mine : .theirs }
  ///
  /// The merge is atomic: if it throws, this object is unchanged. The merge does not change `let` properties,
  /// and does not call `choose` for them.
  ///
  /// - Parameters:
  ///   - other: an object of this class or of a superclass. If it is of a superclass, only the properties of
  ///     the superclass are merged.
  ///   - choose: called once per variable property, with the property's name and both values. The result
  ///     determines the value that the property gets.
  /// - Throws: `KeyAccessError` if a chosen value does not have the property's type; or the error that
  ///   `choose` throws.
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

  /// Sets the values of properties by name.
  private func setValues(_ values: [(key: String, value: Any?)]) throws {
    for (key, value) in values { try setValue(value, forKey: key) }
  }

  /// The names of the variable properties, beginning with the properties of superclasses.
  private static var variableNames: [String] {
    archiveSchema.lineage.reversed().flatMap(\.properties).filter { !$0.traits.contains(.readOnly) }
      .map(\.name)
  }
}

/// The value that a property gets when two objects are merged.
public enum MergeChoice {
  /// The value of the object that the merge changes.
  case mine
  /// The value of the other object.
  case theirs
  /// Another value, which must have the property's type.
  case value(Any?)
}
