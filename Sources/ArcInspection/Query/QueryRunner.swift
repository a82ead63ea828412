import ArcArchive
import ArcFormat
import ArcRuntime

/// Evaluates paths and conditions for a file.
struct QueryRunner {
  let catalog: ObjectCatalog

  init(_ catalog: ObjectCatalog) { self.catalog = catalog }

  /// The values or objects at which a path begins, and the remaining steps of the path.
  private enum Beginning {
    /// The value of a root, or an object.
    case value(TypedValue, PathText?, ArraySlice<QueryPath.Step>)
    /// The objects of a class, or all objects.
    case objects(classIndex: Int?, ArraySlice<QueryPath.Step>)
  }

  /// Calls `body` with each value that a path reaches, and with the value's own path, until `body` returns
  /// false. If `countsPaths` is false, an object that is reached on several paths may be reported only once.
  ///
  /// - Throws: `missingRoot`, `unknownClass` or `missingObject` if the file does not have the root, class or
  ///   object at which the path begins; errors of `PathWalker.walk`.
  func forEachValue(
    of path: QueryPath, countsPaths: Bool = true, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws {
    let walker = PathWalker(catalog)
    switch try beginning(of: path) {
    case .value(let value, let text, let steps):
      try walker.walk(
        from: PathWalker.Position(value, steps, path: text, isStrict: true, countsPaths: countsPaths), body)
    case .objects(let classIndex, let steps):
      let (search, rest) = try search(ofClass: classIndex, steps)
      // The walks from all objects share one memory, because several objects can refer to the same object.
      let memory = rest.count > 1 ? WalkMemory() : nil
      for id in try objects(search, rest.first) {
        let isLast = if case .step(.index)? = rest.first { true } else { false }
        var start = PathWalker.Position(
          TypedValue(.reference(id)), isLast ? rest.dropFirst() : rest, path: PathText(id),
          countsPaths: countsPaths)
        start.memory = memory
        guard try walker.walk(from: start, body) else { return }
      }
    }
  }

  /// Calls `body` once with each object that a query finds. The second argument of `body` is the same object,
  /// in the form that conditions test. If the query is a path, it finds the objects that the path reaches. If
  /// the path reaches a collection, the query finds its elements.
  ///
  /// `results` are the paths that `body` follows from each object.
  ///
  /// - Throws: `typeMismatch` if a path reaches values that are not objects.
  func forEachObject(
    of query: Query, results: [QueryPath] = [],
    _ body: (ObjectID, ConditionEvaluator.Subject) throws -> Void
  ) throws {
    switch query {
    case .condition(let condition):
      try ObjectSearch(catalog, ofClass: nil, where: condition, results: results).forEachObject(body)
    case .path(let path):
      if let condition = try condition(path) {
        return try forEachObject(of: .condition(condition), results: results, body)
      }
      if case .objects(let classIndex, let steps) = try beginning(of: path) {
        let (search, rest) = try search(ofClass: classIndex, steps, results: results)
        if rest.isEmpty { return try search.forEachObject(body) }
      }
      var seen: Set<ObjectID> = []
      try forEachValue(of: path, countsPaths: false) { value, _ in
        for element in value.isCollection ? (0..<value.childCount).map(value.child) : [value] {
          guard case .reference(let id) = element.value else {
            throw QueryError(
              .typeMismatch, found: "a path to values that are not objects", expected: "a path to objects",
              remedy: "print values with arcdump get, or find objects by a value with *[name == …]")
          }
          if let id, seen.insert(id).inserted { try body(id, .value(TypedValue(.reference(id)))) }
        }
        return true
      }
    }
  }

  /// Treats a path that begins with a property as a condition: the path must reach a value. Returns this
  /// condition. Nil if the path begins with a root or a class, or if no class has the property.
  private func condition(_ path: QueryPath) throws -> QueryCondition? {
    guard let name = path.property, try catalog.property(name, of: catalog.roots()) == nil,
      beginningClass(path.steps[...]) == nil,
      catalog.file.classes.indices.dropFirst().contains(where: {
        !catalog.columns(named: name, ofClass: $0).isEmpty
      })
    else { return nil }
    return .test(
      QueryTest(number: 0, left: .path(path), relation: .holds, right: .constant(.null)))
  }

  /// Returns the object that a path reaches.
  ///
  /// - Throws: `missingObject` if the path reaches no object or several objects.
  func object(at path: QueryPath, _ text: String) throws -> ObjectID {
    var found: ObjectID?
    var isSeveral = false
    try forEachValue(of: path) { value, _ in
      guard case .reference(let id?) = value.value else {
        throw QueryError(
          .missingObject, found: "a value that is not an object at '\(text)'", expected: "an object")
      }
      isSeveral = found.map { $0 != id } ?? false
      found = id
      return !isSeveral
    }
    guard let found, !isSeveral else {
      throw QueryError(
        .missingObject, found: "\(isSeveral ? "several objects" : "no object") at '\(text)'",
        expected: "a single object",
        remedy: "list the objects with arcdump find")
    }
    return found
  }

  // MARK: Beginnings

  /// Returns the objects that a search finds. If `step` is an index, returns only the object at this index of
  /// the result.
  private func objects(_ search: ObjectSearch, _ step: QueryPath.Step?) throws -> [ObjectID] {
    let ids = try search.objects()
    guard case .step(.index(let index))? = step else { return ids }
    guard let offset = index.position(in: ids.count) else {
      throw QueryError(
        .missingKey, found: "the index \(index) in a search result of \(plural(ids.count, "object"))",
        expected: "the index of an object in the search result",
        remedy: "write '#\(index)' to select the object with number \(index)")
    }
    return [ids[offset]]
  }

  /// Returns a search for the objects of a class, and the remaining steps of a path. If the first step is a
  /// filter, the search has the filter's condition, and the remaining steps begin after the filter.
  private func search(
    ofClass classIndex: Int?, _ steps: ArraySlice<QueryPath.Step>, results: [QueryPath] = []
  ) throws -> (ObjectSearch, ArraySlice<QueryPath.Step>) {
    if case .filter(let condition)? = steps.first {
      let rest = steps.dropFirst()
      return (try search(ofClass: classIndex, condition, rest.first, results), rest)
    }
    return (try search(ofClass: classIndex, nil, steps.first, results), steps)
  }

  private func search(
    ofClass classIndex: Int?, _ condition: QueryCondition?, _ step: QueryPath.Step?, _ results: [QueryPath]
  ) throws -> ObjectSearch {
    let search = try ObjectSearch(catalog, ofClass: classIndex, where: condition, results: results)
    if let name = step?.name { try search.check(name) }
    return search
  }

  private func beginning(of path: QueryPath) throws -> Beginning {
    let steps = path.steps[...]
    switch path.start {
    case .object(let id, let className):
      try check(id, className)
      return .value(TypedValue(.reference(id)), PathText(id), steps)
    case .objects(let className):
      guard let index = catalog.classIndex(named: className) else { throw unknown(className) }
      return .objects(classIndex: index, steps)
    case .allObjects: return .objects(classIndex: nil, steps)
    case .value:
      throw QueryError(
        .malformedExpression, found: "'@' at the beginning of a path",
        expected: "the name of a root or a class")
    case .onlyRoot:
      let roots = try catalog.roots()
      guard roots.properties.count == 1, let property = roots.properties.first else {
        throw QueryError(
          .missingRoot, found: "a path without the name of a root",
          expected: "a root (\(QueryError.choice(roots.properties.map(\.key))))")
      }
      return .value(catalog.value(of: property, in: roots), PathText(root: property.key), steps)
    case .name: return try beginning(ofSteps: steps)
    }
  }

  /// Returns the beginning of a path whose first steps are names. A root has precedence over a class with the
  /// same name. The path may omit the name of the only root.
  private func beginning(ofSteps steps: ArraySlice<QueryPath.Step>) throws -> Beginning {
    guard let name = steps.first?.name else { return .objects(classIndex: nil, steps) }
    let roots = try catalog.roots()
    if let property = catalog.property(name, of: roots) {
      let value = catalog.value(of: property, in: roots)
      return .value(value, PathText(root: property.key), steps.dropFirst())
    }
    if let (classIndex, stepCount) = beginningClass(steps) {
      return .objects(classIndex: classIndex, steps.dropFirst(stepCount))
    }
    if roots.properties.count == 1, let property = roots.properties.first,
      try hasValue(named: name, property.value)
    {
      return .value(catalog.value(of: property, in: roots), PathText(root: property.key), steps)
    }
    throw unknown(name.text)
  }

  /// Returns whether a value is an object with a property of this name, or a structure with a field of this
  /// name.
  private func hasValue(named name: ValuePath.Name, _ value: ArchiveValue) throws -> Bool {
    switch value {
    case .reference(let id?): try catalog.property(name, of: catalog.file.object(id)) != nil
    case .structure(_, let fields): fields.index(ofField: name) != nil
    default: false
    }
  }

  /// Returns the class that the first steps of a path name, and the number of these steps. The parser reads
  /// the name of a nested class as several steps, because the name contains dots. Nil if the steps name no
  /// class.
  private func beginningClass(_ steps: ArraySlice<QueryPath.Step>) -> (index: Int, stepCount: Int)? {
    var names: [String] = []
    var found: (index: Int, stepCount: Int)?
    for case let part? in steps.prefix(16).map(\.name).prefix(while: { $0 != nil }) {
      names.append(part.text)
      if let index = catalog.classIndex(named: names.joined(separator: ".")) { found = (index, names.count) }
    }
    return found
  }

  private func unknown(_ name: String) -> QueryError {
    let roots = catalog.file.classes[0].columns.map(\.key)
    let classes = catalog.file.classes.dropFirst().map(\.name)
    return QueryError(
      roots.isEmpty ? .unknownClass : .missingRoot, found: "the unknown name '\(name)'",
      expected: "a root (\(QueryError.choice(roots))) or a class (\(QueryError.choice(classes)))")
  }

  /// Throws if no object has this number. Also throws if the object does not belong to the class `className`
  /// or one of its subclasses.
  private func check(_ id: ObjectID, _ className: String?) throws {
    guard id.rawValue > 0, Int(id.rawValue) <= catalog.objectCount else {
      throw QueryError(
        .missingObject, found: "the unknown object number \(id)",
        expected: "an object number from #1 to #\(catalog.objectCount)")
    }
    guard let className else { return }
    guard let index = catalog.classIndex(named: className) else { throw unknown(className) }
    let own = try catalog.classIndex(of: id)
    guard catalog.isFamily(ofClass: index)[own] else {
      throw QueryError(
        .missingObject, found: "object \(id) of class '\(catalog.file.classes[own].name)'",
        expected: "an object of class '\(className)'")
    }
  }
}

extension Int128 {
  /// Converts this index to an offset in a collection of `count` elements. A negative index counts from the
  /// end. Nil if there is no such element.
  func position(in count: Int) -> Int? {
    guard let position = Int(exactly: self < 0 ? self + Int128(count) : self), (0..<count).contains(position)
    else { return nil }
    return position
  }
}
