import ArcFormat

/// Replaces each object that was read and that supplies a replacement. Spec: 05-graph, section 9.
struct Replacements {
  private let references: Handle<ObjectLookup>
  private let context: ArchiveContext

  init(rows: GraphRows) {
    references = rows.references
    context = rows.decoder.context
  }

  /// Calls `replacementAfterUnarchiving(in:)` of the object that was just built for a row. If the result is
  /// another object, the result replaces the object that was built.
  func ask(_ row: Int) throws {
    guard let original = references.value.objects.object(at: row) as? any UnarchiveReplacing else { return }
    let replacement = try original.replacementAfterUnarchiving(in: context)
    if replacement !== original { references.value.replaceObject(ofRow: row, with: replacement) }
  }

  /// Returns each row whose object was replaced with the object of another row. `other` is the row from which
  /// the replacement was built. O(rows).
  func sharedRows() -> [(row: Int, other: Int)] {
    let objects = references.value.objects
    var rows: [ObjectIdentifier: [Int]] = [:]
    for row in 1..<objects.count where references.value.isReplaced(row) {
      if let object = objects[row] { rows[ObjectIdentifier(object), default: []].append(row) }
    }
    guard !rows.isEmpty else { return [] }
    return (1..<objects.count).flatMap { other -> [(row: Int, other: Int)] in
      guard !references.value.isReplaced(other), let object = objects[other] else { return [] }
      return (rows[ObjectIdentifier(object)] ?? []).map { ($0, other) }
    }
  }
}
