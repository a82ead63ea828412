import ArcFormat

/// Builds a graph from the archive of another one in memory, with the classes of its objects.
struct GraphCopying {
  let bytes: ByteView
  let classes: LiveClasses
  let sharedObjects: [SharedObject]
  let context: ArchiveContext

  /// No limits: what is read is as large as the graph is.
  static let limits = ArchiveLimits(
    fileBytes: .max, rawBytes: .max, rows: .max, classes: .max, classTableBytes: .max, columnsPerClass: .max,
    elements: .max, nesting: .max)
  /// Names no class, and none is looked for.
  private static let noClasses = ClassTable(scope: .declared)

  /// Builds the graph; returns its root, which is the only one.
  func root<Value: ArchivableValue>(_ type: Value.Type, named name: String) throws -> Value {
    let decoder = try DecoderPool.open(bytes, Self.noClasses, Self.limits, liveClasses: classes) {
      $0.count == 1 && $0[0].type == type
    } roots: {
      [(name, type)]
    }
    decoder.schema.sharedObjects = sharedObjects
    let root = try decoder.rebuild(in: context, logsReferences: false, report: nil) {
      try Value.__read(from: $0.column(0))
    }
    if sharedObjects.isEmpty { DecoderPool.put(decoder) }
    return root
  }
}

extension GraphRows {
  /// Puts the objects that a copy shares into their rows of a segment. They count as replacements, which are
  /// neither linked nor told nor ever cut off, and as held by the root, whatever refers to them.
  func placeSharedObjects(in segment: RowsSegment) {
    let shared = schema.sharedObjects
    guard !shared.isEmpty else { return }
    var position = shared.partitioningIndex { $0.row >= segment.firstRow }
    while position < shared.count, shared[position].row < segment.firstRow + segment.rowCount {
      references.value.replaceObject(ofRow: shared[position].row, with: shared[position].object)
      references.value.holders.note(shared[position].row, by: 0)
      position += 1
    }
  }
}
