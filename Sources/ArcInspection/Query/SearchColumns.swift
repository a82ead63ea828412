import ArcArchive
import ArcFormat
import ArcRuntime

/// The columns of a class in one segment that an expression names, and the tests that they answer as a whole.
final class SearchColumns {
  let classIndex: Int
  /// The objects of the rows.
  let ids: [ObjectID]
  /// By the numbers of tests, whether they hold for each row.
  private(set) var answers: [Int: [Bool]] = [:]

  private let layout: ColumnLayout
  /// The values of columns, by their indices; nil for those of which no row has one.
  private var values: [Int: [ArchiveValue]] = [:]
  /// By name, the columns in one of which a row may have the value, and whether the name is a step to it.
  private var columnsByProperty: [String: (columns: [Int], takesStep: Bool)] = [:]

  init(classIndex: Int, ids: [ObjectID], layout: ColumnLayout) {
    self.classIndex = classIndex
    self.ids = ids
    self.layout = layout
  }

  /// Reads the columns of the properties that some tests and paths name.
  ///
  /// - Throws: what is wrong with a segment, or `limitExceeded`.
  func read(_ batch: RowBatch, _ plan: SearchPlan, _ memory: TextAnswers) throws {
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

  /// The value of the property that a name means in a row, and whether the name is a step to it; nil if there
  /// is none.
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

/// What a search needs to know of each class: which columns the names of an expression mean.
final class SearchPlan {
  let catalog: ObjectCatalog
  /// The tests that are about objects themselves.
  let tests: [QueryTest]
  /// The properties that are asked for of each object that was found.
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

  /// The properties that are named where objects are meant.
  var names: [ValuePath.Name] { names(answered: []) }

  /// The same without those of tests that were answered.
  func names(answered: Set<Int>) -> [ValuePath.Name] {
    var names = results
    for test in tests where !answered.contains(test.number) {
      for case .path(let path) in [test.left, test.right] {
        if let name = path.property { names.append(name) }
      }
    }
    return names
  }

  /// The columns of a class in one of which a row may have the value of a property.
  func columns(of name: ValuePath.Name, inClass index: Int) -> (columns: [Int], takesStep: Bool) {
    let key = PropertyOfClass(name: ExactName(name.text), classIndex: index)
    if let known = columnsByProperty[key] { return known }
    var found = (columns: catalog.columns(named: name, ofClass: index), takesStep: true)
    let columns = catalog.file.classes[index].columns
    // An object that stands for a value is no step.
    if found.columns.isEmpty, columns.count == 1, columns[0].key == "value" { found = ([0], false) }
    columnsByProperty[key] = found
    return found
  }

  /// The column of texts that a test compares with constants; nil for any other test.
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

/// What tests say of texts that were met already: each text of the file's table is asked once.
final class TextAnswers {
  /// By the numbers of tests, then of texts: not asked, false or true.
  private var answers: [Int: [UInt8]] = [:]
  /// How many texts were asked, for tests of this.
  private(set) var askedCount = 0

  /// Whether a test holds for each value of a column; nil if the column has other things than texts of the
  /// table, or optionals of such.
  func answers(to test: QueryTest, in column: ArchiveColumn) throws -> [Bool]? {
    if let numbers = column.stringNumbers() {
      return try numbers.map { try answer(to: test, $0, in: column) }
    }
    // The search goes through the values, and throws the error then.
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
    askedCount += 1
    let answer = ConditionEvaluator.holds(test, .string(try column.string(number)), Self.constants(of: test))
    let missingCount = number + 1 - (answers[test.number]?.count ?? 0)
    // A number is below that of the file's texts, which are limited.
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
