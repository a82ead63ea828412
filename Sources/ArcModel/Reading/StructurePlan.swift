import ArcFormat
import ArcJSON

/// How structures in a node are built from JSON objects, and which member sets each field.
final class StructurePlan {
  let fields: [Field]
  /// Whether the values are `JSONValue`s, which can be any JSON.
  let isJSON: Bool
  /// Whether the structure reads its fields from the members of the enclosing object.
  let isEmbedded: Bool
  /// Whether the fields have names. If not, as in a tuple, a JSON array can contain the fields too.
  let hasNames: Bool
  /// The member names that are reported if an object repeats them.
  let names: [String]

  /// The fields whose structures are updated field by field instead of as a whole.
  var partlyUpdatedFields: [Field] { fields.filter { $0.customRead == nil && !$0.rules.contains(.replaced) } }

  struct Field {
    /// The position of the field in the structure.
    let position: Int
    /// The column node of the field's values.
    let node: Int
    /// The name of the member that is tried first. Nil if the first path is not a single name.
    let name: String?
    /// The paths that are tried after `name`.
    let laterPaths: [JSONPath]
    /// All paths in the order in which they are tried.
    var paths: [JSONPath] { (name.map { [JSONPath(member: $0)] } ?? []) + laterPaths }
    let rules: JSONRules
    /// The path that an issue shows if the field is missing.
    let path: JSONPath
    let hasInitialValue: Bool
    /// The function of a custom format that converts the JSON of a value. Nil if the field has no custom
    /// format.
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
      let laterPaths = mapping.rules.isRead && !isEmbedded ? mapping.paths.dropFirst(name == nil ? 0 : 1) : []
      return Field(
        position: position, node: description.children[position], name: name, laterPaths: Array(laterPaths),
        rules: mapping.rules, path: mapping.paths[0], hasInitialValue: initialValues?[position] ?? false,
        customRead: customRead)
    }
    names = fields.compactMap(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
