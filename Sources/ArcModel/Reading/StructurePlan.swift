import ArcFormat
import ArcJSON

/// How the structures of a node are made of JSON objects: which member is for which field.
final class StructurePlan {
  let fields: [Field]
  /// Whether the values are JSON themselves, of any kind.
  let isJSON: Bool
  /// Whether its members are those of what is around it.
  let isEmbedded: Bool
  /// Whether fields have names of their own: they are in an object then; those of a tuple can be in an array.
  let hasNames: Bool
  /// The names that an object must not have twice.
  let names: [String]

  /// The fields whose own structures an update changes field by field.
  var keptFields: [Field] { fields.filter { $0.customRead == nil && !$0.rules.contains(.replaced) } }

  /// A field.
  struct Field {
    /// The number of the field.
    let position: Int
    /// The node of its values.
    let node: Int
    /// The name of the member that is looked for first; nil if none is.
    let name: String?
    /// The ways that are tried after it.
    let others: [JSONPath]
    /// All of the paths in their order.
    var paths: [JSONPath] { (name.map { [JSONPath(member: $0)] } ?? []) + others }
    let rules: JSONRules
    /// What it is called where it is not there.
    let path: JSONPath
    /// Whether it has an initial value.
    let hasInitialValue: Bool
    /// What makes values of the form that the text has; nil for none.
    let customRead: ((JSONValue) throws -> JSONValue)?
  }

  init(
    _ description: ColumnLayout.Node, _ mappings: [PropertyMapping], initialValues: [Bool]?, isJSON: Bool,
    isEmbedded: Bool
  ) {
    (self.isJSON, self.isEmbedded) = (isJSON, isEmbedded)
    hasNames = description.labels.enumerated().contains { !$1.isEmpty && $1 != "\($0)" }
    fields = mappings.enumerated().map { position, mapping in
      var customRead: ((JSONValue) throws -> JSONValue)?
      if case .custom(let read, _)? = mapping.format?.kind { customRead = read }
      let isEmbedded = mapping.rules.contains(.embedded)
      let name = mapping.rules.isRead && !isEmbedded ? mapping.paths[0].name : nil
      let others = mapping.rules.isRead && !isEmbedded ? mapping.paths.dropFirst(name == nil ? 0 : 1) : []
      return Field(
        position: position, node: description.children[position], name: name, others: Array(others),
        rules: mapping.rules, path: mapping.paths[0], hasInitialValue: initialValues?[position] ?? false,
        customRead: customRead)
    }
    names = fields.compactMap(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
