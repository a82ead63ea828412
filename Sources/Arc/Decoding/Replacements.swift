import ArcFormat

/// Has objects take the place of those that were read, where these say so. Spec: 05-graph, section 9.
struct Replacements {
  private let references: Handle<ObjectLookup>
  private let context: ArchiveContext

  init(rows: GraphRows) {
    references = rows.references
    context = rows.decoder.context
  }

  /// Asks the object of a row, which was just built, what takes its place.
  func ask(_ row: Int) throws {
    guard let original = references.value.objects.object(at: row) as? any UnarchiveReplacing else { return }
    let replacement = try original.replacementAfterUnarchiving(in: context)
    if replacement !== original { references.value.replaceObject(ofRow: row, with: replacement) }
  }

  /// The rows that have objects built from other rows now, each with such a row. O(rows) if there are any.
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
