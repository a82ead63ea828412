import ArcArchive
import ArcFormat

/// The sets of objects in a file that retain each other, each with an example of a cycle.
struct ReferenceCycles {
  private let catalog: ObjectCatalog
  private let references: RowReferences
  private let paths: ObjectPaths
  private let components: StrongComponents

  /// Finds the sets of objects that retain each other.
  ///
  /// - Throws: An `ArchiveError` if the file is damaged, or `limitExceeded` if its graph is too large.
  init(_ catalog: ObjectCatalog) throws {
    self.catalog = catalog
    references = try RowReferences(verifying: catalog.file)
    paths = ObjectPaths(catalog, ShortestPaths(in: references))
    components = StrongComponents(references)
  }

  /// The number of sets.
  var count: Int { components.cyclic.count }
  /// The number of objects in all sets.
  var objectCount: Int { components.cyclic.reduce(0) { $0 + $1.count } }

  /// A set of objects that retain each other.
  struct Cycle {
    let objectCount: Int
    /// The classes of the objects, the most frequent first.
    let classes: [(name: String, count: Int)]
    /// The object of the set with the smallest number.
    let example: ObjectID
    /// The number of references in a shortest cycle through the object `example`.
    let length: Int
    /// The path from the object `example` along a shortest cycle, back to this object. For a long cycle, only
    /// the beginning of the path.
    let path: PathText
    /// A path from a root to the object `example`. Nil if no root retains this object.
    let reachedBy: PathText?
  }

  /// Calls `body` with at most `limit` sets, largest set first.
  ///
  /// - Complexity: O(values of the objects in the sets).
  func forEach(atMost limit: Int, _ body: (Cycle) throws -> Void) throws {
    for rows in components.cyclic.prefix(limit) {
      guard let first = rows.first else { continue }
      let example = ObjectID(rawValue: first)
      let cycle = references.shortestCycle(through: rows)
      let isRetained = paths.shortest.predecessor(of: Int(first)) != nil
      try body(
        Cycle(
          objectCount: rows.count, classes: try classes(of: rows), example: example,
          length: max(cycle.count - 1, 0), path: try path(along: cycle, from: example),
          reachedBy: isRetained ? try paths.path(to: example) : nil))
    }
  }

  private func classes(of rows: [UInt32]) throws -> [(name: String, count: Int)] {
    var counts: [Int: Int] = [:]
    for row in rows { counts[try catalog.classIndex(of: ObjectID(rawValue: row)), default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (catalog.file.classes[$0.key].name, $0.value) }
  }

  /// Returns the path along some rows. The path ends before a step that is too long to be printed.
  private func path(along rows: [UInt32], from start: ObjectID) throws -> PathText {
    var path = PathText(start)
    for (owner, target) in zip(rows, rows.dropFirst()).prefix(ObjectPaths.maximumObjectCount) {
      let object = try catalog.file.object(ObjectID(rawValue: owner))
      let matches = ReferenceSearch.references(in: object, catalog) { $0.rawValue == target }
      guard let step = matches.first(where: { !$0.isWeak })?.step else { break }
      path.append(step)
    }
    return path
  }
}
