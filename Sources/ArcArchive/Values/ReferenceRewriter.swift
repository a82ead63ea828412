import ArcFormat

/// Replaces references in values by new ones, and those to lost objects by nil.
struct ReferenceRewriter {
  let layout: ColumnLayout
  /// The new number of an object that may be referred to as one of the named class; nil if there is none.
  let newID: (ObjectID, String?) -> ObjectID?

  /// The value of a node with new references. Elements that are references to lost objects are left out.
  func mended(_ value: ArchiveValue, node: Int) -> ArchiveValue {
    guard layout.containsAnyReference(node) else { return value }
    return mended(TypedValue(value, layout: layout, node: node))
  }

  private func mended(_ value: TypedValue) -> ArchiveValue {
    if case .reference(let id) = value.value {
      return .reference(id.flatMap { newID($0, value.typeName) })
    }
    // Most values have none inside.
    guard value.value.containerKind != nil else { return value.value }
    return value.mapChildren { step, child in
      let new = StackExtension.step { mended(child) }
      return step.isInCollection && child.value.loses(new) ? Optional.none : new
    }
  }
}

extension ArchiveValue {
  /// Whether the value is a reference to an object, and another one, which is to replace it, is nil.
  func loses(_ new: ArchiveValue) -> Bool {
    if case .reference(nil) = new, case .reference(_?) = self { true } else { false }
  }
}
