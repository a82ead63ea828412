import ArcArchive
import ArcFormat
import ArcRuntime

/// Checks that written keys will be distinct when they are read, if their type does not guarantee this. Spec:
/// 05-graph, rule W8.
///
/// A reader would refuse equal keys. Distinct keys become equal in two cases. If keys refer to objects, the
/// objects may have changed after the keys were added. If keys differ only in parts that are not archived,
/// the archived keys are equal. Such a part is a property with `@Transient`, or the part of a value that its
/// wrapper or raw value does not contain.
enum DistinctKeys {
  /// Throws `duplicateKey` if two keys will be equal when they are read. `column` is the column of the set or
  /// dictionary.
  static func check<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, _ column: ColumnWriter
  ) throws {
    if column.keyCheck == .undecided { column.keyCheck = try need(of: Key.self) }
    switch column.keyCheck {
    case .undecided, .notNeeded: break
    case .ofReferences:
      // A new set, because the old set keeps elements separate that have become equal.
      guard Set(Array(keys)).count == keys.count else { throw error("two equal keys or elements") }
    case .ofValues:
      guard try Set(readAgain(keys)).count == keys.count else {
        throw error("two keys or elements with equal archived values")
      }
    }
  }

  /// Archives keys, reads them again and returns the result. Only reading can show whether the archived keys
  /// are equal, because the type's own `==` may depend on parts that are not archived.
  private static func readAgain<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>) throws -> [Key]
  {
    do {
      let encoder = GraphEncoder(options: ArchiveOptions())
      // Reading checks keys in keys, so writing need not check them.
      encoder.checksKeys = false
      let bytes = try encoder.archive(roots: [(ArchiveFile.defaultRoot, Array(keys))])
      var limits = ArchiveLimits.default
      limits.nesting = .max
      let reading = RootReader(classes: ClassTable(), limits: limits, context: ArchiveContext())
      return try bytes.withByteView {
        try reading.root([Key].self, named: ArchiveFile.defaultRoot, from: $0)
      }
    } catch var error as ArchiveError {
      // The location in the temporary archive has no meaning for the caller.
      (error.className, error.key, error.objectID, error.objectPath) = (nil, nil, nil, nil)
      throw error
    }
  }

  /// Returns how the archiver must check the keys of a set or dictionary. A check is needed if keys of the
  /// type `Key` that are distinct now may be equal when they are read.
  private static func need<Key: ArchivableValue>(of type: Key.Type) throws -> KeyCheck {
    let context = __TypeEncodingContext()
    let layout = try ColumnLayout(of: type.__typeEncoding(in: context))
    if layout.containsReference(0) { return .ofReferences }
    return context.losesDifferences ? .ofValues : .notNeeded
  }

  /// Returns the error for two equal keys.
  static func error(_ found: String) -> ArchiveError {
    ArchiveError(
      .duplicateKey, found: found, expected: "keys that are still distinct after reading",
      remedy:
        "do not change keys while they are in a set or dictionary, and archive the properties in which the "
        + "keys differ")
  }
}
