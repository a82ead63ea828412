import ArcArchive
import ArcFormat

/// `--format dot`: a graph for Graphviz, for example for `dot -Tsvg`.
///
/// The label of a node contains the class and number of the object, and the first eight exported attributes.
/// `--columns` chooses the exported attributes. Edges of weak references are dashed.
struct DotExport: ExportWriter {
  private static let attributeCount = 8
  private static let scalarCount = 40
  private static let edgeScalarCount = 120

  private let model: GraphModel
  private let output: Output

  init(_ objects: ExportedObjects, to output: Output) {
    // One scalar more than is shown, so that truncated text ends in an ellipsis.
    model = GraphModel(objects, scalarLimit: Self.edgeScalarCount + 1)
    self.output = output
  }

  func begin() throws {
    try output.line("digraph archive {")
    try output.line("  node [shape=box];")
  }

  func write(_ row: ExportedRow) throws {
    let id = row.id.rawValue
    let name = model.objects.catalog.file.classes[row.classIndex].name
    var lines = [id == 0 ? "roots" : "\(printableName(name)) #\(id)"]
    for (attribute, _, text) in try model.attributes(of: row).prefix(Self.attributeCount) {
      lines.append(printableName(attribute.name) + ": " + printableName(text, scalars: Self.scalarCount))
    }
    try output.line("  n\(id) [label=\(Self.quoted(lines))];")
    let output = output
    try model.forEachEdge(of: row) { edge in
      let suffix = edge.key.map { "[\($0)]" } ?? edge.position.map { "[\($0)]" } ?? ""
      let label = Self.quoted([printableName(edge.property + suffix, scalars: Self.edgeScalarCount)])
      try output.line(
        "  n\(id) -> n\(edge.target.rawValue) [label=\(label)\(edge.isWeak ? ", style=dashed" : "")];")
    }
  }

  func end() throws { try output.line("}") }

  /// Returns printable lines as one string literal of DOT, with `\n` between the lines. Each `&` is escaped,
  /// because DOT reads it as the beginning of an HTML entity.
  private static func quoted(_ lines: [String]) -> String {
    var text = "\""
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\\n" }
      for scalar in line.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "&": text += "&amp;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}
