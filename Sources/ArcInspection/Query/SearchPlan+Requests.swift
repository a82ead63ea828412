import ArcArchive
import ArcFormat
import ArcRuntime

// The columns and rows that a search requests. In a file with a chunk directory, the other parts are not
// read.

extension SearchPlan {
  /// Returns a request for rows of a class, with the columns to which the expression refers. The request may
  /// omit rows for which the condition does not hold.
  func request(ofClass index: Int, where condition: QueryCondition?) -> RowsRequest {
    let columns = Set(names.flatMap { self.columns(of: $0, inClass: index).columns })
    return RowsRequest(
      classIndex: index, columns: columns.sorted(),
      filter: condition.map { filter($0, ofClass: index) } ?? .everything)
  }

  /// Returns a filter that includes each row for which the condition holds. The recursion follows the
  /// parentheses of the expression, whose depth is limited.
  private func filter(_ condition: QueryCondition, ofClass index: Int) -> RowsFilter {
    switch condition {
    case .all(let parts): .all(parts.map { filter($0, ofClass: index) })
    case .any(let parts): .any(parts.map { filter($0, ofClass: index) })
    // A filter includes rows for which its condition does not hold, so its complement would exclude matches.
    case .not: .everything
    case .test(let test): filter(test, ofClass: index) ?? .everything
    }
  }

  /// Returns a filter that excludes rows for which a test fails. Nil if no filter is possible. A filter is
  /// possible if the test compares a number or date property with constants, or if the class does not have
  /// the property. It is not possible for strings: the chunk directory orders them by their bytes, but a
  /// query does not.
  private func filter(_ test: QueryTest, ofClass index: Int) -> RowsFilter? {
    guard case .path(let path) = test.left, let name = path.property else { return nil }
    if columns(of: name, inClass: index).columns.isEmpty, isFalseForNil(test) { return .nothing }
    guard path.steps.count == 1 else { return nil }
    func within(least: ArchiveValue?, most: ArchiveValue?) -> RowsFilter? {
      filter(name, ofClass: index, least: least, most: most)
    }
    switch (test.relation, test.right) {
    case (.equal, .constant(let value)): return within(least: value, most: value)
    // The filter includes rows that equal the bound. It excludes fewer rows than the test.
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

  /// Returns whether a test certainly fails for nil. Used for classes without the tested property, whose
  /// value is then nil.
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
    // If the bounds cannot be read, all rows are searched, and reading their values throws the error.
    return (try? ColumnBounds(position, ofClass: index, in: catalog.file, least: lower, most: upper))
      .map(RowsFilter.within)
  }
}

extension RowsFilter {
  /// A filter that includes all rows.
  fileprivate static let everything = RowsFilter.all([])
  /// A filter that includes no row.
  fileprivate static let nothing = RowsFilter.any([])
}

extension ColumnLayout {
  /// Returns the kind of a column's values. For optionals, returns the kind of the wrapped values.
  fileprivate func comparedKind(ofRoot position: Int) -> ColumnKind {
    var node = roots[position]
    while nodes[node].kind == .optional, let wrapped = nodes[node].children.first, wrapped > node {
      node = wrapped
    }
    return nodes[node].kind
  }
}

extension QueryComparison {
  /// Converts a constant to a bound that can be compared with the minimum and maximum of each chunk of a
  /// column. Nil if the column's values cannot be compared with the constant as numbers or dates.
  fileprivate static func bound(_ constant: ArchiveValue, ofColumn kind: ColumnKind) -> ArchiveValue? {
    switch (kind, constant) {
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _), (.uint8, _), (.uint16, _), (.uint32, _),
      (.uint64, _):
      switch constant {
      case .integer, .unsigned: constant
      default: nil
      }
    // `QueryNumber.order` also rounds constants to the type of the column.
    case (.float16, .double(let number)), (.float32, .double(let number)): .double(Double(Float(number)))
    case (.float16, _), (.float32, _), (.float64, _): QueryNumber.double(constant).map(ArchiveValue.double)
    case (.date, .string(let text)): seconds(text).map(ArchiveValue.date)
    default: nil
    }
  }
}
