import ArcArchive
import ArcFormat
import ArcRuntime

/// Finds objects by what their columns hold: a segment at a time, and of a class only the columns that the
/// condition names. Where the file's directory of chunks is believed, segments are passed over in which
/// there is nothing to find, by the condition's numbers and dates.
struct ObjectSearch {
  let catalog: ObjectCatalog
  private let condition: QueryCondition?
  private let plan: SearchPlan
  private let isWanted: [Bool]
  /// What tests said of texts.
  let texts = TextAnswers()

  /// A search among the objects of a class and of those that descend from it, or of all classes.
  ///
  /// `results` are paths whose properties are read of each object that is found.
  ///
  /// - Throws: `missingKey` if no such class has a property that is named.
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

  /// Throws `missingKey` unless one of the classes has a property.
  func check(_ name: ValuePath.Name) throws { try Self.check(name, in: isWanted, plan) }

  /// Calls `body` with each object for which the condition holds: in the order of segments, and in each in
  /// that of classes.
  ///
  /// - Throws: what is wrong with a segment, or what `body` throws.
  /// - Complexity: O(bytes of the columns named), and what paths through other objects take.
  func forEachObject(_ body: (ObjectID, ConditionEvaluator.Subject) throws -> Void) throws {
    let evaluator = ConditionEvaluator(catalog)
    let requests = isWanted.indices.filter { isWanted[$0] }
      .map { plan.request(ofClass: $0, where: condition) }
    try catalog.file.forEachBatch(of: requests) { classIndex, ids, batch in
      let columns = SearchColumns(classIndex: classIndex, ids: ids, layout: catalog.file.layouts[classIndex])
      try columns.read(batch, plan, texts)
      for (index, id) in ids.enumerated() {
        let row = ConditionEvaluator.Subject.row(columns, index)
        if let condition, try !evaluator.holds(condition, for: row) { continue }
        try body(id, row)
      }
    }
  }

  /// The objects for which the condition holds, in the order of their numbers.
  func objects() throws -> [ObjectID] {
    var ids: [ObjectID] = []
    try forEachObject { id, _ in ids.append(id) }
    return ids.sorted()
  }
}
