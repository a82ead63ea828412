public import ArcFormat
import ArcRuntime

extension ArchiveBuilder {
  /// Adds a class with its own properties. The properties of its superclass are added automatically.
  ///
  ///     try builder.addClass("Person", properties: [.init("name", type: String.self)])
  ///     try builder.addClass("Pupil", superclass: "Person", properties: [.init("grade", type: Int.self)])
  ///
  /// A class does not inherit properties with ``Property/isKeyed``. If objects of the class need such a
  /// property of a superclass, add the property to `properties`. Spec: 05-graph, rule W3.
  ///
  /// - Parameters:
  ///   - name: a coded name that no other class has.
  ///   - superclass: the coded name of a superclass that was added; nil if the class has no superclass.
  ///   - version: the version of the class.
  ///   - properties: the properties in addition to the inherited properties, in order.
  /// - Throws: `nameConflict` if the name is in use or reserved, `duplicateKey` if two properties have the
  ///   same key, `unknownClass` if the superclass was not added, `malformedEncoding` if the attributes of a
  ///   property do not contain a type that a column can store.
  public func addClass(
    _ name: String, superclass: String? = nil, version: UInt64 = 0, properties: [Property]
  ) throws(ArchiveError) {
    try checkUsable()
    guard classIndices[ExactName(name)] == nil, !ColumnLayout.isReserved(name),
      !isStrict || !name.utf8.contains(UInt8(ascii: "\""))
    else {
      throw ArchiveError(
        .nameConflict, found: "'\(name)' as the name of a class",
        expected: "a name without quotes that is neither in use nor reserved",
        className: name)
    }
    try add(name, superclass: superclass, version: version, properties: properties)
  }

  /// Adds a keyed property to a class. Existing objects of the class have no value for the property.
  ///
  ///     try builder.addProperty(.init("note", type: String.self, isKeyed: true), toClass: "Person")
  ///
  /// Spec: 03-classes, rule C7; 05-graph, rule W9.
  ///
  /// - Parameters:
  ///   - property: a property whose ``Property/isKeyed`` is true.
  ///   - name: the coded name of a class that was added.
  /// - Throws: `invalidUse` if `isKeyed` is false, `unknownClass` if the class was not added, or an error of
  ///   ``addClass(_:superclass:version:properties:)``.
  public func addProperty(_ property: Property, toClass name: String) throws(ArchiveError) {
    try checkUsable()
    guard let index = classIndices[ExactName(name)], index > 0 else { throw unknownClass(name) }
    guard property.flags.contains(.keyed) else {
      throw ArchiveError(
        .invalidUse, found: "a property with isKeyed: false",
        expected: "a property with isKeyed: true, because existing objects have no value for the property",
        remedy: "set isKeyed to true, or pass the property to addClass(_:superclass:version:properties:)",
        className: name,
        key: property.key)
    }
    var description = writer.classes[index]
    let column = try column(property, of: index, description.superclassIndex, name)
    description.columns.append(column)
    try checkColumns(description)
    try writer.addColumn(column, toClass: index)
  }

  /// Adds a class, which may be the class of the roots. Spec: 07-limits, rule A4.
  ///
  /// If `inheritsColumns` is false, `properties` also contains the inherited columns.
  func add(
    _ name: String, superclass: String?, version: UInt64, properties: [Property],
    inheritsColumns: Bool = true
  ) throws(ArchiveError) {
    let index = writer.classes.count
    try ArchiveLimits.check(index + 1, within: ArchiveLimits.default.classes, "classes")
    var parent: Int?
    if let superclass {
      guard let known = classIndices[ExactName(superclass)], known > 0 else { throw unknownClass(superclass) }
      parent = known
    }
    var columns: [ColumnDescription] = []
    for property in properties { columns.append(try column(property, of: index, parent, name)) }
    let listed = Set(columns.map(DeclaredKey.init))
    if let parent, inheritsColumns {
      columns += writer.classes[parent].columns.filter {
        !$0.flags.contains(.keyed) && !listed.contains(DeclaredKey($0))
      }
    }
    let description = ClassDescription(
      name: name, superclassIndex: parent, version: version, columns: columns)
    try checkColumns(description)
    _ = try writer.addClass(description)
    classIndices[ExactName(name)] = index
  }

  /// Returns the error for a class that was not added.
  func unknownClass(_ name: String) -> ArchiveError {
    ArchiveError(
      .unknownClass, found: "no class '\(name)' in the archive", expected: "a class that was added",
      remedy: "add the class with addClass(_:superclass:version:properties:)")
  }

  /// Returns the column of a property. Spec: 03-classes, rules C3, C8 and P1; 05-graph, rule W9.
  private func column(
    _ property: Property, of index: Int, _ superclass: Int?, _ className: String
  ) throws(ArchiveError) -> ColumnDescription {
    var declaring = index
    if let name = property.declaringClass, !name.hasSameBytes(as: className) {
      var ancestor = superclass
      while let next = ancestor, !writer.classes[next].name.hasSameBytes(as: name) {
        ancestor = writer.classes[next].superclassIndex
      }
      guard let ancestor else {
        throw ArchiveError(
          .unknownClass, found: "a property declared by class '\(name)'",
          expected: "a property declared by class '\(className)' or one of its superclasses",
          className: className, key: property.key)
      }
      declaring = ancestor
    }
    do {
      return ColumnDescription(
        declaringClassIndex: declaring, key: property.key,
        attributes: try PropertyAttributes(parsing: property.attributes), flags: property.flags)
    } catch {
      throw ArchiveError(
        .malformedEncoding, found: "the property attributes '\(property.attributes)' (\(error.code))",
        expected: "attributes such as 'Tq', with the encoding of a type that a column can hold",
        className: className, key: property.key)
    }
  }

  /// Checks that no two columns share a declaring class and key, unless they are keyed and differ in their
  /// attributes.
  ///
  /// Spec: 03-classes, rule C4; 05-graph, rule W4; 07-limits, rule A6.
  private func checkColumns(_ description: ClassDescription) throws(ArchiveError) {
    if let column = description.repeatedColumn() {
      throw ArchiveError(
        .duplicateKey, found: "two properties with the key '\(column.key)'", expected: "distinct keys",
        className: description.name, key: column.key)
    }
    try ArchiveLimits.check(
      ColumnLayout(description).nodes.count, within: ArchiveLimits.default.columnsPerClass, "columnsPerClass")
  }
}
