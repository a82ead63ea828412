import ArcArchive
import ArcFormat

/// A parser of expressions.
///
/// ```ebnf
/// expression = path | condition ;
/// path       = start { step } ;
/// start      = [ ROOT ] | CLASS | "*" | [ CLASS ] "#" NUMBER ;
/// step       = VALUE_STEP | "." "@" ( "count" | "class" | "id" | "text" ) | "[" condition "]" ;
/// condition  = all { "or" all } ;
/// all        = not { "and" not } ;
/// not        = "not" not | "(" condition ")" | operand [ operator operand ] ;
/// operand    = constant | ( inner | NAME | "#" NUMBER ) { step } ;
/// inner      = "@self" | "@count" | "@class" | "@id" | "@text" ;
/// operator   = "==" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~"
///            | "contains" | "beginswith" | "endswith" | "in" ;
/// constant   = TEXT | NUMBER | "true" | "false" | "nil" | "." CASE | "/" PATTERN "/" [ "i" ]
///            | "[" constant { "," constant } "]" ;
/// ```
///
/// `VALUE_STEP` is a step of a `ValuePath`. `ValuePath.Scanner` reads it.
///
/// The parser is recursive. Parentheses, brackets and `not` may nest at most `maximumDepth` levels deep.
struct QueryParser {
  private static let maximumDepth = 64
  private static let maximumTokenCount = 1 << 20

  private let text: String
  private let scanner: ValuePath.Scanner
  private let tokens: [QueryScanner.TokenRange]
  private var position = 0
  private var depth = 0
  private var testCount = 0

  private init(_ text: String) throws(QueryError) {
    self.text = text
    scanner = ValuePath.Scanner(text, noun: "query")
    tokens = try QueryScanner.tokens(of: scanner)
    guard tokens.count <= Self.maximumTokenCount else {
      throw QueryError(
        .malformedExpression, found: "a query of \(tokens.count) words and signs",
        expected: "at most \(Self.maximumTokenCount) words and signs")
    }
  }

  /// Parses a path.
  static func path(_ text: String) throws(QueryError) -> QueryPath {
    var parser = try QueryParser(text)
    let path = try parser.path()
    try parser.finish()
    return path
  }

  /// Parses a path that begins at an object or value instead of a root, like the paths in conditions.
  static func innerPath(_ text: String) throws(QueryError) -> QueryPath {
    var parser = try QueryParser(text)
    guard case .path(let path) = try parser.operand() else { throw parser.unexpected("a property") }
    try parser.finish()
    return path
  }

  /// Parses a path or a condition. A text that is a valid path is always a path.
  static func query(_ text: String) throws(QueryError) -> Query {
    var parser = try QueryParser(text)
    // A text that is not a valid path is parsed as a condition.
    if let path = try? parser.path(), parser.token == .end { return .path(path) }
    var again = try QueryParser(text)
    let failure: QueryError
    do throws(QueryError) {
      let condition = try again.condition()
      try again.finish()
      return .condition(condition)
    } catch {
      failure = error
    }
    // Of the two errors, the error at the later token is thrown. It describes the mistake better.
    if parser.position > again.position { try parser.finishPath() }
    throw failure
  }

  private mutating func finishPath() throws(QueryError) {
    let furthest = position
    (position, depth) = (0, 0)
    _ = try path()
    position = max(position, furthest)
    try finish()
  }

  // MARK: Tokens

  private var token: QueryToken { tokens[position].token }

  private func token(after count: Int) -> QueryToken {
    tokens[min(position + count, tokens.count - 1)].token
  }

  private mutating func advance(_ count: Int = 1) { position = min(position + count, tokens.count - 1) }

  /// Consumes the next token if it is this sign. Returns whether it was consumed.
  private mutating func take(_ sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    advance()
    return true
  }

  /// Consumes the next token if it is this word without backticks. Returns whether it was consumed. The
  /// grammar allows such words only at positions where no name is allowed.
  private mutating func take(word: String) -> Bool {
    guard case .name(let name) = token, name.text.lowercased() == word, !isQuoted else { return false }
    advance()
    return true
  }

  /// Whether the next token is a name in backticks.
  private var isQuoted: Bool { scanner.scalars[tokens[position].range].first == "`" }

  private mutating func expect(_ sign: String) throws(QueryError) {
    guard take(sign) else { throw unexpected("'\(sign)'") }
  }

  private func finish() throws(QueryError) {
    guard token == .end else {
      throw unexpected("the end of the query, or a step such as '.name', '[3]' or '[name == \"x\"]'")
    }
  }

