import ArcArchive
import ArcFormat

/// The number of objects, and the sum of the numbers at one path. Both are computed for all objects and for
/// each group of objects. The objects of a group have equal values at another path.
struct Tally {
  /// The count and the sum of a group, or of all objects.
  struct Sums {
    fileprivate(set) var count = 0
    /// The sum of the integers. Nil if a number was not an integer, or if the sum does not fit in 128 bits.
    private var integer: Int128? = 0
    private var double = 0.0
    private var isAny = false

    /// Adds a number. Ignores nil. Throws `typeMismatch` for another value of the object `id`.
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

    /// The sum. Nil if no number was added.
    var sum: ArchiveValue? {
      if !isAny { return nil }
      return integer.map(ArchiveValue.integer) ?? .double(double)
    }

    /// The sum as text. Nil if no number was added.
    var sumText: String? { isAny ? integer.map { "\($0)" } ?? "\(double)" : nil }
  }

  /// The objects that have equal values at the path `groupBy`.
  struct Group {
    let value: ArchiveValue
    /// The object with the smallest number.
    fileprivate(set) var first: ObjectID
    fileprivate(set) var sums = Sums()
  }

  private let groupPath: QueryPath?
  private let sumPath: QueryPath?
  private let sumText: String
  private(set) var all = Sums()
  private var unsorted: [Group] = []
  private var groupIndices: [ArchiveValue: Int] = [:]
  /// The index of the group for the value NaN. Nil if there is no such group. NaN is not equal to itself, so
  /// `groupIndices` could not find it, and each object with NaN would get its own group.
  private var nanGroupIndex: Int?

  /// Creates a tally that groups objects by the values of the path `groupBy`, and adds up the numbers at the
  /// path `sum`.
  init(groupBy: String?, sum: String?) throws(QueryError) {
    groupPath = try groupBy.map { text throws(QueryError) in try QueryParser.innerPath(text) }
    sumText = sum ?? ""
    sumPath = try sum.map { text throws(QueryError) in try QueryParser.innerPath(text) }
  }

  /// The paths that the tally follows from each object.
  var paths: [QueryPath] { [groupPath, sumPath].compactMap { $0 } }

  /// The groups, largest count first. Groups with equal counts are in the order of their first objects.
  var groups: [Group] {
    unsorted.sorted { ($1.sums.count, $0.first) < ($0.sums.count, $1.first) }
  }

  /// Adds an object to the group of each value that the path `groupBy` reaches from the object.
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
      let index = groupIndex(of: value, id)
      unsorted[index].first = min(unsorted[index].first, id)
      unsorted[index].sums.count += 1
      for number in numbers { try unsorted[index].sums.add(number, of: id, sumText) }
    }
  }

  /// Returns the values that a path reaches. A collection is replaced by its elements.
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

  private mutating func groupIndex(of value: ArchiveValue, _ id: ObjectID) -> Int {
    let isNaN =
      switch value {
      case .double(let number), .date(let number): number.isNaN
      case .float(let number): number.isNaN
      default: false
      }
    if let known = isNaN ? nanGroupIndex : groupIndices[value] { return known }
    unsorted.append(Group(value: value, first: id))
    if isNaN { nanGroupIndex = unsorted.count - 1 } else { groupIndices[value] = unsorted.count - 1 }
    return unsorted.count - 1
  }
}
