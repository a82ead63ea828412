import ArcRuntime

extension ArchiveBuilder {
  /// Adds a class: its own properties in order, and behind them those of its superclass, which need not be repeated.
  ///
  /// Objects can be reserved from now on. Keyed properties of a superclass are not inherited: a class lists those
  /// that its objects use. Throws `nameConflict` for a name or key that is taken or reserved, `unknownClass` for a
  /// superclass that was not added, `malformedEncoding` for an attribute string without a type that a column can hold.
  public func addClass(
    _ name: String, superclass: String? = nil, version: UInt64 = 0, properties: [Property]
  ) throws(ArchiveError) {
    guard classIndices[ExactName(name)] == nil, !ColumnLayout.isReserved(name),
      !isStrict || !name.utf8.contains(UInt8(ascii: "\""))
    else {
      throw ArchiveError(
        .nameConflict, found: "class '\(name)'",
        expected: "a name that no other class has, without quotes, and that does not stand for values",
        className: name)
    }
    try add(name, superclass: superclass, version: version, properties: properties)
  }

  /// Adds a property with flag `keyed` to a class that may have objects: they have no value in it.
  public func addProperty(_ property: Property, toClass name: String) throws(ArchiveError) {
    guard let index = classIndices[ExactName(name)], index > 0 else { throw unknownClass(name) }
    guard property.flags.contains(.keyed) else {
      throw ArchiveError(
        .malformedClassTable, found: "a property without flag 'keyed'",
        expected: "one that objects may be without", remedy: "give it to addClass", className: name,
        key: property.key)
    }
    var description = writer.classes[index]
    let column = try column(property, of: index, description.superclass, name)
    description.columns.append(column)
    try checkColumns(description)
    try writer.addColumn(column, toClass: index)
  }

  /// The same, also for the class of the roots.
  func add(
    _ name: String, superclass: String?, version: UInt64, properties: [Property]
  ) throws(ArchiveError) {
    let index = writer.classes.count
    try Limits.check(index + 1, within: Limits.default.classes, "classes")
    var parent: Int?
    if let superclass {
      guard let known = classIndices[ExactName(superclass)], known > 0 else { throw unknownClass(superclass) }
      parent = known
    }
    var columns: [ColumnDescription] = []
    for property in properties { columns.append(try column(property, of: index, parent, name)) }
    let listed = Set(columns.map { ExactName("\($0.declaringClass) \($0.key)") })
    if let parent {
      columns += writer.classes[parent].columns.filter {
        !$0.flags.contains(.keyed) && !listed.contains(ExactName("\($0.declaringClass) \($0.key)"))
      }
    }
    let description = ClassDescription(name: name, superclass: parent, version: version, columns: columns)
    try checkColumns(description)
    _ = try writer.addClass(description)
    classIndices[ExactName(name)] = index
  }

  private func unknownClass(_ name: String) -> ArchiveError {
    ArchiveError(.unknownClass, found: "no class '\(name)'", remedy: "add it with addClass")
  }

  private func column(
    _ property: Property, of index: Int, _ superclass: Int?, _ className: String
  ) throws(ArchiveError) -> ColumnDescription {
    guard property.flags.isSubset(of: .known) else {
      throw ArchiveError(
        .malformedClassTable, found: "flags \(property.flags.rawValue)", className: className,
        key: property.key)
    }
    var declaring = index
    if let name = property.declaringClass, !name.hasSameBytes(as: className) {
      var ancestor = superclass
      while let next = ancestor, !writer.classes[next].name.hasSameBytes(as: name) {
        ancestor = writer.classes[next].superclass
      }
      guard let ancestor else {
        throw ArchiveError(
          .unknownClass, found: "declaring class '\(name)'", expected: "the class itself or a superclass",
          className: className, key: property.key)
      }
      declaring = ancestor
    }
    do {
      return ColumnDescription(
        declaringClass: declaring, key: property.key,
        attributes: try PropertyAttributes(parsing: property.attributes), flags: property.flags)
    } catch {
      throw ArchiveError(
        .malformedEncoding, found: "property attributes '\(property.attributes)': \(error.code)",
        className: className, key: property.key)
    }
  }

  /// Spec: 03-classes, rule C4; limit `columnsPerClass`.
  private func checkColumns(_ description: ClassDescription) throws(ArchiveError) {
    var seen: Set<ExactName> = []
    for column in description.columns {
      let isKeyed = column.flags.contains(.keyed)
      let identity = "\(column.declaringClass) \(isKeyed ? column.attributes.description : "") \(column.key)"
      guard seen.insert(ExactName(identity)).inserted else {
        throw ArchiveError(
          .nameConflict, found: "a second property '\(column.key)'", expected: "distinct keys",
          className: description.name, key: column.key)
      }
    }
    try Limits.check(
      ColumnLayout(description).nodes.count, within: Limits.default.columnsPerClass, "columnsPerClass")
  }
}
