package import ArcRuntime

/// Compares the schema of a file with the schema of the program that reads the file, and collects all
/// differences. Does not read values. Spec: 06-evolution.
package struct SchemaComparison {
  let file: StoredSchema
  /// The differences, in the order in which they were found.
  package private(set) var differences: [SchemaDifference] = []

  /// Creates a comparison without differences.
  package init(_ file: StoredSchema) { self.file = file }

  // MARK: Roots

  /// Compares a root of the file with the type as which the program would read the root. Spec: 06-evolution,
  /// rules M2 and M4.
  ///
  /// - Parameters:
  ///   - name: the name of the root.
  ///   - wanted: the type as which the program would read the root.
  ///   - readType: the type `wanted`, including older fields that its structures convert to current fields.
  ///   - olderNames: the older names of fields and cases in the type.
  ///   - requiredFields: the fields in the type that are known to have no initial value.
  /// - Throws: `ArchiveError` if a column cannot contain the type.
  package mutating func compare(
    root name: String, as wanted: TypeEncoding, readAs readType: TypeEncoding,
    olderNames: [ExactName: [ExactName: [String]]], requiredFields: [RequiredFields]
  ) throws {
    let roots = file.classes[0].columns
    guard let position = file.position(ofRoot: name) else {
      return add(
        SchemaDifference(
          .refused, className: nil, key: name, found: "no root '\(name)'",
          expected: "a root of " + TypeWords.named(wanted), programType: wanted,
          remedy: "pass the name of a root of the file as 'root:'"))
    }
    let joined = roots[position].joined(as: wanted, olderNames)
    var resolver = try ColumnResolver(
      wanted: ColumnLayout(of: readType, includesOlderFields: true), file: joined ?? file.layouts[0],
      olderNames: olderNames, requiredFields: requiredFields)
    let fits = resolver.resolve(root: 0, fileRoot: joined == nil ? position : 0) != nil
    compareTypes(fits ? resolver : nil, className: nil, key: name, roots[position], wanted, isRenamed: false)
  }

  // MARK: Classes

  /// Compares a class as `compare(classAt:with:programName:)` does. If the program's class migrates objects
  /// of the file's version, adds a single difference about the migration instead, because the migration may
  /// remove all other differences.
  ///
  /// - Parameters:
  ///   - index: the index of the class in the file's table.
  ///   - declared: the class of the program that reads the rows.
  ///   - outdated: the version of the class in the file, and the present version of the class. Nil if the
  ///     class does not migrate objects of the file's version.
  ///   - programName: returns the program's name of a class of the file.
  /// - Returns: the columns that the properties read.
  /// - Throws: the errors of `programName`.
  package mutating func compare(
    classAt index: Int, with declared: DeclaredClass, outdated: (version: UInt64, present: Int)?,
    programName: (String) throws -> String
  ) rethrows -> ColumnMatching {
    guard let outdated else {
      return try compare(classAt: index, with: declared, programName: programName)
    }
    var unchanged = self
    let matching = try unchanged.compare(classAt: index, with: declared, programName: programName)
    addMigration(ofClass: index, from: outdated.version, to: outdated.present)
    return matching
  }

  /// Compares a class of the file that has rows with the class that reads them. Spec: 06-evolution, section
  /// 2.
  ///
  /// - Parameters:
  ///   - index: the index of the class in the file's table.
  ///   - declared: the class of the program that reads the rows.
  ///   - programName: returns the program's name of a class of the file.
  /// - Returns: the columns that the properties read.
  /// - Throws: the errors of `programName`.
  @discardableResult
  package mutating func compare(
    classAt index: Int, with declared: DeclaredClass, programName: (String) throws -> String
  ) rethrows -> ColumnMatching {
    let properties = declared.properties
    let matching = try ColumnMatching(
      ofClass: index, in: file.classes, propertyCount: properties.count, keys: { properties[$0].keys },
      declaringClass: { properties[$0].declaringClass }, programName: programName)
    for (property, position) in matching.positions.enumerated() {
      if let position {
        compare(property, of: declared, with: position, ofClass: index)
        compareOthers(property, of: declared, ofClass: index, matching)
      } else {
        addAbsence(of: properties[property], fromClass: index, matching)
      }
    }
    // A hand-written coder can request any column.
    guard let read = declared.readColumns(of: file.classes[index], matching) else { return matching }
    for (position, column) in file.classes[index].columns.enumerated()
    where !read.contains(position) && !column.isOfVersions && !column.isOfChanges {
      let key = column.key
      add(
        SchemaDifference(
          .lossy, className: file.classes[index].name, key: key, found: words(column),
          expected: "no property '\(key)'; archiving the objects again loses its values",
          fileType: column.attributes.type,
          remedy: "if the property was renamed, add @Key(\"newName\", \"\(key)\")"))
    }
    return matching
  }

  /// Adds a difference with the effect `refused` for a class of the file that no class of the program reads.
  package mutating func addRefusal(
    ofClass index: Int, found: String, expected: String, remedy: String? = nil
  ) {
    add(
      SchemaDifference(
        .refused, className: file.classes[index].name, key: nil, found: found, expected: expected,
        remedy: remedy))
  }

  /// Adds the difference that the program does not have a class of the file.
  package mutating func addUnknownClass(at index: Int, found: String) {
    let name = file.classes[index].name
    addRefusal(
      ofClass: index, found: found,
      expected: "only classes with other names that the unarchiver may build",
      remedy: "register the class with try classes.register(\(name).self); if the class was renamed, use "
        + "try classes.register(NewName.self, formerly: \"\(name)\"); if the class was removed, or a newer "
        + "release added it, read the file without its objects, with Unarchiver(unknownContent: .leaveOut), or "
        + "with .preserve(in: content) to save them again")
  }

  /// Adds a difference that states that the program loses information about the objects of a class.
  /// `expected` describes what the program declares.
  package mutating func addLoss(ofClass index: Int, found: String, _ expected: String) {
    add(
      SchemaDifference(
        .lossy, className: file.classes[index].name, key: nil, found: found, expected: expected))
  }

  /// Adds a difference that states that the program's class migrates objects of an older version.
  private mutating func addMigration(ofClass index: Int, from version: UInt64, to present: Int) {
    add(
      SchemaDifference(
        .checked, className: file.classes[index].name, key: nil, found: "version \(version) of the class",
        expected: "version \(present) of the class; its migrate(_:from:) converts objects of older versions"
      ))
  }

  /// Adds a difference that states that the program reads no reference to the objects of a class, so these
  /// objects are lost.
  package mutating func addUnneededClass(at index: Int, found: String) {
    add(
      SchemaDifference(
        .lossy, className: file.classes[index].name, key: nil, found: found,
        expected: "no property that can refer to the class; archiving the graph again loses its objects"))
  }

  /// Adds a difference that states that the file has a newer version of a class than the program. `isRefused`
  /// is false if the caller permits newer versions.
  package mutating func addNewerVersion(
    ofClass index: Int, level: String, from version: UInt64, to present: Int, isRefused: Bool
  ) {
    add(
      SchemaDifference(
        isRefused ? .refused : .checked, className: file.classes[index].name, key: nil,
        found: "version \(version) of class '\(level)'",
        expected: "version \(present) of the class"
          + (isRefused ? "" : ", in which the values may have another meaning"),
        remedy: isRefused ? Self.remedyForNewerVersion : nil))
  }

  /// The remedy for a file with a newer version of a class.
  package static let remedyForNewerVersion =
    "read the file with the newer program; or, if the values have the same meaning in both versions, with "
    + "Unarchiver(newerVersions: .allow)"

  /// Compares a property with columns that may contain its value in some rows. Skips the property's own
  /// column.
  private mutating func compareOthers(
    _ property: Int, of declared: DeclaredClass, ofClass index: Int, _ matching: ColumnMatching
  ) {
    let description = file.classes[index]
    let alternatives = declared.alternatives(of: property, in: description, matching)
    guard alternatives.count > 1, description.columns[alternatives[0][0]].mayBeAbsent else { return }
    let wanted = declared.properties[property]
    for columns in alternatives.dropFirst() {
      let keys = columns.map { "'\(description.columns[$0].key)'" }.joined(separator: ", ")
      if columns.count == 1,
        wanted.keys.contains(where: { $0.hasSameBytes(as: description.columns[columns[0]].key) })
      {
        compare(property, of: declared, with: columns[0], ofClass: index)
      } else {
        addOlderKeys(keys, count: columns.count, of: wanted, fromClass: index)
      }
    }
  }

  private mutating func addOlderKeys(
    _ keys: String, count: Int, of property: DeclaredClass.Property, fromClass index: Int
  ) {
    add(
      SchemaDifference(
        .checked, className: file.classes[index].name, key: property.key,
        found: "\(count == 1 ? "a value under the older key" : "values under the older keys") \(keys)",
        expected: TypeWords.named(property.type) + ", to which @Key(…, from:) converts the older "
          + (count == 1 ? "value" : "values"), programType: property.type))
  }

  private mutating func compare(
    _ property: Int, of declared: DeclaredClass, with position: Int, ofClass index: Int
  ) {
    let column = file.classes[index].columns[position]
    let wanted = declared.properties[property]
    let joined = column.joined(as: wanted.type, declared.olderNames)
    let (layout, root) = joined.map { ($0, 0) } ?? (file.layouts[index], position)
    var resolver = declared.resolver(declared.layout, of: layout)
    // For a keyed column, the absence of a value is not a value, so the property's own type is compared. A
    // property that requires a value also requires the column to have it.
    let hasPresence = column.flags.contains(.keyed) && wanted.absence != .refused
    var fits =
      !(hasPresence && wanted.type.isOptional)
      && resolver.resolve(root: property, fileRoot: root) != nil
    // A type without a layout does not fit.
    if !fits, hasPresence,
      let keyed = try? ColumnLayout(of: wanted.readType, isKeyed: true, includesOlderFields: true)
    {
      resolver = declared.resolver(keyed, of: layout)
      fits = resolver.resolve(root: 0, fileRoot: root) != nil
    }
    compareTypes(
      fits ? resolver : nil, className: file.classes[index].name, key: wanted.key, column, wanted.type,
      isRenamed: !column.key.hasSameBytes(as: wanted.key))
  }

  private mutating func addAbsence(
    of property: DeclaredClass.Property, fromClass index: Int, _ matching: ColumnMatching
  ) {
    let words = TypeWords.named(property.type)
    let description = file.classes[index]
    if let keys = property.older.first(where: { matching.hasFreeColumns($0, in: description) }) {
      let quoted = keys.map { "'\($0)'" }.joined(separator: ", ")
      return addOlderKeys(quoted, count: keys.count, of: property, fromClass: index)
    }
    let hasUnknownKeys = file.classesWithUnknownKeys.contains(index)
    let (effect, outcome): (SchemaDifference.Effect, String) =
      switch property.absence {
      case .becomesNil: (.compatible, ", which becomes nil")
      case .keepsInitialValue: (.compatible, ", which keeps its initial value")
      case .unknown: (.checked, ", which must have an initial value")
      case .refused: (hasUnknownKeys ? .checked : .refused, "")
      }
    add(
      SchemaDifference(
        effect, className: file.classes[index].name, key: property.key,
        found: hasUnknownKeys
          ? "keys that only the hand-written coder knows" : "no property '\(property.key)'",
        expected: words + outcome, programType: property.type,
        remedy: effect == .refused ? Self.remedyForAbsence : nil))
  }

  /// The remedy for a property without a column in the file.
  package static let remedyForAbsence =
    "give the property an initial value, or add its old name with @Key(\"new\", \"old\")"

  // MARK: Differences

  /// Adds the difference between two types, if they differ. `resolver` is nil if the types do not fit.
  private mutating func compareTypes(
    _ resolver: ColumnResolver?, className: String?, key: String, _ column: ColumnDescription,
    _ wanted: TypeEncoding, isRenamed: Bool
  ) {
    let isKeyed = column.flags.contains(.keyed)
    let lack = resolver.flatMap {
      // A hand-written coder may have omitted the value.
      $0.effectOfLack(anyValueIsPossible: file.isOfProgram, mayBeAbsent: isKeyed)
    }
    let effect = resolver.map { $0.effect } ?? .refused
    if let lack, let resolver {
      addLack(resolver, lack, className: className, key: key, column, wanted)
      // The other effect is also reported if it is worse, for example if values are lost.
      if effect ?? .compatible <= .checked { return }
    }
    guard let effect = effect ?? (isRenamed ? .compatible : nil) else { return }
    let remedy =
      switch (className, isKeyed) {
      case (nil, _): "read the root as the type that was archived"
      case (_, true): "declare the property optional"
      case (_, false): "keep the type, or give the property another key with @Key"
      }
    add(
      SchemaDifference(
        effect, className: className, key: key,
        found: words(column) + (isRenamed ? " under the key '\(column.key)'" : ""),
        expected: TypeWords.named(wanted), fileType: column.attributes.type, programType: wanted,
        remedy: effect == .refused ? remedy : nil))
  }

  /// Adds a difference that states that some values in the file lack fields of the program's type.
  private mutating func addLack(
    _ resolver: ColumnResolver, _ effect: SchemaDifference.Effect, className: String?, key: String,
    _ column: ColumnDescription, _ wanted: TypeEncoding
  ) {
    let names = resolver.lackedFields.map { "'\($0.name)'" }
    func list(_ isPartial: Bool, _ words: String) -> String {
      let names = resolver.lackedFields.filter { $0.isPartial == isPartial }.map { "'\($0.name)'" }
      return names.isEmpty ? "" : words + names.joined(separator: ", ")
    }
    add(
      SchemaDifference(
        effect, className: className, key: key,
        found: words(column) + list(false, ", without ") + list(true, ", where some structures lack "),
        expected: TypeWords.named(wanted) + ", where "
          + (names.count == 1 ? "the missing field" : "each missing field") + " must have an initial value",
        fileType: column.attributes.type, programType: wanted,
        remedy:
          "give each new field an initial value, or make the field optional; add the old name of a renamed "
          + "field with @Key(\"new\", \"old\")"))
  }

  private func words(_ column: ColumnDescription) -> String {
    TypeWords.named(column.attributes.type)
      + (column.flags.contains(.keyed) ? ", which objects need not have" : "")
  }

  /// Adds a difference that the caller found.
  package mutating func add(_ difference: SchemaDifference) { differences.append(difference) }
}

