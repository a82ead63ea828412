import ArcRuntime

/// What is known of a Swift type whose values are added to columns: which columns take them.
struct SwiftColumnType {
  /// The nodes of its columns, in pre-order; empty if its values are not written without a graph.
  private let nodes: [ColumnLayout.Node]

  init(_ type: any ColumnValue.Type) throws(ArchiveError) {
    var layout = ColumnLayout()
    try layout.append(type.__columnType)
    let standsAlone = layout.nodes.allSatisfy { Self.isWrittenAlone($0.kind) || $0.kind == .reference }
    let holdsReference = layout.nodes.contains { $0.kind == .reference }
    nodes = standsAlone && (!holdsReference || type is any ReferenceHolder.Type) ? layout.nodes : []
  }

  /// Whether values are written without a graph around them: not so objects, nor structures and enumerations
  /// of a program, which may contain some, nor sets and dictionaries, whose keys a graph checks.
  private static func isWrittenAlone(_ kind: ColumnKind) -> Bool {
    switch kind {
    case .structure, .enumeration, .set, .dictionary, .reference, .weak: false
    default: true
    }
  }

  var containsReference: Bool { nodes.last?.kind == .reference }

  /// How many optionals around the values a column has, which is all in which it may differ from the type,
  /// and the innermost node of those that take them; nil if it does not take them.
  ///
  /// A keyed column also takes optionals, of which nil means that the object has no value.
  /// Spec: 06-evolution, section 2.
  func place(
    inColumn position: Int, of layout: ColumnLayout, isKeyed: Bool
  ) -> (presenceCount: Int, innermost: ColumnLayout.Node)? {
    let column = layout.nodes[layout.nodes(ofRoot: position)]
    var presenceCount = isKeyed ? 1 : 0
    repeat {
      if let innermost = match(column.dropFirst(presenceCount)) { return (presenceCount, innermost) }
      presenceCount += 1
    } while column.prefix(presenceCount).last?.kind == .optional
    return isKeyed ? match(column).map { (0, $0) } : nil
  }

  /// The innermost node if nodes are those of the type. None of its kinds has a choice of children, so that
  /// kinds in pre-order say all.
  private func match(_ column: ArraySlice<ColumnLayout.Node>) -> ColumnLayout.Node? {
    guard !nodes.isEmpty, nodes.count == column.count else { return nil }
    let fits = zip(nodes, column).allSatisfy {
      $0.kind == $1.kind || ($0.kind == .reference && $1.kind == .weak)
    }
    return fits ? column.last : nil
  }
}
