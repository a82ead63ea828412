import ArcArchive
import ArcFormat

/// What an expression asks for: values by a path, or objects by a condition.
enum Query {
  case path(QueryPath)
  case condition(QueryCondition)
}

/// A way from a root, from an object, from all objects of a class, or inside of a condition from the value
/// that it is about.
struct QueryPath {
  /// Where a path begins.
  enum Start {
    /// The first step names a root or a class, or in a condition a property.
    case name
    /// The only root of a file, whose name the path omits.
    case onlyRoot
    /// An object, perhaps with a class that it must be of.
    case object(ObjectID, className: String?)
    /// A class that is named in full: `Box<Int>`.
    case objects(ofClass: String)
    /// The objects of all classes.
    case allObjects
    /// The value that a condition is about: `@self`.
    case value
  }

  /// From one value to the next, or to several.
  enum Step {
    /// A step of a path. If the value is a collection, the step to a name is one from each element; a
    /// negative index counts from the end of an array.
    case step(ValuePath.Step)
    /// The elements, or the one value, for which a condition holds.
    case filter(QueryCondition)
    /// The number of elements, or of characters or bytes: `@count`.
    case count
    /// The name of the class of an object: `@class`.
    case className
    /// The number of an object: `@id`.
    case id
    /// All texts in an object or value: `@text`.
    case text

    /// The name of the step; nil if the step has another form.
    var name: ValuePath.Name? { if case .step(let step) = self { step.name } else { nil } }

    /// Whether this is `count`.
    var isCount: Bool {
      if case .count = self { true } else { false }
    }
  }

  var start: Start
  var steps: [Step]

  /// The name of the property that the path of a condition begins with; nil if it begins otherwise.
  var property: ValuePath.Name? {
    guard case .name = start else { return nil }
    return steps.first?.name
  }
}

/// What holds for a value or not.
indirect enum QueryCondition {
  case all([QueryCondition])
  case any([QueryCondition])
  case not(QueryCondition)
  case test(QueryTest)

  /// Calls `body` with all tests that are about the value itself, not those of conditions inside of paths.
  /// Recursive over parentheses of the expression, which are limited.
  func forEachTest(_ body: (QueryTest) -> Void) {
    switch self {
    case .all(let parts), .any(let parts): for part in parts { part.forEachTest(body) }
    case .not(let part): part.forEachTest(body)
    case .test(let test): body(test)
    }
  }
}

/// A comparison, or that something is there.
struct QueryTest {
  /// How two values are compared.
  enum Operator: String {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains, beginsWith, endsWith
    /// One of several constants.
    case isOneOf = "in"
    /// Matches a regular expression somewhere.
    case matches = "=~"
    /// Is there, not nil, and not false.
    case holds
  }

  /// One side of a comparison.
  enum Operand {
    case path(QueryPath)
    case constant(ArchiveValue)
    case constants([ArchiveValue])
    case pattern(QueryPattern)
  }

  /// The number of the test in its expression, counted from 0.
  let number: Int
  let left: Operand
  let relation: Operator
  let right: Operand
  /// For which long texts the test holds, where the right side is the same for all: 1, else 0.
  let answers = SharedTexts()
}

/// A regular expression with its text.
struct QueryPattern {
  private let expression: Regex<AnyRegexOutput>

  /// Throws `malformedExpression` if the text is none.
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

  /// Whether the expression matches somewhere in a text.
  func matches(_ text: String) -> Bool { (try? expression.firstMatch(in: text)) != nil }
}
