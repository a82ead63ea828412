import ArcFormat

/// Replaces the references in values by references with the new numbers of their targets. A reference to a
/// lost object becomes nil.
struct ReferenceRewriter {
  let layout: ColumnLayout
  /// Returns the new number of an object, or nil if the object is lost. The second argument is the class that
  /// the reference declares.
  let newID: (ObjectID, String?) -> ObjectID?

  /// Returns the value of a node with new references. Elements that refer to lost objects are omitted.
  func rewritten(_ value: ArchiveValue, node: Int) -> ArchiveValue {
    guard layout.containsAnyReference(node) else { return value }
    return rewritten(TypedValue(value, layout: layout, node: node))
  }

  /// Returns a value with new references. Elements that refer to lost objects are omitted.
  ///
  /// Recursive over the value, whose nesting is at most `ArchiveLimits.nesting`.
  func rewritten(_ value: TypedValue) -> ArchiveValue {
    if case .reference(let id) = value.value {
      return .reference(id.flatMap { newID($0, value.typeName) })
    }
    // Most values contain no other values, so this check saves time.
    guard value.value.containerKind != nil else { return value.value }
    return value.mapChildren { step, child in
      let new = StackExtension.step { rewritten(child) }
      return step.isInCollection && child.value.loses(new) ? Optional.none : new
    }
  }
}

extension ArchiveValue {
  /// Whether the value is a reference to an object but its replacement `new` is a nil reference.
  func loses(_ new: ArchiveValue) -> Bool {
    if case .reference(nil) = new, case .reference(_?) = self { true } else { false }
  }
}
