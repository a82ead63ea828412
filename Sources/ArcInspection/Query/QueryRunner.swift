import ArcArchive
import ArcFormat
import ArcRuntime

/// Answers queries about a file.
struct QueryRunner {
  let catalog: ObjectCatalog

  init(_ catalog: ObjectCatalog) { self.catalog = catalog }

  /// Where a path begins, and the steps from there.
  private enum Beginning {
    /// A value: of a root, or an object.
    case value(TypedValue, PathText?, ArraySlice<QueryPath.Step>)
    /// The objects of a class, or of all.
    case objects(classIndex: Int?, ArraySlice<QueryPath.Step>)
  }

  /// Calls `body` with each value that a path leads to, and the way to it, until it returns false. Where ways
  /// do not count, perhaps once for an object that several lead to.
  ///
  /// - Throws: `missingRoot`, `unknownClass` or `missingObject` if the path begins with nothing, and what
  ///   `PathWalker.walk` throws.
  func forEachValue(
    of path: QueryPath, countsWays: Bool = true, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws {
    let walker = PathWalker(catalog)
    switch try beginning(of: path) {
    case .value(let value, let text, let steps):
      try walker.walk(
        from: PathWalker.Position(value, steps, path: text, isStrict: true, countsWays: countsWays), body)
    case .objects(let classIndex, let steps):
      let (search, rest) = try search(ofClass: classIndex, steps)
      // Objects of which some lead to the same others have one memory.
      let memory = rest.count > 1 ? WalkMemory() : nil
      for id in try objects(search, rest.first) {
        let isLast = if case .step(.index)? = rest.first { true } else { false }
        var start = PathWalker.Position(
          TypedValue(.reference(id)), isLast ? rest.dropFirst() : rest, path: PathText(id),
          countsWays: countsWays)
        start.memory = memory
        guard try walker.walk(from: start, body) else { return }
      }
    }
  }

  /// Calls `body` with each object that a query asks for: of a path, those that its values are or lead to. An
  /// object that several values lead to is given once.
  ///
  /// `results` are paths that `body` follows from each object.
  ///
  /// - Throws: `typeMismatch` if the values of a path are no objects.
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
      try forEachValue(of: path, countsWays: false) { value, _ in
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

  /// The condition that a path is where it begins with a property, not with a root or a class: that there is
  /// something.
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

  /// The object that a path leads to.
  ///
  /// - Throws: `missingObject` if it leads to no object, or to several.
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

  /// The objects of a search, or the one of them that an index asks for.
  private func objects(_ search: ObjectSearch, _ step: QueryPath.Step?) throws -> [ObjectID] {
    let ids = try search.objects()
    guard case .step(.index(let index))? = step else { return ids }
    guard let place = index.position(in: ids.count) else {
      throw QueryError(
        .missingKey, found: "the index \(index) in a search result of \(plural(ids.count, "object"))",
        expected: "the index of an object in the search result",
        remedy: "write '#\(index)' to select the object with number \(index)")
    }
    return [ids[place]]
  }

  /// The search that the first step asks for, and the steps that are left.
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

  /// A root counts before a class of that name. Of a file with one root, its name may be left out.
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

  /// Whether a value is an object with a property, or a structure with a field, of a name.
  private func hasValue(named name: ValuePath.Name, _ value: ArchiveValue) throws -> Bool {
    switch value {
    case .reference(let id?): try catalog.property(name, of: catalog.file.object(id)) != nil
    case .structure(_, let fields): fields.index(ofField: name) != nil
    default: false
    }
  }

  /// The class whose name the first steps are, and how many of them: the name of a nested class has points.
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

  /// Throws unless there is an object with a number, and it is of a class.
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
  /// The position of the element with this index among `count` elements: a negative index counts from the
  /// end. Nil if there is no such element.
  func position(in count: Int) -> Int? {
    guard let position = Int(exactly: self < 0 ? self + Int128(count) : self), (0..<count).contains(position)
    else { return nil }
    return position
  }
}
