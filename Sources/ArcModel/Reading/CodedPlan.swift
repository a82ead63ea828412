import ArcFormat

/// The column nodes of a row that store `Codable` values. A value can be any JSON. Its kind, such as
/// `"list"`, is stored as a case of an enumeration.
struct CodedPlan {
  private let cases: [String: Case]

  /// The enumeration case that stores one kind of JSON value.
  struct Case {
    let position: UInt32
    /// The node of the case's value, or -1 if the case has no value.
    let node: Int
  }

  init(_ node: Int, in nodes: [ColumnLayout.Node]) {
    let description = nodes[node]
    var cases: [String: Case] = [:]
    for (position, (label, payload)) in zip(description.labels, description.payloads).enumerated() {
      let value = payload.flatMap { nodes[description.children[$0]].children.first }
      cases[label] = Case(position: UInt32(truncatingIfNeeded: position), node: value ?? -1)
    }
    self.cases = cases
  }

  /// The case that stores one kind of JSON value, by the name of the kind, such as `"list"`. Nil if there is
  /// no such case.
  subscript(name: String) -> Case? { cases[name] }
}
