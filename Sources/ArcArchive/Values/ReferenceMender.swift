import ArcFormat

/// Replaces references in values by new ones, and those to lost objects by nil.
struct ReferenceMender {
  let layout: ColumnLayout
  /// The new number of an object that may be referred to as one of the named class; nil if there is none.
  let newID: (ObjectID, String?) -> ObjectID?

  /// The value with new references. Elements that are references to lost objects are left out.
  func mended(_ value: ArchiveValue, node index: Int) -> ArchiveValue {
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int) -> ArchiveValue {
      StackExtension.step { mended(value, node: node.children[position]) }
    }
    /// An element of a collection with new references; nil if it is a reference to a lost object.
    func element(_ value: ArchiveValue, _ position: Int) -> ArchiveValue? {
      let new = child(value, position)
      if case .reference(nil) = new, new != value { return nil }
      return new
    }
    switch value {
    case _ where node.kind == .optional: return value == .null ? .null : child(value, 0)
    case .reference(let id): return .reference(id.flatMap { newID($0, node.name) })
    case .array(let elements): return .array(elements.compactMap { element($0, 0) })
    case .set(let elements): return .set(elements.compactMap { element($0, 0) })
    case .dictionary(let entries):
      return .dictionary(
        entries.compactMap { entry in
          guard let key = element(entry.key, 0), let value = element(entry.value, 1) else { return nil }
          return ArchiveValue.Entry(key: key, value: value)
        })
    case .structure(let name, let fields):
      return .structure(
        name: name, fields: fields.enumerated().map { .init(name: $1.name, value: child($1.value, $0)) })
    case .enumeration(let name, let label, let payload?):
      guard let position = node.labels.firstIndex(of: label), let inner = node.payloads[position] else {
        return value
      }
      return .enumeration(name: name, case: label, payload: child(payload, inner))
    default: return value
    }
  }
}
