extension PropertyAttributes {
  /// The name of the attribute that marks fields of structures as absent where they are nil.
  static let absentFields = "absent"

  /// The fields that are absent where they are nil, by the nodes of the column's values, ascending.
  ///
  /// A release that lacks these fields added structures to the file. Numbers that are not valid are skipped.
  /// Spec: 03-classes, section 5.
  package var nodesOfAbsentFields: [Int] {
    let value = attributes.first { $0.name == Self.absentFields }?.value ?? ""
    return value.split(separator: " ").compactMap { Int($0) }
  }

  /// The attributes with other marks of absent fields. `nodes` are the nodes of these fields, ascending,
  /// counted from the first node of the column's values.
  package func markingAbsentFields(_ nodes: [Int]) -> PropertyAttributes {
    guard nodes != nodesOfAbsentFields else { return self }
    var attributes = attributes.filter { $0.name != Self.absentFields }
    if !nodes.isEmpty {
      let value = nodes.map(String.init).joined(separator: " ")
      attributes.append(Attribute(name: Self.absentFields, value: value))
    }
    return PropertyAttributes(attributes: attributes, type: type)
  }

  /// The attributes with other names of classes in the references of the type; nil declares no class.
  package func renamingClasses(_ newName: (String) -> String?) -> PropertyAttributes {
    guard let type else { return self }
    // Names of classes change no node, so marks of fields stay valid.
    return replacingType(type.renamingClasses(newName)).markingAbsentFields(nodesOfAbsentFields)
  }
}
