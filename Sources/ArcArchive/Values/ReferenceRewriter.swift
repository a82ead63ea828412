import ArcFormat

/// Replaces the references in values by references to the new numbers of their targets, or by nil if the
/// target is lost.
struct ReferenceRewriter {
  let layout: ColumnLayout
  /// Returns the new number of an object that a reference to the named class may refer to; nil if the object
  /// is lost.
  let newID: (ObjectID, String?) -> ObjectID?

  /// The value of a node with new references. Elements that are references to lost objects are omitted.
  func rewritten(_ value: ArchiveValue, node: Int) -> ArchiveValue {
    guard layout.containsAnyReference(node) else { return value }
    return rewritten(TypedValue(value, layout: layout, node: node))
  }

  /// A value with new references. Elements that are references to lost objects are omitted.
  ///
  /// Recursive over the value, which nests as deep as `ArchiveLimits.nesting`.
  func rewritten(_ value: TypedValue) -> ArchiveValue {
    if case .reference(let id) = value.value {
      return .reference(id.flatMap { newID($0, value.typeName) })
    }
    // Most values contain no others.
    guard value.value.containerKind != nil else { return value.value }
    return value.mapChildren { step, child in
      let new = StackExtension.step { rewritten(child) }
      return step.isInCollection && child.value.loses(new) ? Optional.none : new
    }
  }
}

extension ArchiveValue {
  /// Whether the value is a reference to an object, and the value that replaces it is a nil reference.
  func loses(_ new: ArchiveValue) -> Bool {
    if case .reference(nil) = new, case .reference(_?) = self { true } else { false }
  }
}
