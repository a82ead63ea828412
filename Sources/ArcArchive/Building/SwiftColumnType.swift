import ArcFormat
import ArcRuntime

/// The description of a Swift type whose values are added to columns. The description determines which
/// columns accept the values.
struct SwiftColumnType {
  /// The kinds of the nodes of the type, in pre-order. Empty if values of the type cannot be written without
  /// a graph. The list determines the type, because each of these kinds has a fixed number of nested columns.
  private let kinds: [ColumnKind]

  init(_ type: any ColumnValue.Type) throws(ArchiveError) {
    let layout = try ColumnLayout(of: type.__columnType)
    let needsNoGraph = layout.nodes.allSatisfy {
      $0.kind == .reference || !Self.kindsInGraphs.contains($0.kind)
    }
    let hasReference = layout.nodes.contains { $0.kind == .reference }
    kinds =
      needsNoGraph && (!hasReference || type is any ReferenceHolder.Type) ? layout.nodes.map(\.kind) : []
  }

  /// The kinds of values that are written only as part of a graph. These are objects, structures and
  /// enumerations of a program (they may contain objects), and sets and dictionaries (the graph checks their
  /// keys).
  private static let kindsInGraphs: Set<ColumnKind> = [
    .structure, .enumeration, .set, .dictionary, .reference, .weak,
  ]

  var containsReference: Bool { kinds.last == .reference }

  /// Returns the number of optionals in which a column wraps values of the type, and the innermost node of
  /// the values. Nil if the column does not accept the values.
  ///
  /// A column may differ from the type only in these optionals. If the column is keyed, the type may also be
  /// an optional; nil then means that the object has no value. Spec: 06-evolution, section 2.
  func match(
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
