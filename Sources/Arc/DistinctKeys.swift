import ArcFormat

/// Looks whether keys that are to be written will be distinct when they are read, where their types do not say so.
///
/// Keys that refer to objects can have become equal since they were added. Of two values, what tells them apart may be
/// left out of archives: a property with `@Transient`, or what a wrapper or a raw value does not show. A reader would
/// refuse either. Spec: 05-graph, rule W8.
enum DistinctKeys {
  /// Throws `duplicateKey` for two keys that are one when they are read. `column` is that of the set or dictionary.
  static func check<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, _ column: ColumnWriter
  ) throws {
    guard column.keyCheck != .notNeeded, keys.count > 1 else { return }
    let graph = GraphEncoder.of(column)
    guard graph.mode == .writing, graph.checksKeys else { return }
    if column.keyCheck == .undecided { column.keyCheck = try need(of: Key.self) }
    switch column.keyCheck {
    case .undecided, .notNeeded: break
    case .ofReferences:
      // Made anew: a set keeps elements that became equal apart.
      guard Set(Array(keys)).count == keys.count else { throw error("two equal keys or elements", column) }
    case .ofValues:
      // Only who reads them can tell: the type's own `==` may go by what is left out.
      let encoder = GraphEncoder(options: Archiver.Options())
      // Reading checks the keys within keys; it does so once.
      encoder.checksKeys = false
      let bytes = try encoder.archive(roots: [(Archiver.rootName, Array(keys))])
      var limits = Limits.default
      limits.nesting = .max
      let read = try Unarchiver(limits: limits).unarchive([Key].self, from: bytes)
      guard Set(read).count == keys.count else {
        throw error("two keys or elements that are the same in an archive", column)
      }
    }
  }

  private static func need<Key: ArchivableValue>(of type: Key.Type) throws -> KeyCheck {
    let context = TypeEncodingContext()
    var layout = ColumnLayout()
    try layout.append(type.__typeEncoding(in: context))
    if layout.containsReference(0) { return .ofReferences }
    return context.losesDifferences ? .ofValues : .notNeeded
  }

  private static func error(_ found: String, _ column: ColumnWriter) -> ArchiveError {
    let error = ArchiveError(
      .duplicateKey, found: found, expected: "keys that are distinct when they are read again",
      remedy:
        "leave keys as they are while they are in a set or dictionary, and archive what tells them apart")
    return GraphEncoder.of(column).located(error, in: column)
  }
}
