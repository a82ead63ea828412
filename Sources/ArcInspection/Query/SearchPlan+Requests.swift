import ArcArchive
import ArcFormat
import ArcRuntime

// What a search asks of the rows of a class: with a directory of chunks a file's rest is not read.

extension SearchPlan {
  /// The columns of a class that the names of an expression mean, in those of its rows for which a condition
  /// may hold.
  func request(ofClass index: Int, where condition: QueryCondition?) -> RowsRequest {
    let columns = Set(names.flatMap { self.columns(of: $0, inClass: index).columns })
    return RowsRequest(
      classIndex: index, columns: columns.sorted(),
      filter: condition.map { filter($0, ofClass: index) } ?? .everything)
  }

  /// Recursive over parentheses of the expression, which are limited.
  private func filter(_ condition: QueryCondition, ofClass index: Int) -> RowsFilter {
    switch condition {
    case .all(let parts): .all(parts.map { filter($0, ofClass: index) })
    case .any(let parts): .any(parts.map { filter($0, ofClass: index) })
    // For rows that a filter does not exclude the part may hold or not.
    case .not: .everything
    case .test(let test): filter(test, ofClass: index) ?? .everything
    }
  }

  /// The rows for which a test may hold that compares a property of numbers or dates with constants, or one
  /// that the class does not have; nil for any other test. Texts are not compared by their bytes here, as a
  /// directory has them.
  private func filter(_ test: QueryTest, ofClass index: Int) -> RowsFilter? {
    guard case .path(let path) = test.left, let name = path.property else { return nil }
    if columns(of: name, inClass: index).columns.isEmpty, isFalseForNil(test) { return .nothing }
    guard path.steps.count == 1 else { return nil }
    func within(least: ArchiveValue?, most: ArchiveValue?) -> RowsFilter? {
      filter(name, ofClass: index, least: least, most: most)
    }
    switch (test.relation, test.right) {
    case (.equal, .constant(let value)): return within(least: value, most: value)
    // The bound itself is within, which excludes fewer rows.
    case (.less, .constant(let value)), (.lessOrEqual, .constant(let value)):
      return within(least: nil, most: value)
    case (.greater, .constant(let value)), (.greaterOrEqual, .constant(let value)):
      return within(least: value, most: nil)
    case (.isOneOf, .constants(let values)):
      let parts = values.map { within(least: $0, most: $0) }
      return parts.contains { $0 == nil } ? nil : .any(parts.compactMap { $0 })
    default: return nil
    }
  }

  /// Whether a test fails where its path leads nowhere, since the class has no such property.
  private func isFalseForNil(_ test: QueryTest) -> Bool {
    switch test.right {
    case .constant(let value): !ConditionEvaluator.holds(test, .null, [value])
    case .constants, .pattern: !ConditionEvaluator.holds(test, .null, [])
    case .path: false
    }
  }

  private func filter(
    _ name: ValuePath.Name, ofClass index: Int, least: ArchiveValue?, most: ArchiveValue?
  ) -> RowsFilter? {
    let property = columns(of: name, inClass: index)
    guard property.takesStep, property.columns.count == 1, let position = property.columns.first else {
      return nil
    }
    let layout = catalog.file.layouts[index]
    func bound(_ value: ArchiveValue?) -> ArchiveValue? {
      value.flatMap { QueryComparison.bound($0, ofColumn: layout.comparedKind(ofRoot: position)) }
    }
    let (lower, upper) = (bound(least), bound(most))
    guard (lower == nil) == (least == nil), (upper == nil) == (most == nil) else { return nil }
    // Without bounds, the search goes through the values, and throws the error then.
    return (try? ColumnBounds(position, ofClass: index, in: catalog.file, least: lower, most: upper))
      .map(RowsFilter.within)
  }
}

extension RowsFilter {
  /// All rows: nothing is known that excludes any.
  fileprivate static let everything = RowsFilter.all([])
  /// No rows.
  fileprivate static let nothing = RowsFilter.any([])
}

extension ColumnLayout {
  /// The kind of the values of a column, of optionals that of what is in them.
  fileprivate func comparedKind(ofRoot position: Int) -> ColumnKind {
    var node = roots[position]
    while nodes[node].kind == .optional, let wrapped = nodes[node].children.first, wrapped > node {
      node = wrapped
    }
    return nodes[node].kind
  }
}

extension QueryComparison {
  /// The bound that values of a column are compared with where a condition compares them with a constant; nil
  /// if they are not compared as numbers are.
  fileprivate static func bound(_ constant: ArchiveValue, ofColumn kind: ColumnKind) -> ArchiveValue? {
    switch (kind, constant) {
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _), (.uint8, _), (.uint16, _), (.uint32, _),
      (.uint64, _):
      switch constant {
      case .integer, .unsigned: constant
      default: nil
      }
    // As `QueryNumber.order` rounds constants.
    case (.float16, .double(let number)), (.float32, .double(let number)): .double(Double(Float(number)))
    case (.float16, _), (.float32, _), (.float64, _): QueryNumber.double(constant).map(ArchiveValue.double)
    case (.date, .string(let text)): seconds(text).map(ArchiveValue.date)
    default: nil
    }
  }
}
