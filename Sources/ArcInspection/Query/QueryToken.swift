import ArcFormat
import ArcRuntime

/// A name in an expression: of a root, a class, a property, a field or a case.
struct QueryName: Equatable {
  /// The name itself.
  let text: String
  /// The name as it was written, if that may be an abbreviation: paths in errors end long names in `…`, and
  /// write what cannot be shown in a form that another name may have.
  var abbreviation: String?

  /// Whether a name of the file is meant.
  func means(_ name: String) -> Bool { text.hasSameBytes(as: name) }

  /// Whether a name of the file would have been written so in an error.
  func mayMean(_ name: String) -> Bool {
    guard let abbreviation else { return false }
    let step = ObjectPath.step(to: name)
    return step == "." + abbreviation || step == ".`" + abbreviation + "`"
  }

  /// Whether a key of the file would have been written so in an error.
  func mayMean(key: String) -> Bool {
    abbreviation.map { ObjectPath.quoted(key) == "\"" + $0 + "\"" } ?? false
  }
}

/// A word or sign of an expression.
enum QueryToken: Equatable {
  case name(QueryName)
  /// Digits, perhaps with a fraction and an exponent, without a sign.
  case number(String)
  case string(QueryName)
  /// A regular expression between slashes.
  case pattern(String, ignoresCase: Bool)
  /// A sign: `.`, `==`, `[`, or one that has no meaning.
  case sign(String)
  case end

  /// The token as an error shows it.
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

/// Divides an expression into tokens.
///
///     "Person[age >= 30]"   // name, sign "[", name, sign ">=", number, sign "]", end
///
/// A word directly behind a point is a name, whatever it begins with: `pair.0`.
struct QueryScanner {
  /// A token, and the place of its first character and of the one behind its last.
  struct Place {
    let token: QueryToken
    let range: Range<Int>
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var places: [Place] = []

  /// The tokens of a text, the last of which is the end.
  static func places(of text: String) throws(QueryError) -> [Place] {
    var scanner = QueryScanner(scalars: Array(text.unicodeScalars))
    while let place = try scanner.next() { scanner.places.append(place) }
    let end = scanner.scalars.count
    return scanner.places + [Place(token: .end, range: end..<end)]
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var text: String { String(String.UnicodeScalarView(scalars)) }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func next() throws(QueryError) -> Place? {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    let start = position
    guard let scalar = peek() else { return nil }
    let token: QueryToken
    switch scalar {
    case "\"", "'": token = .string(try quoted(scalar))
    case "`": token = .name(try quoted(scalar))
    case "/": token = try pattern()
    case _ where Self.isDigit(scalar) && places.last?.token != .sign("."): token = .number(number())
    case _ where Self.isNamePart(scalar): token = .name(name())
    default: token = .sign(sign())
    }
    return Place(token: token, range: start..<position)
  }

  // MARK: Names and numbers

  /// Whether names without quotes consist of such; the same as in the paths that errors print.
  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private mutating func name() -> QueryName {
    let start = position
    while let scalar = peek(), Self.isNamePart(scalar) { position += 1 }
    let isCut = peek() == "…"
    if isCut { position += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<position]))
    return QueryName(text: text, abbreviation: isCut ? text : nil)
  }

  private mutating func number() -> String {
    let start = position
    takeDigits()
    if peek() == ".", let digit = peek(1), Self.isDigit(digit) {
      position += 1
      takeDigits()
    }
    if peek() == "e" || peek() == "E" {
      let isSigned = peek(1) == "-" || peek(1) == "+"
      if let digit = peek(isSigned ? 2 : 1), Self.isDigit(digit) {
        position += isSigned ? 2 : 1
        takeDigits()
      }
    }
    return String(String.UnicodeScalarView(scalars[start..<position]))
  }

  private mutating func takeDigits() {
    while let scalar = peek(), Self.isDigit(scalar) { position += 1 }
  }

  // MARK: Quotes

  /// Takes what is between two quotes, with Swift's escapes.
  private mutating func quoted(_ quote: Unicode.Scalar) throws(QueryError) -> QueryName {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    var isAbbreviation = false
    while let scalar = peek(), scalar != quote {
      position += 1
      if scalar == "…" { isAbbreviation = true }
      // Names in errors have a backslash as it is, unless it begins `\u{…}`.
      guard scalar == "\\", quote != "`" || peek() == "u" && peek(1) == "{" else {
        text.append(scalar)
        continue
      }
      isAbbreviation = true
      text.append(try escape(from: position - 1))
    }
    guard peek() == quote else { throw unfinished("the quoted text", from: start) }
    position += 1
    let written = String(String.UnicodeScalarView(scalars[(start + 1)..<(position - 1)]))
    return QueryName(text: String(text), abbreviation: isAbbreviation ? written : nil)
  }

  /// Takes what follows a backslash.
  private mutating func escape(from start: Int) throws(QueryError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw unfinished("the escape", from: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "\\", "\"", "'", "/": return scalar
    case "u":
      let digits = position + 1
      guard peek() == "{", let end = scalars[position...].firstIndex(of: "}"),
        let value = UInt32(String(String.UnicodeScalarView(scalars[digits..<end])), radix: 16),
        let escaped = Unicode.Scalar(value)
      else {
        throw QueryError(
          .malformedExpression, found: "an invalid escape at character \(start + 1)",
          expected: #"a hexadecimal number in braces after \u, such as \u{1F}"#)
      }
      position = end + 1
      return escaped
    default:
      throw QueryError(
        .malformedExpression, found: "the escape '\\\(printable(String(scalar)))' at character \(start + 1)",
        expected: #"an escape: \n \r \t \0 \\ \" \' \u{…}"#)
    }
  }

  /// Takes a regular expression, `/…/` or `/…/i`. Escapes are its own, but for that of the slash.
  private mutating func pattern() throws(QueryError) -> QueryToken {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek(), scalar != "/" {
      position += 1
      if scalar == "\\", let escaped = peek() {
        position += 1
        if escaped != "/" { text.append(scalar) }
        text.append(escaped)
      } else {
        text.append(scalar)
      }
    }
    guard peek() == "/" else { throw unfinished("the regular expression", from: start) }
    position += 1
    let ignoresCase = peek() == "i"
    if ignoresCase { position += 1 }
    return .pattern(String(text), ignoresCase: ignoresCase)
  }

  private func unfinished(_ what: String, from start: Int) -> QueryError {
    QueryError(
      .malformedExpression, found: "the end of the query '\(printable(text))'",
      expected: "the end of \(what) that begins at character \(start + 1)")
  }

  // MARK: Signs

  private mutating func sign() -> String {
    let longSigns = ["==", "!=", "<=", ">=", "=~", "!~", "&&", "||"]
    if let first = peek(), let second = peek(1) {
      let pair = String(first) + String(second)
      if longSigns.contains(pair) {
        position += 2
        return pair
      }
    }
    defer { position += 1 }
    return peek().map(String.init) ?? ""
  }
}
