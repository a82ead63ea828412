import ArcFormat
import ArcRuntime

/// What was counted of the objects of a class, those of subclasses not included.
struct ClassStatistics {
  let name: String
  var objectCount = 0
  /// The nodes of all columns, in their order; an optional is one with what it wraps.
  var nodes: [NodeStatistics] = []
  /// By node of the class's layout, the index in `nodes`.
  private(set) var places: [Int]

  /// Bytes of all columns before compression.
  var storedByteCount: Int { nodes.reduce(0) { $0 + $1.storedByteCount } }
  /// What they would be if each value stood for itself.
  var plainByteCount: Int { nodes.reduce(0) { $0 + $1.plainByteCount } }

  init(name: String, _ layout: ColumnLayout, columnNames: [String]) {
    self.name = name
    places = Array(repeating: 0, count: layout.nodes.count)
    var labels = [String?](repeating: nil, count: layout.nodes.count)
    for (column, root) in layout.roots.enumerated() {
      labels[root] = printableName(columnNames[column])
      // Nodes are in pre-order: a parent is before its children, but for the mentions of recursive types.
      for index in layout.nodes(ofRoot: column) {
        let node = layout.nodes[index]
        let label = labels[index] ?? ""
        let isWrapped = nodes.last.map { $0.column == column && $0.label == label } ?? false
        if isWrapped, nodes.last?.kind == .optional {
          nodes[nodes.count - 1].kind = node.kind
        } else {
          nodes.append(
            NodeStatistics(label: label, column: column, isProperty: index == root, kind: node.kind))
        }
        places[index] = nodes.count - 1
        for (position, child) in node.children.enumerated() where child > index {
          labels[child] = label + Self.step(node, position)
        }
      }
    }
  }

  /// What is behind the label of a node in that of a child. Labels are short, however deep types nest.
  private static func step(_ node: ColumnLayout.Node, _ position: Int) -> String {
    func field(_ index: Int) -> String {
      let name = node.labels[index]
      return "." + (name.isEmpty ? "\(index)" : printableName(name, scalars: 40))
    }
    switch node.kind {
    case .array, .set: return "[]"
    case .dictionary: return position == 0 ? ".keys" : ".values"
    case .structure: return field(position)
    case .enumeration: return node.payloads.firstIndex(of: position).map(field) ?? ""
    case .url: return position == 0 ? ".text" : ".base"
    default: return ""
    }
  }
}
