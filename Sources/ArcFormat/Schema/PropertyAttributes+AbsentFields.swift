package import ArcRuntime

extension PropertyAttributes {
  /// The type, in which fields that may be absent are not optional on that account.
  ///
  /// Spec: 03-classes, section 5.
  package func typeWithAbsentFields() throws(ArchiveError) -> TypeEncoding {
    guard let type, !nodesOfAbsentFields.isEmpty else { return type ?? .uncoded }
    let layout = try ColumnLayout(valuesOf: self)
    return type.markingAbsentFields(layout, node: layout.roots[0])
  }

  /// The attributes with the type of the values of two columns.
  ///
  /// - Parameters:
  ///   - other: the attributes of the other column.
  ///   - keepsOwnParts: whether a field for whose values there is no such type is of this column's type.
  /// - Returns: the attributes; nil if no type holds the values of both.
  /// - Throws: `malformedEncoding`, which the types of archives that were read do not cause.
  package func union(
    with other: PropertyAttributes, keepsOwnParts: Bool = false
  ) throws(ArchiveError) -> PropertyAttributes? {
    guard type != nil, other.type != nil,
      let union = try typeWithAbsentFields().unionWithAbsentFields(
        other.typeWithAbsentFields(), keepsOwnParts: keepsOwnParts)
    else { return nil }
    return try replacingType(withAbsentFields: union)
  }

  /// The attributes with another type, in which fields that may be absent become marked optionals.
  private func replacingType(withAbsentFields type: TypeEncoding) throws(ArchiveError) -> PropertyAttributes {
    let attributes = replacingType(type.withOptionalFields)
    let layout = try ColumnLayout(valuesOf: attributes)
    var absent: [Int] = []
    type.forEachAbsentField(layout, node: layout.roots[0]) { absent.append($0) }
    return attributes.markingAbsentFields(absent)
  }

  /// The attributes of a column without a variable.
  package init(typeWithAbsentFields type: TypeEncoding) throws(ArchiveError) {
    self = try PropertyAttributes(type: type, flags: [], ivar: nil).replacingType(withAbsentFields: type)
  }
}

extension TypeEncoding {
  /// The type, in which the marked optionals of its layout become fields that may be absent.
  fileprivate func markingAbsentFields(_ layout: ColumnLayout, node index: Int) -> TypeEncoding {
    let node = layout.nodes[index]
    func inner(_ type: TypeEncoding, _ position: Int) -> TypeEncoding {
      type.markingAbsentFields(layout, node: node.children[position])
    }
    switch self {
    case .optional(let type): return .optional(inner(type, 0))
    case .list(let type): return .list(inner(type, 0))
    case .set(let type): return .set(inner(type, 0))
    case .dictionary(let key, let value): return .dictionary(key: inner(key, 0), value: inner(value, 1))
    case .structure(let name, let fields?):
      return .structure(
        name: name,
        fields: fields.enumerated().map { position, field in
          var new = Field(name: field.name, type: inner(field.type, position))
          guard layout.nodes[node.children[position]].isAbsentIfNil, case .optional(let type) = new.type
          else { return new }
          (new.type, new.mayBeAbsent) = (type, true)
          return new
        })
    case .enumeration(let name, let cases?):
      return .enumeration(
        name: name,
        cases: cases.enumerated().map { position, field in
          node.payloads[position].map { Field(name: field.name, type: inner(field.type, $0)) } ?? field
        })
    default: return self
    }
  }

  /// Calls `body` with the node of each field that may be absent, in the layout of `withOptionalFields`.
  fileprivate func forEachAbsentField(_ layout: ColumnLayout, node index: Int, _ body: (Int) -> Void) {
    let node = layout.nodes[index]
    switch self {
    case .optional(let type), .list(let type), .set(let type):
      type.forEachAbsentField(layout, node: node.children[0], body)
    case .dictionary(let key, let value):
      key.forEachAbsentField(layout, node: node.children[0], body)
      value.forEachAbsentField(layout, node: node.children[1], body)
    case .structure(_, let fields?):
      for (field, child) in zip(fields, node.children) {
        if field.mayBeAbsent { body(child) }
        let value = field.mayBeAbsent ? layout.nodes[child].children[0] : child
        field.type.forEachAbsentField(layout, node: value, body)
      }
    case .enumeration(_, let cases?):
      for (field, payload) in zip(cases, node.payloads) {
        if let payload { field.type.forEachAbsentField(layout, node: node.children[payload], body) }
      }
    default: break
    }
  }
}
