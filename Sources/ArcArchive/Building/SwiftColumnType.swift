import ArcFormat
import ArcRuntime

/// What is known of a Swift type whose values are added to columns: which columns take them.
struct SwiftColumnType {
  /// The kinds of its columns, in pre-order; empty if its values are not written without a graph. None has a
  /// choice of nested columns, so that the kinds say all.
  private let kinds: [ColumnKind]

  init(_ type: any ColumnValue.Type) throws(ArchiveError) {
    let layout = try ColumnLayout(of: type.__columnType)
    let standsAlone = layout.nodes.allSatisfy { Self.isWrittenAlone($0.kind) || $0.kind == .reference }
    let holdsReference = layout.nodes.contains { $0.kind == .reference }
    kinds =
      standsAlone && (!holdsReference || type is any ReferenceHolder.Type) ? layout.nodes.map(\.kind) : []
  }

  /// Whether values are written without a graph around them: not so objects, nor structures and enumerations
  /// of a program, which may contain some, nor sets and dictionaries, whose keys a graph checks.
  private static func isWrittenAlone(_ kind: ColumnKind) -> Bool {
    switch kind {
    case .structure, .enumeration, .set, .dictionary, .reference, .weak: false
    default: true
    }
  }

  var containsReference: Bool { kinds.last == .reference }

  /// How many optionals around the values a column has, which is all in which it may differ from the type,
  /// and the innermost node of those that take them; nil if it does not take them.
  ///
  /// A keyed column also takes optionals, of which nil means that the object has no value.
  /// Spec: 06-evolution, section 2.
  func place(
    inColumn position: Int, of layout: ColumnLayout
  ) -> (presenceCount: Int, innermost: Int)? {
    let column = layout.nodes(ofRoot: position)
    let presenceCount = column.count - kinds.count
    guard !kinds.isEmpty, presenceCount >= 0,
      column.prefix(presenceCount).allSatisfy({ layout.nodes[$0].kind == .optional }),
      zip(kinds, column.dropFirst(presenceCount)).allSatisfy({ kind, node in
        kind == layout.nodes[node].kind || (kind == .reference && layout.nodes[node].kind == .weak)
      })
    else { return nil }
    return (presenceCount, column.upperBound - 1)
  }
}
