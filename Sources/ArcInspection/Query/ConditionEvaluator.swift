import ArcArchive
import ArcFormat
import ArcRuntime

/// Tests whether a condition holds for an object or a value.
///
/// If a path reaches several values, one match suffices. A path that reaches no value is compared like nil.
struct ConditionEvaluator {
  /// The object or value that a condition tests.
  enum Subject {
    case value(TypedValue)
    /// An object, as the columns of its class and the index of the object in these columns.
    case row(SearchColumns, Int)
  }

  let catalog: ObjectCatalog

  init(_ catalog: ObjectCatalog) { self.catalog = catalog }

  /// Returns whether a condition holds. The recursion follows the parentheses of the expression, whose depth
  /// is limited.
  func holds(_ condition: QueryCondition, for subject: Subject) throws -> Bool {
    switch condition {
    case .all(let parts): return try parts.allSatisfy { try holds($0, for: subject) }
    case .any(let parts): return try parts.contains { try holds($0, for: subject) }
    case .not(let part): return try !holds(part, for: subject)
    case .test(let test):
      if case .row(let columns, let index) = subject, let known = columns.answers[test.number] {
        return known[index]
      }
      return try holds(test, for: subject)
    }
  }

  private func holds(_ test: QueryTest, for subject: Subject) throws -> Bool {
    var others: [ArchiveValue] = []
    try forEachValue(of: test.right, for: subject) {
      others.append($0)
      return true
    }
    var holds = false
    try forEachValue(of: test.left, for: subject) { value in
      holds = Self.holds(test, value, others)
      return !holds
    }
    return holds
  }

  /// Returns whether a test holds for `value`, which is a value of the test's left operand. `others` are the
  /// values of the test's right operand.
  static func holds(_ test: QueryTest, _ value: ArchiveValue, _ others: [ArchiveValue]) -> Bool {
    guard case .string(let text) = value else { return holdsAnew(test, value, others) }
    if case .path = test.right { return holdsAnew(test, value, others) }
    return test.answers.number(of: text) { holdsAnew(test, value, others) ? 1 : 0 } == 1
  }

  private static func holdsAnew(_ test: QueryTest, _ value: ArchiveValue, _ others: [ArchiveValue]) -> Bool {
    switch (test.relation, test.right) {
    case (.holds, _):
      switch value {
      case .null, .nestedNull, .bool(false), .reference(nil), .array([]), .set([]), .dictionary([]):
        return false
      default: return true
      }
    case (.isOneOf, .constants(let constants)):
      return constants.contains { holds(value, .equal, $0) }
    case (.matches, .pattern(let pattern)):
      return anyElement(of: value) { QueryComparison.text($0).map(pattern.matches) ?? false }
    default: return others.contains { holds(value, test.relation, $0) }
    }
  }

  private static func holds(
    _ value: ArchiveValue, _ relation: QueryTest.Operator, _ other: ArchiveValue
  ) -> Bool {
    guard value.elementCount != nil else {
      return anyElement(of: other) { QueryComparison.holds(value, relation, $0) }
    }
    // `contains` finds an element of a collection, or a substring of a string.
    if relation == .contains { return anyElement(of: value) { QueryComparison.holds($0, .equal, other) } }
    return value == other || anyElement(of: value) { QueryComparison.holds($0, relation, other) }
  }

  /// Returns whether `body` returns true for one of the elements of a collection. For a value that is not a
  /// collection, returns the result of `body` for the value itself.
  private static func anyElement(of value: ArchiveValue, _ body: (ArchiveValue) -> Bool) -> Bool {
    if let elements = value.elements { return elements.contains(where: body) }
    return value.elementCount == nil ? body(value) : value.children(keys: .none).contains { body($0.value) }
  }

  // MARK: Values

  /// Calls `body` with each value of an operand until `body` returns false. If the operand is a path that
  /// reaches no value, calls `body` with `null`.
  func forEachValue(
    of operand: QueryTest.Operand, for subject: Subject, _ body: (ArchiveValue) throws -> Bool
  ) throws {
    switch operand {
    case .constant(let value): _ = try body(value)
    case .constants, .pattern: break
    case .path(let path):
      var isAny = false
      try forEachValue(of: path, for: subject, countsPaths: false) { value in
        isAny = true
        return try body(value.value)
      }
      if !isAny { _ = try body(.null) }
    }
  }

  /// Calls `body` with each value that a path reaches until `body` returns false. If `countsPaths` is false,
  /// an object that is reached on several paths may be reported only once.
  func forEachValue(
    of path: QueryPath, for subject: Subject, countsPaths: Bool = true, _ body: (TypedValue) throws -> Bool
  ) throws {
    var steps = path.steps[...]
    let start: TypedValue
    switch (path.start, subject) {
    case (.object(let id, _), _): start = TypedValue(.reference(id))
    case (.name, .row(let columns, let index)):
      guard let name = steps.first?.name, let value = columns.value(named: name, at: index) else {
        return
      }
      if value.takesStep { steps.removeFirst() }
      start = value.value
    case (_, .value(let value)): start = value
    case (_, .row(let columns, let index)): start = TypedValue(.reference(columns.ids[index]))
    }
    try PathWalker(catalog).walk(from: PathWalker.Position(start, steps, countsPaths: countsPaths)) {
      value, _ in
      try body(value)
    }
  }
}
