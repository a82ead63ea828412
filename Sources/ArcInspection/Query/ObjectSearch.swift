import ArcArchive
import ArcFormat
import ArcRuntime

/// A search for the objects for which a condition holds. It reads one segment at a time, and only the columns
/// that the condition names.
///
/// If the command trusts the file's chunk directory, the search skips segments whose range of numbers or
/// dates excludes a match.
struct ObjectSearch {
  let catalog: ObjectCatalog
  private let condition: QueryCondition?
  private let plan: SearchPlan
  private let isWanted: [Bool]
  /// The results of tests for strings of the file, by test and string.
  let testCache = StringTestCache()

  /// Creates a search for objects of a class and its subclasses. If `classIndex` is nil, searches all
  /// classes.
  ///
  /// `results` are the paths that the caller follows from each found object. The search also reads the first
  /// property of each of these paths.
  ///
  /// - Throws: `missingKey` if the condition or a result path names a property that none of the searched
  ///   classes has.
  init(
    _ catalog: ObjectCatalog, ofClass classIndex: Int?, where condition: QueryCondition?,
    results: [QueryPath] = []
  ) throws {
    self.catalog = catalog
    self.condition = condition
    plan = SearchPlan(catalog, condition, results: results)
    var isWanted =
      classIndex.map(catalog.isFamily) ?? Array(repeating: true, count: catalog.file.classes.count)
    isWanted[0] = false
    self.isWanted = isWanted
    for name in plan.names { try Self.check(name, in: isWanted, plan) }
  }

  private static func check(_ name: ValuePath.Name, in isWanted: [Bool], _ plan: SearchPlan) throws {
    let classes = isWanted.indices.filter { isWanted[$0] }
    guard !classes.contains(where: { !plan.columns(of: name, inClass: $0).columns.isEmpty }) else { return }
    var seen: Set<ExactName> = []
    let known = classes.lazy.flatMap { plan.catalog.names(ofClass: $0) }
      .filter { seen.insert(ExactName($0)).inserted }
    throw QueryError(
      .missingKey, found: "no property '\(name.text)'",
      expected: "a property of the searched classes: \(QueryError.choice(known))",
      remedy: "list the properties with arcdump classes")
  }

  /// Throws `missingKey` if none of the searched classes has the property.
  func check(_ name: ValuePath.Name) throws { try Self.check(name, in: isWanted, plan) }

  /// Calls `body` with each object for which the condition holds, in the order of segments and, in each
  /// segment, of classes.
  ///
  /// - Throws: An error of `body`, or an `ArchiveError` if a segment is damaged.
  /// - Complexity: O(bytes of the named columns), and the time to follow paths through other objects.
  func forEachObject(_ body: (ObjectID, ConditionEvaluator.Subject) throws -> Void) throws {
    let evaluator = ConditionEvaluator(catalog)
    let requests = isWanted.indices.filter { isWanted[$0] }
      .map { plan.request(ofClass: $0, where: condition) }
    try catalog.file.forEachBatch(of: requests) { classIndex, ids, batch in
      let columns = SearchColumns(classIndex: classIndex, ids: ids, layout: catalog.file.layouts[classIndex])
      try columns.read(batch, plan, testCache)
      for (index, id) in ids.enumerated() {
        let row = ConditionEvaluator.Subject.row(columns, index)
        if let condition, try !evaluator.holds(condition, for: row) { continue }
        try body(id, row)
      }
    }
  }

  /// Returns the objects for which the condition holds, in the order of their numbers.
  func objects() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachObject { id, _ in ids.append(id) }
    return ids.sorted()
  }
}
