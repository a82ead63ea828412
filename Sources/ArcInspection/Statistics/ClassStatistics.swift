import ArcFormat
import ArcRuntime

/// The statistics of the objects of a class. Objects of subclasses are not included.
struct ClassStatistics {
  let name: String
  var objectCount = 0
  /// The statistics of the values of all columns, and of their nested values. The order is the order of the
  /// layout. An optional and its wrapped value are two nodes of the layout, but one element of this array.
  var nodes: [NodeStatistics] = []
  /// The index in `nodes` of the statistics for each node of the class's layout.
  private(set) var statisticsIndices: [Int]

  /// The size of all columns before compression, in bytes.
  var storedByteCount: Int { nodes.reduce(0) { $0 + $1.storedByteCount } }
  /// The size of all columns if each value were stored by itself, without packing, in bytes.
  var plainByteCount: Int { nodes.reduce(0) { $0 + $1.plainByteCount } }

  init(name: String, _ layout: ColumnLayout, columnNames: [String]) {
    self.name = name
    statisticsIndices = Array(repeating: 0, count: layout.nodes.count)
    var labels = [String?](repeating: nil, count: layout.nodes.count)
    for (column, root) in layout.roots.enumerated() {
      labels[root] = printableName(columnNames[column])
      // Nodes are in pre-order: a parent precedes its children, except where a recursive type refers back to
      // an enclosing type.
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
        statisticsIndices[index] = nodes.count - 1
        for (position, child) in node.children.enumerated() where child > index {
          labels[child] = label + Self.step(node, position)
        }
      }
    }
  }

  /// Returns the text that must be appended to the label of a node for the label of its child at `position`:
  /// `.name` or `[]`.
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
