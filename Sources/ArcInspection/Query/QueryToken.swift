import ArcFormat
import ArcRuntime

/// A word or sign of an expression.
enum QueryToken: Equatable {
  case name(ValuePath.Name)
  /// Digits, which may have a fraction and an exponent, but no sign.
  case number(String)
  case string(ValuePath.Name)
  /// A regular expression between slashes.
  case pattern(String, ignoresCase: Bool)
  /// A sign such as `.`, `==` or `[`. Also any character that has no meaning in expressions.
  case sign(String)
  case end

  /// The token for an error message.
  var words: String {
    switch self {
    case .name(let name): "'\(printable(name.text))'"
    case .number(let digits): "'\(printable(digits))'"
    case .string: "a string"
    case .pattern: "a regular expression"
    case .sign(let sign): "'\(printable(sign))'"
    case .end: "the end"
    }
  }
}

/// A scanner that divides an expression into tokens.
///
///     "Person[age >= 30]"   // name, sign "[", name, sign ">=", number, sign "]", end
///
/// A word directly after a dot is a name, even if it begins with a digit: `pair.0`.
struct QueryScanner {
  /// A token, and the range of its characters in the expression.
  struct TokenRange {
    let token: QueryToken
    let range: Range<Int>
  }

  private var text: ValuePath.Scanner
  private var tokens: [TokenRange] = []

  /// Returns the tokens of a text. The last token is `end`.
  static func tokens(of text: ValuePath.Scanner) throws(QueryError) -> [TokenRange] {
    var scanner = QueryScanner(text: text)
    do throws(ValuePath.SyntaxError) {
      while let token = try scanner.next() { scanner.tokens.append(token) }
    } catch {
      throw QueryError(.malformedExpression, found: error.found, expected: error.expected)
    }
    let end = text.scalars.count
    return scanner.tokens + [TokenRange(token: .end, range: end..<end)]
  }

  private init(text: ValuePath.Scanner) { self.text = text }

  private mutating func next() throws(ValuePath.SyntaxError) -> TokenRange? {
    text.skipSpaces()
    let start = text.position
    guard let scalar = text.peek() else { return nil }
    let token: QueryToken
    switch scalar {
    case "\"", "'": token = .string(try text.quoted())
    case "`": token = .name(try text.name())
    case "/": token = try pattern()
    case _ where Self.isDigit(scalar) && tokens.last?.token != .sign("."): token = .number(number())
    case _ where ValuePath.startsWord(scalar): token = .name(try text.name())
    default: token = .sign(sign())
    }
    return TokenRange(token: token, range: start..<text.position)
  }

  // MARK: Numbers

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private mutating func number() -> String {
    let start = text.position
    takeDigits()
    // A point after the number of an object begins a step: `#3.0`.
    if tokens.last?.token == .sign("#") { return text.text(start..<text.position) }
    if text.peek() == ".", let digit = text.peek(1), Self.isDigit(digit) {
      text.position += 1
      takeDigits()
    }
    if text.peek() == "e" || text.peek() == "E" {
      let isSigned = text.peek(1) == "-" || text.peek(1) == "+"
      if let digit = text.peek(isSigned ? 2 : 1), Self.isDigit(digit) {
        text.position += isSigned ? 2 : 1
        takeDigits()
      }
    }
    return text.text(start..<text.position)
  }

  private mutating func takeDigits() {
    while let scalar = text.peek(), Self.isDigit(scalar) { text.position += 1 }
  }

  // MARK: Patterns

  /// Consumes a regular expression, `/…/` or `/…/i`. Its escapes are preserved, except that `\/` becomes `/`.
  private mutating func pattern() throws(ValuePath.SyntaxError) -> QueryToken {
    let start = text.position
    text.position += 1
    var pattern = String.UnicodeScalarView()
    while let scalar = text.peek(), scalar != "/" {
      text.position += 1
      if scalar == "\\", let escaped = text.peek() {
        text.position += 1
        if escaped != "/" { pattern.append(scalar) }
        pattern.append(escaped)
      } else {
        pattern.append(scalar)
      }
    }
    guard text.peek() == "/" else { throw text.unfinished("the regular expression", from: start) }
    text.position += 1
    let ignoresCase = text.peek() == "i"
    if ignoresCase { text.position += 1 }
    return .pattern(String(pattern), ignoresCase: ignoresCase)
  }

  // MARK: Signs

  private mutating func sign() -> String {
    let longSigns = ["==", "!=", "<=", ">=", "=~", "!~", "&&", "||"]
    if let first = text.peek(), let second = text.peek(1) {
      let pair = String(first) + String(second)
      if longSigns.contains(pair) {
        text.position += 2
        return pair
      }
    }
    defer { text.position += 1 }
    return text.peek().map(String.init) ?? ""
  }
}
