package import ArcRuntime

extension CurrentNames {
  /// Returns the attributes of a column of the file with the program's names, including the marks of absent
  /// fields.
  package func attributes(_ attributes: PropertyAttributes) -> PropertyAttributes {
    let renamed = attributes.replacingType(type)
    let absent = attributes.nodesOfAbsentFields
    // A type without a layout does not have fields.
    guard !absent.isEmpty, let stored = attributes.type, var file = try? ColumnLayout(of: stored),
      var layout = try? ColumnLayout(of: type)
    else { return renamed }
    file.markAbsentFields(absent, ofRoot: 0, isKeyed: false)
    layout.markAbsentFields(from: [file]) { source, index, own, position in
      partners(of: own, position, source, source.nodes[index], index)
    }
    return renamed.markingAbsentFields(layout.nodesOfAbsentFields(ofRoot: 0, isKeyed: false))
  }

  /// Returns the contribution of a node of the file to a node of the program: the nodes nested in `node`
  /// whose values the program's node contains. The program's node is the nested node at `position` of `own`.
  private func partners(
    of own: ColumnLayout.Node, _ position: Int, _ file: ColumnLayout, _ node: ColumnLayout.Node, _ index: Int
  ) -> ColumnLayout.Contribution {
    guard node.kind == own.kind else { return .nodes(own.kind == .optional ? [index] : []) }
    switch node.kind {
    case .structure:
      let record = Record(name: ExactName(node.name ?? ""), labels: node.labels.map(ExactName.init))
      let positions = structures[record].map { $0[position].positions } ?? [position]
      return .nodes(positions.map { node.children[$0] })
    case .enumeration:
      let names = cases[ExactName(node.name ?? "")] ?? [:]
      guard let known = own.payloads.firstIndex(of: position) else { return .nodes([]) }
      let members = node.labels.indices.filter {
        (names[ExactName(node.labels[$0])] ?? node.labels[$0]).hasSameBytes(as: own.labels[known])
      }
      let payloads = members.compactMap { node.payloads[$0] }.map { node.children[$0] }
      return payloads.isEmpty && !members.isEmpty ? .nothing : .nodes(payloads)
    default: return .nodes(position < node.children.count ? [node.children[position]] : [])
    }
  }
}