  private func unexpected(_ expected: String) -> QueryError {
    let location = token == .end ? " of" : " at character \(tokens[position].range.lowerBound + 1) in"
    return QueryError(
      .malformedExpression, found: "\(token.words)\(location) the query '\(printable(text))'",
      expected: expected,
      remedy: "to read the rules of queries, run 'arcdump help find'")
  }

  private mutating func nested<Result>(
    _ body: (inout QueryParser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < Self.maximumDepth else {
      throw unexpected("at most \(Self.maximumDepth) nested brackets")
    }
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  // MARK: Paths

  /// Parses a path that begins at a root, a class or an object.
  private mutating func path() throws(QueryError) -> QueryPath {
    if take("*") { return QueryPath(start: .allObjects, steps: try steps()) }
    if take("#") { return QueryPath(start: .object(try objectID(), className: nil), steps: try steps()) }
    if case .number(let digits) = token, token(after: 1) == .end, UInt32(digits) != nil {
      return QueryPath(start: .object(try objectID(), className: nil), steps: [])
    }
    if token == .sign(".") || token == .sign("[") {
      return QueryPath(start: .onlyRoot, steps: try steps())
    }
    guard case .name(let name) = token else {
      throw unexpected("the name of a root or a class, '#' and a number, or '*'")
    }
    if let generic = takeGenericName() {
      if take("#") {
        return QueryPath(start: .object(try objectID(), className: generic), steps: try steps())
      }
      return QueryPath(start: .objects(ofClass: generic), steps: try steps())
    }
    advance()
    // The name of a nested class contains points: `Album.Item#7`.
    var (names, next) = ([name], position)
    while case .sign(".") = tokens[next].token, case .name(let inner) = tokens[next + 1].token {
      names.append(inner)
      next += 2
    }
    if case .sign("#") = tokens[next].token {
      position = next + 1
      let className = names.map(\.text).joined(separator: ".")
      return QueryPath(start: .object(try objectID(), className: className), steps: try steps())
    }
    return QueryPath(start: .name, steps: [.step(.name(name))] + (try steps()))
  }

  private mutating func objectID() throws(QueryError) -> ObjectID {
    guard case .number(let digits) = token, let number = UInt32(digits), number > 0 else {
      throw unexpected("the number of an object, at least 1")
    }
    advance()
    return ObjectID(rawValue: number)
  }

  /// Consumes the name of a generic class, such as `Box<Album.Item>`. Nil if no such name comes next. Also
  /// nil if something other than a step or the end of the path follows the name.
  private mutating func takeGenericName() -> String? {
    var next = position + 1
    // The generic class can be nested in other classes: `Album.Box<Int>`.
    while tokens[next].token == .sign("."), next + 2 < tokens.count { next += 2 }
    guard tokens[next].token == .sign("<") else { return nil }
    var open = 0
    while next < tokens.count - 1 {
      if tokens[next].token == .sign("<") { open += 1 }
      if tokens[next].token == .sign(">") { open -= 1 }
      next += 1
      if open == 0 { break }
    }
    let after = tokens[next].token
    guard open == 0, after == .end || after == .sign("[") || after == .sign("#") || after == .sign(".") else {
      return nil
    }
    let range = tokens[position].range.lowerBound..<tokens[next - 1].range.upperBound
    position = next
    return scanner.text(range)
  }

  private mutating func steps() throws(QueryError) -> [QueryPath.Step] {
    var steps: [QueryPath.Step] = []
    while true {
      if let step = takeValueStep() {
        steps.append(.step(step))
      } else if take(".") {
        guard take("@") else { throw unexpected("a name") }
        steps.append(try special())
      } else if take("[") {
        steps.append(.filter(try nested { parser throws(QueryError) in try parser.condition() }))
        try expect("]")
      } else {
        return steps
      }
    }
  }

  /// Consumes a step of a value path. Nil if no such step comes next.
  private mutating func takeValueStep() -> ValuePath.Step? {
    guard token == .sign(".") || token == .sign("[") else { return nil }
    var scanner = scanner
    scanner.position = tokens[position].range.lowerBound
    guard let step = try? scanner.step() else { return nil }
    while tokens[position].range.lowerBound < scanner.position { advance() }
    return step
  }

  private mutating func name() throws(QueryError) -> ValuePath.Name {
    guard case .name(let name) = token else { throw unexpected("a name") }
    advance()
    return name
  }

  private mutating func special() throws(QueryError) -> QueryPath.Step {
    if case .name(let name) = token {
      let known: [String: QueryPath.Step] = ["count": .count, "class": .className, "id": .id, "text": .text]
      if let step = known[name.text] {
        advance()
        return step
      }
    }
    throw unexpected("@count, @class, @id or @text")
  }

  // MARK: Conditions

  private mutating func condition() throws(QueryError) -> QueryCondition {
    var parts = [try conjunction()]
    while take("||") || take(word: "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(QueryError) -> QueryCondition {
    var parts = [try negation()]
    while take("&&") || take(word: "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(QueryError) -> QueryCondition {
    if take("!") || take(word: "not") {
      return .not(try nested { parser throws(QueryError) in try parser.negation() })
    }
    if take("(") {
      let inner = try nested { parser throws(QueryError) in try parser.condition() }
      try expect(")")
      return inner
    }
    return try test()
  }

  private mutating func test() throws(QueryError) -> QueryCondition {
    let left = try operand()
    switch token {
    case .sign("!="):
      advance()
      return .not(try test(left, .equal))
    case .sign("!~"):
      advance()
      return .not(try test(left, .matches))
    case .sign("="):
      throw unexpected("'==' for a comparison")
    case .sign(let sign):
      guard let relation = QueryTest.Operator(rawValue: sign) else { break }
      advance()
      return try test(left, relation)
    case .name(let name):
      let words: [String: QueryTest.Operator] = [
        "contains": .contains, "beginswith": .beginsWith, "endswith": .endsWith, "in": .isOneOf,
      ]
      guard let relation = words[name.text.lowercased()] else { break }
      advance()
      return try test(left, relation)
    default: break
    }
    guard case .path = left else { throw unexpected("an operator: ==, !=, <, contains, =~, in") }
    return make(left, .holds, .constant(.null))
  }

  private mutating func test(
    _ left: QueryTest.Operand, _ relation: QueryTest.Operator
  ) throws(QueryError) -> QueryCondition {
    let start = position
    let right = try operand()
    switch (relation, right) {
    case (.matches, .constant(.string(let text))):
      return make(left, .matches, .pattern(try QueryPattern(text, ignoresCase: false)))
    case (.matches, .pattern), (.isOneOf, .constants): return make(left, relation, right)
    // `x in path` tests whether the collection at the path contains `x`.
    case (.isOneOf, .path): return make(right, .contains, left)
    case (.matches, _), (_, .pattern), (_, .constants), (.isOneOf, _):
      position = start
      throw unexpected(
        relation == .matches
          ? "a regular expression: /text/" : relation == .isOneOf ? "a list: [1, 2]" : "a value")
    default: return make(left, relation, right)
    }
  }

  private mutating func make(
    _ left: QueryTest.Operand, _ relation: QueryTest.Operator, _ right: QueryTest.Operand
  ) -> QueryCondition {
    testCount += 1
    return .test(QueryTest(number: testCount - 1, left: left, relation: relation, right: right))
  }

  // MARK: Operands

  private mutating func operand() throws(QueryError) -> QueryTest.Operand {
    switch token {
    case .pattern(let text, let ignoresCase):
      let pattern = try QueryPattern(text, ignoresCase: ignoresCase)
      advance()
      return .pattern(pattern)
    case .sign("["):
      advance()
      var constants: [ArchiveValue] = []
      repeat { constants.append(try constant()) } while take(",")
      try expect("]")
      return .constants(constants)
    case .sign("@"):
      advance()
      if take(word: "self") { return .path(QueryPath(start: .value, steps: try steps())) }
      return .path(QueryPath(start: .value, steps: [try special()] + (try steps())))
    case .sign("#"):
      advance()
      let id = try objectID()
      let steps = try steps()
      guard !steps.isEmpty else { return .constant(.reference(id)) }
      return .path(QueryPath(start: .object(id, className: nil), steps: steps))
    case .name(let name) where isQuoted || !["true", "false", "nil", "null"].contains(name.text):
      advance()
      return .path(QueryPath(start: .name, steps: [.step(.name(name))] + (try steps())))
    default: return .constant(try constant())
    }
  }

  private mutating func constant() throws(QueryError) -> ArchiveValue {
    let isNegative = take("-")
    let token = token
    switch token {
    case .number(let digits):
      guard let value = QueryNumber.value(isNegative ? "-" + digits : digits) else {
        throw unexpected("a number that 128 bits or a Double can hold")
      }
      advance()
      return value
    case _ where isNegative: throw unexpected("a number after '-'")
    case .string(let text):
      advance()
      return .string(text.text)
    case .sign("."):
      advance()
      return .enumeration(name: "", case: try name().text, payload: nil)
    case .sign("#"):
      advance()
      return .reference(try objectID())
    case .name(let name) where !isQuoted:
      let known: [String: ArchiveValue] = [
        "true": .bool(true), "false": .bool(false), "nil": .null, "null": .null,
      ]
      guard let value = known[name.text] else { throw unexpected("a constant, with quotes around a string") }
      advance()
      return value
    default: throw unexpected("a value or a path")
    }
  }
}