extension ColumnDescription {
  /// Returns the nodes of the file's column, in which the program's names replace the file's names. Returns
  /// nil if the program does not have one name for several names of the file, because then no replacement is
  /// needed.
  fileprivate func joined(
    as wanted: TypeEncoding, _ olderNames: [ExactName: [ExactName: [String]]]
  ) -> ColumnLayout? {
    guard !olderNames.isEmpty, attributes.type != nil else { return nil }
    let names = CurrentNames(attributes, as: wanted, olderNames: olderNames)
    guard names.joinsSeveral else { return nil }
    // A type without a layout cannot be compared under other names.
    return try? ColumnLayout(names.attributes(attributes), isKeyed: flags.contains(.keyed))
  }
}

extension TypeEncoding {
  fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }
}

extension [ClassDescription] {
  /// Returns the version of the class that the program calls `name`, if this is the class at `index` or one
  /// of its superclasses. Otherwise returns 0. `programName` returns the program's name of a class of the
  /// table.
  package func version(
    of name: String, inLineageOf index: Int, programName: (String) throws -> String
  ) rethrows -> UInt64 {
    var next: Int? = index
    while let index = next {
      if try programName(self[index].name).hasSameBytes(as: name) { return self[index].version }
      next = self[index].superclassIndex
    }
    return 0
  }
}
