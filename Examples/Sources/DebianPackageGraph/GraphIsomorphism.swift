/// A simultaneous walk through two package graphs, which determines whether one is an exact copy of the
/// other.
///
/// The graphs are isomorphic if a bijection of their objects preserves classes, values and references,
/// including weak references. Then the copy shares an object exactly where the original shares it. The walk
/// does not use Arc, because it checks Arc's result. It uses an array of pairs instead of recursion.
///
///     let objectCount = try GraphIsomorphism.verify(original: database, copy: copy)
struct GraphIsomorphism {
  /// Two objects that must correspond, with the same static type.
  enum Pair {
    case database(PackageDatabase, PackageDatabase)
    case package(Package, Package)
    case dependency(Dependency, Dependency)
    case maintainer(Maintainer, Maintainer)
  }

  /// The step from one object to the next. It is only converted to text for a difference.
  enum Step {
    case property(StaticString)
    case element(StaticString, Int, StaticString = "")
    case entry(StaticString, String)
    case count(StaticString)
  }

  private struct Visit {
    let pair: Pair
    /// The visit that found this pair.
    let parent: Int
    let step: Step
  }

  /// The pairs in the order of their discovery, breadth first. The pairs before `current` have been compared.
  private var visits: [Visit] = []
  private var current = 0
  private var visitOfOriginal: [ObjectIdentifier: Int] = [:]
  private var visitOfCopy: [ObjectIdentifier: Int] = [:]

  /// Compares the graphs that two databases reach.
  ///
  /// - Returns: the number of objects in each graph.
  /// - Throws: the first `GraphDifference` in breadth-first order.
  /// - Complexity: O(objects + references), constant stack.
  @discardableResult
  static func verify(original: PackageDatabase, copy: PackageDatabase) throws(GraphDifference) -> Int {
    var walk = GraphIsomorphism()
    try walk.match(original, copy, .property("database"), Pair.database)
    while walk.current < walk.visits.count {
      try walk.compare(walk.visits[walk.current].pair)
      walk.current += 1
    }
    return walk.visits.count
  }
}

// MARK: - References

extension GraphIsomorphism {
  /// Requires that two references refer to corresponding objects. Adds a new pair to the pairs that are
  /// compared.
  mutating func match<Object: AnyObject>(
    _ original: Object?, _ copy: Object?, _ step: Step, _ pair: (Object, Object) -> Pair
  ) throws(GraphDifference) {
    guard let original, let copy else {
      if original == nil, copy == nil { return }
      throw difference(.presence, step, original == nil ? "nil" : "object", copy == nil ? "nil" : "object")
    }
    let known = visitOfOriginal[ObjectIdentifier(original)]
    let knownOfCopy = visitOfCopy[ObjectIdentifier(copy)]
    guard known == knownOfCopy else {
      throw difference(.identity, step, identity(known), identity(knownOfCopy))
    }
    if known != nil { return }
    guard type(of: original) == type(of: copy) else {
      throw difference(.dynamicClass, step, "\(type(of: original))", "\(type(of: copy))")
    }
    visitOfOriginal[ObjectIdentifier(original)] = visits.count
    visitOfCopy[ObjectIdentifier(copy)] = visits.count
    visits.append(Visit(pair: pair(original, copy), parent: current, step: step))
  }

  private func identity(_ visit: Int?) -> String {
    visit.map { "the object at \(path(to: $0))" } ?? "a new object"
  }
}

// MARK: - Values

extension GraphIsomorphism {
  /// Requires that two values are equal.
  func require<Value: Equatable>(_ original: Value?, _ copy: Value?, _ step: Step) throws(GraphDifference) {
    guard original == copy else {
      throw difference(.value, step, original.map { "\($0)" } ?? "nil", copy.map { "\($0)" } ?? "nil")
    }
  }

  /// Requires that two strings have the same bytes, because `==` would accept another Unicode normalization.
  func require(_ original: String?, _ copy: String?, _ step: Step) throws(GraphDifference) {
    guard Self.haveEqualBytes(original, copy) else {
      throw difference(.value, step, original?.debugDescription ?? "nil", copy?.debugDescription ?? "nil")
    }
  }

  /// Requires that two sets contain the same strings, byte for byte.
  func require(
    _ original: Set<String>, _ copy: Set<String>, _ property: StaticString
  ) throws(GraphDifference) {
    try require(original.count, copy.count, .count(property))
    for text in original {
      let other = copy.firstIndex(of: text).map { copy[$0] }
      try require(text, other, .entry(property, text))
    }
  }

  /// Requires that two dictionaries contain the same keys and strings, byte for byte.
  func require(
    _ original: [String: String], _ copy: [String: String], _ property: StaticString
  ) throws(GraphDifference) {
    try require(Set(original.keys), Set(copy.keys), property)
    for (key, text) in original {
      try require(text, copy[key], .entry(property, key))
    }
  }

  private static func haveEqualBytes(_ first: String?, _ second: String?) -> Bool {
    switch (first, second) {
    case (nil, nil): true
    case (let first?, let second?): first.utf8.elementsEqual(second.utf8)
    default: false
    }
  }
}

// MARK: - Paths

extension GraphIsomorphism {
  private func difference(
    _ code: GraphDifference.Code, _ step: Step, _ original: String, _ copy: String
  ) -> GraphDifference {
    let steps = steps(to: current) + [step]
    return GraphDifference(code: code, path: Self.path(of: steps), original: original, copy: copy)
  }

  private func path(to visit: Int) -> String {
    let steps = steps(to: visit)
    return steps.isEmpty ? "database" : Self.path(of: steps)
  }

  /// Returns the steps from the database, which is visit 0, to a visit.
  private func steps(to visit: Int) -> [Step] {
    var steps: [Step] = []
    var index = visit
    while index > 0 {
      steps.append(visits[index].step)
      index = visits[index].parent
    }
    return steps.reversed()
  }

  private static func path(of steps: [Step]) -> String {
    steps.map { step in
      switch step {
      case .property(let name): "\(name)"
      case .element(let name, let index, let rest): "\(name)[\(index)]\(rest)"
      case .entry(let name, let key): "\(name)[\(key.debugDescription)]"
      case .count(let name): "\(name).count"
      }
    }.joined(separator: ".")
  }
}
