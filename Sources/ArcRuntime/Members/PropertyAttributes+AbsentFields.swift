extension PropertyAttributes {
  /// The name of the attribute that lists the fields that structures in the column may lack. If a structure
  /// lacks such a field, the field is nil in the column.
  static let absentFields = "absent"

  /// The fields that structures in the column may lack. If such a field is nil in the column, the structure
  /// lacks the field.
  ///
  /// The array contains the nodes of the fields in ascending order, numbered from the first node of the
  /// column's values. Such fields exist if an older version of the program, which did not have the fields,
  /// added structures to the file. Words in the list that are not numbers are skipped. Spec: 03-classes,
  /// section 5.
  package var nodesOfAbsentFields: [Int] {
    let value = attributes.first { $0.name == Self.absentFields }?.value ?? ""
    return value.split(separator: " ").compactMap { Int($0) }
  }

  /// Returns the attributes with `nodes` as the list of absent fields.
  ///
  /// `nodes` contains the nodes of the fields in ascending order. Nodes are numbered from the first node of
  /// the column's values, which is 0.
  package func markingAbsentFields(_ nodes: [Int]) -> PropertyAttributes {
    guard nodes != nodesOfAbsentFields else { return self }
    var attributes = attributes.filter { $0.name != Self.absentFields }
    if !nodes.isEmpty {
      let value = nodes.map(String.init).joined(separator: " ")
      attributes.append(Attribute(name: Self.absentFields, value: value))
    }
    return PropertyAttributes(attributes: attributes, type: type)
  }

  /// Returns the attributes with other class names in the references of the type. If `newName` returns nil,
  /// the reference declares no class.
  package func renamingClasses(_ newName: (String) -> String?) -> PropertyAttributes {
    guard let type else { return self }
    // Class names do not change node numbers, so the list of absent fields stays valid.
    return replacingType(type.renamingClasses(newName)).markingAbsentFields(nodesOfAbsentFields)
  }
}
