import ArcFormat

/// An order of the objects of a graph by what they hold, directly and through others, and by who refers to
/// them. Spec: 05-graph, rule F5.
///
/// Objects that are first reached as keys of a set or dictionary have no rows to be ordered by. Their ranks
/// are positions in an order that depends on nothing but the graph, which `CanonicalLabelling` finds.
final class ObjectRanks {
  private let walker: GraphEncoder
  /// Ranks by row; row 0 is that of the roots.
  private let ranks: [UInt32]

  /// The order of what roots reach, in whose archive objects have these hooks.
  ///
  /// - Throws: `notArchivable` if finding the order takes more steps than allowed.
  init(of roots: [any ArchivableValue], hooks: ArchivingHooks) throws {
    // It has boxes of its own, which are found in the order in which sets and dictionaries iterate.
    walker = GraphEncoder(options: ArchiveOptions(), hooks: hooks)
    let objects = try walker.walk(roots)
    let names = objects.map { type(of: $0).archiveSchema.name }
    let labelling = CanonicalLabelling(
      try walker.canonicalOrder.graph(of: objects, named: names, roots: roots))
    guard let order = try labelling.order() else {
      // Row 0 is that of the roots; what follows the objects are entries and elements.
      let rows = labelling.lookAlikes().filter { $0 > 0 && $0 <= names.count }
      throw Self.ambiguity(rows.map { names[$0 - 1] })
    }
    var ranks = [UInt32](repeating: 0, count: objects.count + 1)
    for (rank, vertex) in order.enumerated() where vertex < ranks.count {
      ranks[vertex] = UInt32(truncatingIfNeeded: rank)
    }
    self.ranks = ranks
  }

  /// The bytes by which keys are ordered that are equal but for objects without rows.
  func comparableValues<Key: ArchivableValue>(of keys: [Key]) throws -> [ComparableValues] {
    try walker.canonicalOrder.comparableValues(of: keys, numbers: ranks)
  }

  private static func ambiguity(_ names: [String]) -> ArchiveError {
    let name = names.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return ArchiveError(
      .notArchivable,
      found:
        "too many objects of class '\(name ?? "")' with equal archived values as keys of a set or dictionary",
      expected: "keys that differ in an archived value, by which a canonical archive orders them",
      remedy: "add a property that differs between the objects, or archive without isCanonical")
  }
}
