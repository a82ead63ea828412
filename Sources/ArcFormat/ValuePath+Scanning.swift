extension ValuePath {
  /// Parses a path.
  ///
  /// - Throws: `SyntaxError` if the text is not a path.
  package init(parsing text: String) throws(SyntaxError) {
    var scanner = Scanner(text)
    let start = try scanner.start()
    var steps: [Step] = []
    while !scanner.isAtEnd { steps.append(try scanner.step()) }
    self.init(start: start, steps: steps)
  }

  /// A description of why a text is not a valid path.
  package struct SyntaxError: Error {
    fileprivate enum Problem {
      case unexpected
      case unfinished
      case invalidEscape(at: Int)
      case unknownEscape(Unicode.Scalar, at: Int)
    }

    fileprivate let problem: Problem
    /// The scanner of the text, at the position of the unexpected scalar.
    fileprivate let scanner: Scanner
    /// A description of the text that was expected at this position.
    package let expected: String

    /// A description of the text that was found, and of its position. Computed on demand, because a query
    /// parser tries several interpretations of a text, and discards most errors.
    package var found: String {
      switch problem {
      case .invalidEscape(let index): return "an invalid escape at character \(index + 1)"
      case .unknownEscape(let scalar, let index):
        return "the escape '\\\(printable(String(scalar)))' at character \(index + 1)"
      case .unexpected, .unfinished:
        let text = "the \(scanner.noun) '\(printable(scanner.text(0..<scanner.scalars.count)))'"
        guard case .unexpected = problem, let scalar = scanner.peek() else { return "the end of " + text }
        return "'\(printable(String(scalar)))' at character \(scanner.position + 1) in " + text
      }
    }
  }

  /// Parses a path from its start to its end. The parser for the query language of `arcdump` also uses this
  /// scanner, for paths, names and strings.
  ///
  /// Spaces before a sign are ignored.
  package struct Scanner {
    /// The Unicode scalars of the text.
    package let scalars: [Unicode.Scalar]
    /// The index of the next scalar.
    package var position = 0
    /// The noun that describes the text in errors, such as `path`.
    fileprivate let noun: String

    /// Creates a scanner at the start of a text.
    package init(_ text: String, noun: String = "path") {
      scalars = Array(text.unicodeScalars)
      self.noun = noun
    }
  }
}

extension ValuePath.Scanner {
  /// Returns the scalar that is `offset` positions after the next scalar. Nil if this is after the end.
  package func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  package mutating func skipSpaces() {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
  }

  /// Returns the scalars in a range as a string.
  package func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  /// The text from the next scalar to the end.
  package var rest: String { text(position..<scalars.count) }

  /// Whether only spaces remain.
  package var isAtEnd: Bool { scalars[position...].allSatisfy { $0.properties.isWhitespace } }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard peek() == sign else { return false }
    position += 1
    return true
  }

  // MARK: Steps

  /// Reads the start of a path.
  fileprivate mutating func start() throws(ValuePath.SyntaxError) -> ValuePath.Start {
    skipSpaces()
    switch peek() {
    case ".", "[": return .onlyRoot
    case "#":
      position += 1
      guard let number = UInt32(digits()), number > 0 else {
        throw unexpected("the number of an object, at least 1")
      }
      return .object(ObjectID(rawValue: number))
    // A number without `#` is reported, because the user probably means the number of an object.
    case let scalar? where Self.isDigit(scalar): throw unexpected("a name in backticks, or '#' and a number")
    default: return .root(try name())
    }
  }

  /// Reads a step. Does not check the text after it.
  package mutating func step() throws(ValuePath.SyntaxError) -> ValuePath.Step {
    if take(".") { return .name(try name()) }
    guard take("[") else { throw unexpected(#"a step such as '.name', '[3]' or '["key"]'"#) }
    let step = try literal()
    guard take("]") else { throw unexpected("']'") }
    return step
  }

  /// Reads the text between brackets.
  private mutating func literal() throws(ValuePath.SyntaxError) -> ValuePath.Step {
    if take(".") { return .key(.enumerationCase(try name())) }
    let isNegative = take("-")
    skipSpaces()
    let start = position
    if let scalar = peek(), Self.isDigit(scalar) {
      if let index = Int128((isNegative ? "-" : "") + digits()) { return .index(index) }
    } else if isNegative {
      throw unexpected("a number after '-'")
    } else if peek() == "\"" || peek() == "'" {
      return .key(.text(try quoted()))
    } else if let word = try? name(), scalars[start] != "`" {
      if word.text == "true" || word.text == "false" { return .key(.bool(word.text == "true")) }
    }
    position = start
    throw unexpected("an index, or a key: a string in quotes, an integer, true, false or .case")
  }

  // MARK: Names

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private mutating func digits() -> String {
    let start = position
    while let scalar = peek(), Self.isDigit(scalar) { position += 1 }
    return text(start..<position)
  }

  /// Reads a name, with or without backticks.
  package mutating func name() throws(ValuePath.SyntaxError) -> ValuePath.Name {
    skipSpaces()
    if peek() == "`" { return try quoted() }
    let start = position
    guard let first = peek(), ValuePath.startsWord(first) else { throw unexpected("a name") }
    while let scalar = peek(), ValuePath.continuesWord(scalar) { position += 1 }
    // A truncated name in an error ends with this character.
    if peek() == "…" { position += 1 }
    return ValuePath.Name(text(start..<position))
  }

  /// Reads the text between two equal quotes or backticks, with Swift's escapes.
  package mutating func quoted() throws(ValuePath.SyntaxError) -> ValuePath.Name {
    let (start, quote) = (position, peek())
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek(), scalar != quote {
      position += 1
      // In backticks, only `\u{…}` is an escape.
      guard scalar == "\\", quote != "`" || peek() == "u" && peek(1) == "{" else {
        text.append(scalar)
        continue
      }
      text.append(try escape(from: position - 1))
    }
    guard peek() == quote else { throw unfinished("the quoted text", from: start) }
    position += 1
    return ValuePath.Name(String(text))
  }

  /// Reads the rest of an escape sequence, after the backslash.
  private mutating func escape(from start: Int) throws(ValuePath.SyntaxError) -> Unicode.Scalar {
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
        let value = UInt32(text(digits..<end), radix: 16), let escaped = Unicode.Scalar(value)
      else {
        throw ValuePath.SyntaxError(
          problem: .invalidEscape(at: start), scanner: self,
          expected: #"a hexadecimal number in braces after \u, such as \u{1F}"#)
      }
      position = end + 1
      return escaped
    default:
      throw ValuePath.SyntaxError(
        problem: .unknownEscape(scalar, at: start), scanner: self,
        expected: #"an escape: \n \r \t \0 \\ \" \' \u{…}"#)
    }
  }

  // MARK: Errors

  /// Creates the error for a text that ends too early.
  package func unfinished(_ what: String, from start: Int) -> ValuePath.SyntaxError {
    ValuePath.SyntaxError(
      problem: .unfinished, scanner: self,
      expected: "the end of \(what) that begins at character \(start + 1)")
  }

  /// Creates the error for an unexpected scalar at the current position.
  private func unexpected(_ expected: String) -> ValuePath.SyntaxError {
    ValuePath.SyntaxError(problem: .unexpected, scanner: self, expected: expected)
  }
}
