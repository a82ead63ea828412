import Arc
import ArcFormat
import ArcJSON

// Planning the cases of enumerations.

extension WritingPlanBuilder {
  /// Throws if a tagged case has an associated value with the name of the tag.
  func checkNames(
    ofCase number: Int, beside tag: JSONNames.Name, of owner: ColumnLayout.Node
  ) throws {
    let node = members[number].node
    guard node >= 0 else { return }
    let field = members[number].payload == .fields ? node : nodes[node].firstChild
    let name = names.text(of: tag)
    for member in nodes[field].members where nodes[field].kind == .structure {
      if members[member].customWrite != WritingPlan.skipped, names.text(of: members[member].name) == name {
        throw ModelWritingError.duplicateName(name, of: "'\(owner.name ?? "an enumeration")'")
      }
    }
  }

  mutating func addCases(of node: ColumnLayout.Node, at index: Int) {
    let first = members.count
    let labels = mappings.cases[index]?.map { $0[0] } ?? node.labels
    for (label, payload) in zip(labels, node.payloads) {
      let child = payload.map { node.children[$0] }
      members.append(
        WritingPlan.Member(
          node: child ?? -1, name: names.add(label), payload: child.map(form(ofPayload:)) ?? .fields))
    }
    nodes[index].members = first..<members.count
  }

  private func form(ofPayload index: Int) -> WritingPlan.Payload {
    let node = layout.nodes[index]
    guard node.kind == .structure, node.labels == [""] else { return .fields }
    return mayHaveMemberZero(node.children[0]) ? .wrapped : .single
  }

  /// Whether the JSON of a value can be an object with a member `_0`. Does not search objects that references
  /// refer to; `WritingPlan.hasMemberZero` determines this for such objects.
  private func mayHaveMemberZero(_ index: Int) -> Bool {
    let node = layout.nodes[index]
    switch node.kind {
    case .optional: return mayHaveMemberZero(node.children[0])
    case .dictionary: return layout.nodes[node.children[0]].kind == .string
    case .enumeration where mappings.codedNodes.contains(index): return true
    case .enumeration: return mappings.cases[index]?.contains { $0[0] == "_0" } ?? node.labels.contains("_0")
    case .structure:
      if mappings.jsonNodes.contains(index) { return true }
      guard node.labels.contains(where: { !$0.isEmpty }) else { return false }
      return (mappings.fields[index] ?? []).contains {
        $0.paths[0].firstName == "_0" || $0.rules.contains(.embedded)
      }
    default: return false
    }
  }
}
