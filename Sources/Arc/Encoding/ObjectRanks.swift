import ArcFormat

/// An order of the objects of a graph by their contents, by the objects that they reach, and by the objects
/// that refer to them. Spec: 05-graph, rule F5.
///
/// Objects that are first reached as keys of a set or dictionary have no rows yet by which they could be
/// ordered. The rank of an object is its position in an order that depends only on the graph.
/// `CanonicalLabelling` computes the order.
final class ObjectRanks {
  private let walker: GraphEncoder
  /// The ranks by row. Row 0 contains the roots.
  private let ranks: [UInt32]

  /// Orders the objects that roots reach. `hooks` are the hooks of the archive.
  ///
  /// - Throws: `notArchivable` if finding the order takes more steps than allowed.
  init(of roots: [any ArchivableValue], hooks: ArchivingHooks) throws {
    // The walker has its own boxes, because it finds boxes in the order in which sets and dictionaries
    // iterate.
    walker = GraphEncoder(options: ArchiveOptions(), hooks: hooks)
    let objects = try walker.walk(roots)
    let names = objects.map { type(of: $0).archiveSchema.name }
    let labelling = CanonicalLabelling(
      try walker.canonicalOrder.graph(of: objects, named: names, roots: roots))
    guard let order = try labelling.order() else {
      // Row 0 contains the roots, and the vertices after the objects are entries and elements.
      let rows = labelling.indistinguishableVertices().filter { $0 > 0 && $0 <= names.count }
      throw Self.ambiguity(rows.map { names[$0 - 1] })
    }
    var ranks = [UInt32](repeating: 0, count: objects.count + 1)
    for (rank, vertex) in order.enumerated() where vertex < ranks.count {
      ranks[vertex] = UInt32(truncatingIfNeeded: rank)
    }
    self.ranks = ranks
  }

  /// Returns the bytes by which keys are ordered if they differ only in objects without rows.
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
