import ArcFormat

/// Where what `Codable` values encode is in the columns of a row: JSON of any kind, as `JSONEncoder` has it.
struct CodedPlan {
  private let cases: [String: Case]

  /// A case of what is encoded.
  struct Case {
    let position: UInt32
    /// The node of its value; -1 for none.
    let node: Int
  }

  /// The plan of a node.
  init(_ node: Int, in nodes: [ColumnLayout.Node]) {
    let description = nodes[node]
    var cases: [String: Case] = [:]
    for (position, (label, payload)) in zip(description.labels, description.payloads).enumerated() {
      let value = payload.flatMap { nodes[description.children[$0]].children.first }
      cases[label] = Case(position: UInt32(truncatingIfNeeded: position), node: value ?? -1)
    }
    self.cases = cases
  }

  /// Where values of a kind are; nil for one that is not known.
  subscript(name: String) -> Case? { cases[name] }
}
