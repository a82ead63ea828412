import ArcArchive
import ArcFormat

/// A parsed expression: a path to values, or a condition for objects.
enum Query {
  case path(QueryPath)
  case condition(QueryCondition)
}

/// A path to values. It begins at a root, at an object, or at all objects of a class. In a condition, it can
/// also begin at the tested value.
struct QueryPath {
  /// The beginning of a path.
  enum Start {
    /// The first step names a root or a class. In a condition, it names a property.
    case name
    /// The only root of a file. The path omits the name of the root.
    case onlyRoot
    /// An object. If the path names a class, the object must belong to this class.
    case object(ObjectID, className: String?)
    /// The objects of a class, by its full name. Used for names that are not words separated by dots:
    /// `Box<Int>`.
    case objects(ofClass: String)
    /// The objects of all classes.
    case allObjects
    /// The value that the condition tests: `@self`.
    case value
  }

  /// A step from a value to one or several values.
  enum Step {
    /// A step of a value path. After a collection, a step with a name goes from each element of the
    /// collection. A negative index counts from the end of an array.
    case step(ValuePath.Step)
    /// The elements of a collection for which a condition holds, or the value itself if the condition holds
    /// for it.
    case filter(QueryCondition)
    /// The number of elements, characters or bytes: `@count`.
    case count
    /// The name of the class of an object: `@class`.
    case className
    /// The number of an object: `@id`.
    case id
    /// All strings in an object or value: `@text`.
    case text

    /// The name of the step. Nil if the step does not select by name.
    var name: ValuePath.Name? { if case .step(let step) = self { step.name } else { nil } }

    /// Whether the step is `@count`.
    var isCount: Bool {
      if case .count = self { true } else { false }
    }
  }

  var start: Start
  var steps: [Step]

  /// The name of the property at the beginning of a path in a condition. Nil if the path has another
  /// beginning.
  var property: ValuePath.Name? {
    guard case .name = start else { return nil }
    return steps.first?.name
  }
}

/// A condition that a value meets or does not meet.
indirect enum QueryCondition {
  case all([QueryCondition])
  case any([QueryCondition])
  case not(QueryCondition)
  case test(QueryTest)

  /// Calls `body` with all tests of the value itself. Tests of conditions in paths are not included. The
  /// recursion follows the parentheses of the expression, whose depth is limited.
  func forEachTest(_ body: (QueryTest) -> Void) {
    switch self {
    case .all(let parts), .any(let parts): for part in parts { part.forEachTest(body) }
    case .not(let part): part.forEachTest(body)
    case .test(let test): body(test)
    }
  }
}

/// A comparison of two operands, or a test whether a value is present.
struct QueryTest {
  /// The relation between the values of two operands.
  enum Operator: String {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains, beginsWith, endsWith
    /// The left value equals one of several constants.
    case isOneOf = "in"
    /// A part of the left string matches a regular expression.
    case matches = "=~"
    /// The left value is present, and neither nil nor false nor an empty collection.
    case holds
  }

  /// An operand of a comparison.
  enum Operand {
    case path(QueryPath)
    case constant(ArchiveValue)
    case constants([ArchiveValue])
    case pattern(QueryPattern)
  }

  /// The index of the test in its expression.
  let number: Int
  let left: Operand
  let relation: Operator
  let right: Operand
  /// A cache of the test's results for long strings, because one long string can occur in many values. A
  /// result is 1 if the test holds, otherwise 0. Used only if the right operand is a constant.
  let answers = SharedTexts()
}

/// A compiled regular expression.
struct QueryPattern {
  private let expression: Regex<AnyRegexOutput>

  /// Compiles a regular expression. Throws `malformedExpression` if the text is not valid.
  init(_ text: String, ignoresCase: Bool) throws(QueryError) {
    do {
      expression = try Regex(text).ignoresCase(ignoresCase).matchingSemantics(.unicodeScalar)
    } catch {
      throw QueryError(
        .malformedExpression,
        found: "the invalid regular expression '\(printable(text))' (" + printable("\(error)") + ")",
        expected: "a regular expression in the syntax of Swift")
    }
  }

  /// Returns whether the expression matches a part of a string.
  func matches(_ text: String) -> Bool { (try? expression.firstMatch(in: text)) != nil }
}
