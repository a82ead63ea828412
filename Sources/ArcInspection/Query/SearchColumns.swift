import ArcArchive
import ArcFormat
import ArcRuntime

/// The columns that an expression names, for one class in one segment. Also contains the results of tests
/// that were evaluated for a whole column.
final class SearchColumns {
  let classIndex: Int
  /// The object of each row.
  let ids: [ObjectID]
  /// Whether a test holds for each row, by test number.
  private(set) var answers: [Int: [Bool]] = [:]

  private let layout: ColumnLayout
  /// The values of columns, by column index. Columns without a value in any row are not included.
  private var values: [Int: [ArchiveValue]] = [:]
  /// The columns that can contain the value of a property, by property name. `takesStep` is false if an
  /// object of the class represents a single value. The name is then a step within this value.
  private var columnsByProperty: [String: (columns: [Int], takesStep: Bool)] = [:]

  init(classIndex: Int, ids: [ObjectID], layout: ColumnLayout) {
    self.classIndex = classIndex
    self.ids = ids
    self.layout = layout
  }

  /// Evaluates tests for whole columns of strings, and reads the other columns that the plan names.
  ///
  /// - Throws: An `ArchiveError` if a segment is damaged or a limit is exceeded.
  func read(_ batch: RowBatch, _ plan: SearchPlan, _ memory: StringTestCache) throws {
    for test in plan.tests {
      guard let column = plan.textColumn(of: test, inClass: classIndex),
        let column = try batch.column(at: column), let answer = try memory.answers(to: test, in: column)
      else { continue }
      answers[test.number] = answer
    }
    for name in plan.names(answered: Set(answers.keys)) {
      let property = plan.columns(of: name, inClass: classIndex)
      columnsByProperty[name.text] = property
      for position in property.columns where values[position] == nil {
        if let column = try batch.column(at: position) { values[position] = try column.values() }
      }
    }
  }

  /// Returns the value that a property name selects in a row. Nil if the row has no value for the name. If
  /// `takesStep` is false, the caller must still apply the name as a step within the value.
  func value(named name: ValuePath.Name, at index: Int) -> (value: TypedValue, takesStep: Bool)? {
    guard let property = columnsByProperty[name.text] else { return nil }
    var found: TypedValue?
    for column in property.columns {
      guard let values = values[column], index < values.count else { continue }
      found = TypedValue(values[index], layout: layout, node: layout.roots[column])
      if values[index] != .null { break }
    }
    return found.map { ($0, property.takesStep) }
  }
}

/// The tests of a search. Also finds the columns that a search needs in each class: the columns of the
/// properties that its expression names.
final class SearchPlan {
  let catalog: ObjectCatalog
  /// The tests of the objects themselves. Tests in paths are not included.
  let tests: [QueryTest]
  /// The first properties of the paths that the caller follows from each found object.
  private let results: [ValuePath.Name]
  private var columnsByProperty: [PropertyOfClass: (columns: [Int], takesStep: Bool)] = [:]

  private struct PropertyOfClass: Hashable {
    let name: ExactName
    let classIndex: Int
  }

  init(_ catalog: ObjectCatalog, _ condition: QueryCondition?, results: [QueryPath]) {
    self.catalog = catalog
    var tests: [QueryTest] = []
    condition?.forEachTest { tests.append($0) }
    self.tests = tests
    self.results = results.compactMap(\.property)
  }

  /// The properties of the searched objects that occur in tests or in result paths.
  var names: [ValuePath.Name] { names(answered: []) }

  /// Returns the properties that occur in tests or in result paths. Tests whose numbers are in `answered` do
  /// not count, because they already have results.
  func names(answered: Set<Int>) -> [ValuePath.Name] {
    var names = results
    for test in tests where !answered.contains(test.number) {
      for case .path(let path) in [test.left, test.right] {
        if let name = path.property { names.append(name) }
      }
    }
    return names
  }

  /// Returns the columns of a class that can contain the value of a property. `takesStep` is false if an
  /// object of the class represents a single value. The name is then a step within this value.
  func columns(of name: ValuePath.Name, inClass index: Int) -> (columns: [Int], takesStep: Bool) {
    let key = PropertyOfClass(name: ExactName(name.text), classIndex: index)
    if let known = columnsByProperty[key] { return known }
    var found = (columns: catalog.columns(named: name, ofClass: index), takesStep: true)
    let columns = catalog.file.classes[index].columns
    // An object with a single property `value` represents this value. The path then has no step for the
    // property.
    if found.columns.isEmpty, columns.count == 1, columns[0].key == "value" { found = ([0], false) }
    columnsByProperty[key] = found
    return found
  }

  /// Returns the only column that a test compares with constants. Nil if the test compares several columns,
  /// or compares with other values.
  func textColumn(of test: QueryTest, inClass index: Int) -> Int? {
    guard case .path(let path) = test.left, let name = path.property, path.steps.count == 1 else {
      return nil
    }
    if case .path = test.right { return nil }
    let property = columns(of: name, inClass: index)
    guard property.takesStep, property.columns.count == 1 else { return nil }
    return property.columns[0]
  }
}

/// A cache of test results for the strings of the file's table. Each test is evaluated once per string.
final class StringTestCache {
  /// The results by test number and string number: 0 for a string that was not tested, 1 for false, 2 for
  /// true.
  private var answers: [Int: [UInt8]] = [:]
  /// The number of evaluations. Unit tests check it.
  private(set) var evaluationCount = 0

  /// Returns whether a test holds for each value of a column. Nil if the values are not strings or optional
  /// strings in the file's string table.
  func answers(to test: QueryTest, in column: ArchiveColumn) throws -> [Bool]? {
    if let numbers = column.stringNumbers() {
      return try numbers.map { try answer(to: test, $0, in: column) }
    }
    // If the column is damaged, the search reads its values afterwards and throws the error then.
    guard column.kind == .optional, let wrapped = try? column.wrapped, let numbers = wrapped.stringNumbers()
    else { return nil }
    let answerToNil = ConditionEvaluator.holds(test, .null, Self.constants(of: test))
    var next = 0
    return try column.presence().map { isPresent in
      guard isPresent, next < numbers.count else { return answerToNil }
      next += 1
      return try answer(to: test, numbers[next - 1], in: wrapped)
    }
  }

  private func answer(to test: QueryTest, _ number: Int, in column: ArchiveColumn) throws -> Bool {
    if let known = answers[test.number], number < known.count, known[number] > 0 { return known[number] == 2 }
    evaluationCount += 1
    let answer = ConditionEvaluator.holds(test, .string(try column.string(number)), Self.constants(of: test))
    let missingCount = number + 1 - (answers[test.number]?.count ?? 0)
    // The memory is limited, because the number is less than the number of strings in the file.
    if missingCount > 0 {
      answers[test.number, default: []] += repeatElement(0, count: max(missingCount, 1024))
    }
    answers[test.number]?[number] = answer ? 2 : 1
    return answer
  }

  private static func constants(of test: QueryTest) -> [ArchiveValue] {
    if case .constant(let value) = test.right { [value] } else { [] }
  }
}
