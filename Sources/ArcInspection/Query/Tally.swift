import ArcArchive
import ArcFormat

/// Counts objects, and adds up numbers of them: of all, or of those with each value of a path.
struct Tally {
  /// A count and a sum.
  struct Sums {
    fileprivate(set) var count = 0
    /// The sum as long as all numbers were integers and it has 128 bits.
    private var integer: Int128? = 0
    private var double = 0.0
    private var isAny = false

    /// Adds a number; ignores nil. Throws for a value of `id` that is not a number.
    fileprivate mutating func add(
      _ value: ArchiveValue, of id: ObjectID, _ pathText: String
    ) throws(QueryError) {
      switch value {
      case .null, .nestedNull, .reference(nil): return
      case .integer(let number):
        let sum = integer?.addingReportingOverflow(number)
        integer = sum.flatMap { $0.overflow ? nil : $0.partialValue }
      default: integer = nil
      }
      guard let number = QueryNumber.double(value) else {
        throw QueryError(
          .typeMismatch,
          found: "\(value.words { "a reference to object \($0)" }) for "
            + "'\(printable(pathText))' of object \(id)",
          expected: "a number", remedy: "choose a path to numbers for --sum")
      }
      isAny = true
      double += number
    }

    /// The sum; nil if there was no number.
    var sum: ArchiveValue? {
      if !isAny { return nil }
      return integer.map(ArchiveValue.integer) ?? .double(double)
    }

    /// The sum as text; nil if there was no number.
    var sumText: String? { isAny ? integer.map { "\($0)" } ?? "\(double)" : nil }
  }

  /// The objects with one value.
  struct Group {
    let value: ArchiveValue
    /// The first of its objects.
    fileprivate(set) var first: ObjectID
    fileprivate(set) var sums = Sums()
  }

  private let groupPath: QueryPath?
  private let sumPath: QueryPath?
  private let sumText: String
  private(set) var all = Sums()
  private var unsorted: [Group] = []
  private var places: [ArchiveValue: Int] = [:]
  /// NaN is not equal to itself, and would be a group for each.
  private var placeOfNaN: Int?

  /// A tally by the values of one path, which adds up those of another.
  init(groupBy: String?, sum: String?) throws(QueryError) {
    groupPath = try groupBy.map { text throws(QueryError) in try QueryParser.innerPath(text) }
    sumText = sum ?? ""
    sumPath = try sum.map { text throws(QueryError) in try QueryParser.innerPath(text) }
  }

  /// The paths that are followed from each object.
  var paths: [QueryPath] { [groupPath, sumPath].compactMap { $0 } }

  /// The groups, the largest first, of equal ones that of the first object.
  var groups: [Group] {
    unsorted.sorted { ($1.sums.count, $0.first) < ($0.sums.count, $1.first) }
  }

  /// Adds an object: to the group of each of its values.
  mutating func add(_ id: ObjectID, _ subject: ConditionEvaluator.Subject, _ evaluator: ConditionEvaluator)
    throws
  {
    var numbers: [ArchiveValue] = []
    if let sumPath { numbers = try Self.values(of: sumPath, subject, evaluator) }
    all.count += 1
    for number in numbers { try all.add(number, of: id, sumText) }
    guard let groupPath else { return }
    let values = try Self.values(of: groupPath, subject, evaluator)
    for value in values.isEmpty ? [.null] : values {
      let place = place(of: value, id)
      unsorted[place].first = min(unsorted[place].first, id)
      unsorted[place].sums.count += 1
      for number in numbers { try unsorted[place].sums.add(number, of: id, sumText) }
    }
  }

  /// The values of a path, of collections their elements.
  private static func values(
    of path: QueryPath, _ subject: ConditionEvaluator.Subject, _ evaluator: ConditionEvaluator
  ) throws -> [ArchiveValue] {
    var values: [ArchiveValue] = []
    try evaluator.forEachValue(of: path, for: subject) { value in
      values +=
        value.isCollection ? value.value.children(keys: .none).map { $0.value } : [value.value]
      return true
    }
    return values
  }

  private mutating func place(of value: ArchiveValue, _ id: ObjectID) -> Int {
    let isNaN =
      switch value {
      case .double(let number), .date(let number): number.isNaN
      case .float(let number): number.isNaN
      default: false
      }
    if let known = isNaN ? placeOfNaN : places[value] { return known }
    unsorted.append(Group(value: value, first: id))
    if isNaN { placeOfNaN = unsorted.count - 1 } else { places[value] = unsorted.count - 1 }
    return unsorted.count - 1
  }
}
