package import ArcRuntime

/// Compares what a file has with what reads it, and tells all differences at once. Reads no values.
/// Spec: 06-evolution.
package struct SchemaComparison {
  let file: StoredSchema
  /// What was found, in the order of comparing.
  package private(set) var differences: [SchemaDifference] = []

  /// Compares a file, of which nothing is compared yet.
  package init(_ file: StoredSchema) { self.file = file }

  // MARK: Roots

  /// Compares a root with the type that it would be read as. Spec: 06-evolution, rules M2 and M4.
  ///
  /// - Parameters:
  ///   - name: the name of the root.
  ///   - wanted: the type to read it as.
  ///   - readType: the same with the older fields that structures convert.
  ///   - olderNames: older names of fields and cases in that type.
  ///   - requiredFields: the fields in that type that have no initial value.
  /// - Throws: `ArchiveError` if no column can hold that type.
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

  /// Compares a class as `compare(classAt:with:programName:)` does; of one that changes what older versions
  /// wrote, only that is told: whatever differs may be what it changes.
  ///
  /// - Parameters:
  ///   - index: the index of the class in the file's table.
  ///   - declared: the class that reads its rows.
  ///   - outdated: the version that the file has of a class which changes that, and its present one.
  ///   - programName: the name that a class of the file has in the program.
  /// - Returns: which columns the properties read.
  /// - Throws: what `programName` does.
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

  /// Compares a class of the file that has rows with the one that reads them. Spec: 06-evolution, section 2.
  ///
  /// - Parameters:
  ///   - index: the index of the class in the file's table.
  ///   - declared: the class that reads its rows.
  ///   - programName: the name that a class of the file has in the program.
  /// - Returns: which columns the properties read.
  /// - Throws: what `programName` does.
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
    // A coder by hand may ask for them.
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

  /// Adds that nothing reads a class of the file, since `found` is what no class of the program stands for.
  package mutating func addRefusal(
    ofClass index: Int, found: String, expected: String, remedy: String? = nil
  ) {
    add(
      SchemaDifference(
        .refused, className: file.classes[index].name, key: nil, found: found, expected: expected,
        remedy: remedy))
  }

  /// Adds that the program has no class for one of the file.
  package mutating func addUnknownClass(at index: Int, found: String) {
    let name = file.classes[index].name
    addRefusal(
      ofClass: index, found: found,
      expected: "no class named '\(name)' that the unarchiver may build",
      remedy: "register the class with try classes.register(\(name).self); if the class was renamed, use "
        + "try classes.register(NewName.self, formerly: \"\(name)\"); if the class was removed, read the file "
        + "without its objects, with Unarchiver(unknownContent: .leaveOut)")
  }

  /// Adds that objects of a class are not read as what they are, in the words of `expected`.
  package mutating func addLoss(ofClass index: Int, found: String, _ expected: String) {
    add(
      SchemaDifference(
        .lossy, className: file.classes[index].name, key: nil, found: found, expected: expected))
  }

  /// Adds that the program's class changes what an older version wrote.
  private mutating func addMigration(ofClass index: Int, from version: UInt64, to present: Int) {
    add(
      SchemaDifference(
        .checked, className: file.classes[index].name, key: nil, found: "version \(version) of the class",
        expected: "version \(present) of the class; its migrate(_:from:) converts objects of older versions"
      ))
  }

  /// Adds that nothing leads to the objects of a class which the program reads.
  package mutating func addUnneededClass(at index: Int, found: String) {
    add(
      SchemaDifference(
        .lossy, className: file.classes[index].name, key: nil, found: found,
        expected: "no property that can refer to the class; archiving the graph again loses its objects"))
  }

  /// Adds that the file has a newer version of the program's class; `isRefused` is false where the caller
  /// allows it.
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

  /// What to do about a file of a newer version of a class.
  package static let remedyForNewerVersion =
    "read the file with the newer program; or, if the values have the same meaning in both versions, with "
    + "Unarchiver(newerVersions: .allow)"

  /// Compares a property with the other columns in which rows may have its value.
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
    // Whether a row has a value is read apart from what it is, unless it must have one.
    let hasPresence = column.flags.contains(.keyed) && wanted.absence != .refused
    var fits =
      !(hasPresence && wanted.type.isOptional)
      && resolver.resolve(root: property, fileRoot: root) != nil
    // A type without a layout does not fit either.
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

  /// What to do about a property without a column.
  package static let remedyForAbsence =
    "give the property an initial value, or add its old name with @Key(\"new\", \"old\")"

  // MARK: Differences

  /// Adds the difference between two types, if there is one; `resolver` is nil if they do not fit.
  private mutating func compareTypes(
    _ resolver: ColumnResolver?, className: String?, key: String, _ column: ColumnDescription,
    _ wanted: TypeEncoding, isRenamed: Bool
  ) {
    let isKeyed = column.flags.contains(.keyed)
    let lack = resolver.flatMap {
      // A hand-written coder may have left the value out.
      $0.effectOfLack(anyValueIsPossible: file.isOfProgram, mayBeAbsent: isKeyed)
    }
    let effect = resolver.map { $0.effect } ?? .refused
    if let lack, let resolver {
      addLack(resolver, lack, className: className, key: key, column, wanted)
      // What is read of the values matters where something is lost of it.
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

  /// Adds that values lack fields in the file.
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

  /// Adds a difference that is known otherwise.
  package mutating func add(_ difference: SchemaDifference) { differences.append(difference) }
}

extension ColumnDescription {
  /// The nodes of the column where several names in its type are one of the program's; nil where none are.
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
  /// The version that a table of classes has of a class among another one and its superclasses; 0 where it is
  /// none of these. `programName` gives the name that a class of the table has in the program.
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
