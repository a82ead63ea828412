package import ArcFormat
import ArcRuntime

extension ArchiveValue {
  /// The value of a column without the fields that its structures do not have.
  ///
  /// Recursive over the value, as deep as values nest.
  package func withoutAbsentFields(_ layout: ColumnLayout, node index: Int) -> ArchiveValue {
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int) -> ArchiveValue {
      StackExtension.step { value.withoutAbsentFields(layout, node: node.children[position]) }
    }
    switch (node.kind, self) {
    case (.optional, .null), (.optional, .nestedNull): return self
    case (.optional, _): return child(self, 0)
    case (_, .array(let elements)): return .array(elements.map { child($0, 0) })
    case (_, .set(let elements)): return .set(elements.map { child($0, 0) })
    case (_, .dictionary(let entries)):
      return .dictionary(entries.map { Entry(key: child($0.key, 0), value: child($0.value, 1)) })
    case (_, .structure(let name, let fields)):
      let present = fields.enumerated().compactMap { position, field -> Field? in
        let isMarked = layout.nodes[node.children[position]].isAbsentIfNil
        guard let value = isMarked ? field.value.unwrapped : field.value else { return nil }
        return Field(name: field.name, value: child(value, position))
      }
      return .structure(name: name, fields: present)
    case (_, .enumeration(let name, let label, let payload?)):
      guard let position = node.labels.firstIndex(where: { $0.hasSameBytes(as: label) }),
        let inner = node.payloads[position]
      else { return self }
      return .enumeration(name: name, case: label, payload: child(payload, inner))
    default: return self
    }
  }
}
