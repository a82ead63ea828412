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
    guard column.keyCheck != .notNeeded, keys.count > 1, GraphEncoder.of(column).mode == .writing else {
      return
    }
    if column.keyCheck == .undecided { column.keyCheck = try need(of: Key.self) }
    switch column.keyCheck {
    case .undecided, .notNeeded: break
    case .ofReferences:
      // Made anew: a set keeps elements that became equal apart.
      guard Set(Array(keys)).count == keys.count else { throw error("two equal keys or elements", column) }
    case .ofValues:
      let keys = Array(keys)
      var seen: Set<ComparableValues> = []
      let values = try GraphEncoder.of(column).comparableValues(of: keys, column.__child(0))
      for place in values.indices where !seen.insert(values[place]).inserted {
        // Not so for those that equal nothing, as NaN.
        guard keys[place] == keys[place] else { continue }
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
