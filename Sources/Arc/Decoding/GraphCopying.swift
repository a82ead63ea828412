import ArcFormat

/// Builds the copy of a graph. The graph was archived in memory, and the copy is read from this archive. The
/// new objects have the classes of the original objects.
struct GraphCopying {
  let bytes: ByteView
  let classes: LiveClasses
  let sharedObjects: [SharedObject]
  let context: ArchiveContext

  /// The limits for reading the archive. Each limit has its maximum value, because the archive is not larger
  /// than the graph that the program has built.
  static let limits = ArchiveLimits(
    fileBytes: .max, rawBytes: .max, rows: .max, classes: .max, classTableBytes: .max, columnsPerClass: .max,
    elements: .max, nesting: .max)
  /// An empty class table, because no class is looked up by name.
  private static let noClasses = ClassTable(scope: .declared)

  /// Builds the graph and returns its only root. `type` is the type of the root, and `name` is its name.
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
  /// Stores the shared objects of a copy in the object table, at their rows in `segment`. A shared object is
  /// an object of the original graph, so it is marked as a replacement: it is never linked, unlinked or
  /// notified. It is also recorded as retained by the roots, whatever references to it exist.
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
