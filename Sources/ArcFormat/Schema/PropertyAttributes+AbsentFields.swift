package import ArcRuntime

extension PropertyAttributes {
  /// Returns the type without the optionals that mark absent fields. The fields in these optionals get the
  /// flag `mayBeAbsent`.
  ///
  /// Spec: 03-classes, section 5.
  package func typeWithAbsentFields() throws(ArchiveError) -> TypeEncoding {
    guard let type, !nodesOfAbsentFields.isEmpty else { return type ?? .uncoded }
    let layout = try ColumnLayout(valuesOf: self)
    return type.markingAbsentFields(layout, node: layout.roots[0])
  }

  /// Returns attributes with a type that can hold the values of this column and of another column.
  ///
  /// - Parameters:
  ///   - other: the attributes of the other column.
  ///   - keepsOwnParts: the effect on a field for which no type can hold the values of both columns. If true,
  ///     the field keeps the type that it has in this column.
  /// - Returns: the attributes. Nil if no type can hold the values of both columns.
  /// - Throws: `malformedEncoding`. The types in archives that were read successfully do not cause this
  ///   error.
  package func union(
    with other: PropertyAttributes, keepsOwnParts: Bool = false
  ) throws(ArchiveError) -> PropertyAttributes? {
    guard type != nil, other.type != nil,
      let union = try typeWithAbsentFields().unionWithAbsentFields(
        other.typeWithAbsentFields(), keepsOwnParts: keepsOwnParts)
    else { return nil }
    return try replacingType(withAbsentFields: union)
  }

  /// Returns the attributes with another type. Fields with the flag `mayBeAbsent` become optionals that mark
  /// absent fields.
  package func replacingType(withAbsentFields type: TypeEncoding) throws(ArchiveError) -> PropertyAttributes {
    let attributes = replacingType(type.withOptionalFields)
    let layout = try ColumnLayout(valuesOf: attributes)
    var absent: [Int] = []
    type.forEachAbsentField(layout, node: layout.roots[0]) { absent.append($0) }
    return attributes.markingAbsentFields(absent)
  }

  /// Creates the attributes of a column without the name of an instance variable.
  package init(typeWithAbsentFields type: TypeEncoding) throws(ArchiveError) {
    self = try PropertyAttributes(type: type, flags: [], ivar: nil).replacingType(withAbsentFields: type)
  }
}

extension TypeEncoding {
  /// Returns the type without the optionals that mark absent fields, according to the type's layout. The
  /// fields in these optionals get the flag `mayBeAbsent`.
  fileprivate func markingAbsentFields(_ layout: ColumnLayout, node index: Int) -> TypeEncoding {
    let node = layout.nodes[index]
    let type = mapChildren { type, position in
      node.child(position).map { type.markingAbsentFields(layout, node: $0) } ?? type
    }
    guard case .structure(let name, let fields?) = type else { return type }
    return .structure(
      name: name,
      fields: zip(fields, node.children).map { field, child in
        guard layout.nodes[child].isAbsentIfNil, case .optional(let type) = field.type else { return field }
        var absent = Field(name: field.name, type: type)
        absent.mayBeAbsent = true
        return absent
      })
  }

  /// Calls `body` for each field with the flag `mayBeAbsent`. Passes the node of the field in `layout`, the
  /// layout of `withOptionalFields`.
  fileprivate func forEachAbsentField(_ layout: ColumnLayout, node index: Int, _ body: (Int) -> Void) {
    let node = layout.nodes[index]
    var fields: [Field] = []
    if case .structure(_, let own?) = self { fields = own }
    for (position, type) in children.enumerated() {
      guard let child = node.child(position) else { continue }
      let mayBeAbsent = position < fields.count && fields[position].mayBeAbsent
      if mayBeAbsent { body(child) }
      type.forEachAbsentField(layout, node: mayBeAbsent ? layout.nodes[child].children[0] : child, body)
    }
  }
}

extension ColumnLayout.Node {
  /// Returns the node of the nested type at a position. Nil for a case without associated values.
  fileprivate func child(_ position: Int) -> Int? {
    kind == .enumeration ? payloads[position].map { children[$0] } : children[position]
  }
}
