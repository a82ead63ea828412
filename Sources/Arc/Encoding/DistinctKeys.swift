import ArcArchive
import ArcFormat
import ArcRuntime

/// Checks that keys to be written will be distinct when they are read, where their types do not guarantee it.
/// Spec: 05-graph, rule W8.
///
/// Keys that refer to objects can have become equal since they were added. Of two values, what tells them
/// apart may be left out of archives: a property with `@Transient`, or what a wrapper or a raw value does not
/// show. A reader would refuse either.
enum DistinctKeys {
  /// Throws `duplicateKey` for two keys that will be equal when they are read. `column` is that of the set or
  /// dictionary.
  static func check<Key: Hashable & ArchivableValue>(
    _ keys: some Collection<Key>, _ column: ColumnWriter
  ) throws {
    if column.keyCheck == .undecided { column.keyCheck = try need(of: Key.self) }
    switch column.keyCheck {
    case .undecided, .notNeeded: break
    case .ofReferences:
      // A new set: the old one keeps elements apart that became equal.
      guard Set(Array(keys)).count == keys.count else { throw error("two equal keys or elements") }
    case .ofValues:
      guard try Set(readAgain(keys)).count == keys.count else {
        throw error("two keys or elements with equal archived values")
      }
    }
  }

  /// Keys as they are read from an archive of their own. Only that can tell: the type's own `==` may depend
  /// on what is left out.
  private static func readAgain<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>) throws -> [Key]
  {
    do {
      let encoder = GraphEncoder(options: ArchiveOptions())
      // Reading checks the keys within keys, so writing need not.
      encoder.checksKeys = false
      let bytes = try encoder.archive(roots: [(ArchiveFile.defaultRoot, Array(keys))])
      var limits = ArchiveLimits.default
      limits.nesting = .max
      let reading = RootReader(classes: ClassTable(), limits: limits, context: ArchiveContext())
      return try bytes.withByteView {
        try reading.root([Key].self, named: ArchiveFile.defaultRoot, from: $0)
      }
    } catch var error as ArchiveError {
      // Where it is in that archive says nothing to anybody.
      (error.className, error.key, error.objectID, error.objectPath) = (nil, nil, nil, nil)
      throw error
    }
  }

  /// Which check the keys of a type need.
  private static func need<Key: ArchivableValue>(of type: Key.Type) throws -> KeyCheck {
    let context = __TypeEncodingContext()
    let layout = try ColumnLayout(of: type.__typeEncoding(in: context))
    if layout.containsReference(0) { return .ofReferences }
    return context.losesDifferences ? .ofValues : .notNeeded
  }

  /// The error about two of the keys.
  static func error(_ found: String) -> ArchiveError {
    ArchiveError(
      .duplicateKey, found: found, expected: "keys that are still distinct after reading",
      remedy:
        "do not change keys while they are in a set or dictionary, and archive the properties in which the "
        + "keys differ")
  }
}
