/// The pairs of `<` and `>` in a text with C++ and Swift type names. Spec: 09-encodings, rules N1 and N2.
///
/// The partner of a `<` depends only on the text after it. Therefore one pass through the text finds the
/// partners for all names, and parsing is linear even if no bracket closes. The `>` of an arrow and brackets
/// in character literals (`Ch<'>'>`) are never part of a pair. Brackets in strings (`Name<{">"}>`) and
/// operators (`F<&Op::operator>=>`) are part of a pair only if the rule for names includes them.
struct AngleBrackets {
  /// The distance from each `<` to its `>`, by the index of the `<`. 0 if it has no partner.
  private var distances: [Int32]

  init(in bytes: [UInt8], rule: TypeEncodingParser.NameRule) {
    distances = [Int32](repeating: 0, count: bytes.count)
    guard rule != .firstSign else { return }
    let knowsOperators = rule != .pairs
    let symbols =
      rule == .withOperators ? Self.operatorSymbols : Self.operatorSymbols.sorted { $0.count < $1.count }
    var openers: [Int] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "'"): index = Self.endOfCharacterLiteral(startingAt: index, in: bytes) - 1
      case UInt8(ascii: "o") where knowsOperators && !openers.isEmpty:
        index = Self.endOfOperator(startingAt: index, in: bytes, symbols) - 1
      case UInt8(ascii: "\"") where knowsOperators && !openers.isEmpty:
        index = Self.endOfString(startingAt: index, in: bytes) - 1
      case UInt8(ascii: "<"): openers.append(index)
      case UInt8(ascii: ">") where index == 0 || bytes[index - 1] != UInt8(ascii: "-"):
        if let opener = openers.popLast() { distances[opener] = Int32(exactly: index - opener) ?? 0 }
      default: break
      }
      index += 1
    }
  }

  func closer(ofOpenerAt index: Int) -> Int? { distances[index] == 0 ? nil : index + Int(distances[index]) }

  /// Returns the index after a character literal. If there is no literal, returns the index after the quote.
  private static func endOfCharacterLiteral(startingAt start: Int, in bytes: [UInt8]) -> Int {
    let longestLiteralByteCount = 12  // '\U0010FFFF'
    let end = min(bytes.count, start + longestLiteralByteCount)
    var index = start + 1
    var characterCount = 0
    while index < end {
      if bytes[index] == UInt8(ascii: "'"), characterCount > 0 { return index + 1 }
      let isEscape = bytes[index] == UInt8(ascii: "\\")
      let isContinuation = bytes[index] & 0xC0 == 0x80
      if !isContinuation { characterCount += 1 }
      // Only an escape sequence has several characters between its quotes.
      if characterCount > 1, bytes[start + 1] != UInt8(ascii: "\\") { break }
      index += isEscape ? 2 : 1
    }
    return start + 1
  }

  /// Returns the index after a string in template arguments. If the quote at `start` does not begin a string,
  /// returns the index after the quote.
  ///
  /// Template arguments contain strings only in braces, as in `Name<{"a"}>`. Outside of names, no quote
  /// follows a brace.
  private static func endOfString(startingAt start: Int, in bytes: [UInt8]) -> Int {
    let isFirst = start > 0 && bytes[start - 1] == UInt8(ascii: "{")
    let isNext = start > 1 && bytes[start - 2..<start] == [UInt8(ascii: ","), UInt8(ascii: " ")]
    guard isFirst || isNext else { return start + 1 }
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start + 1
  }

  private static let operatorWord = Array("operator".utf8)
  /// The operators that contain angle brackets, longest first.
  private static let operatorSymbols = ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"]
    .map { Array($0.utf8) }

  /// Returns the index after `operator` and a symbol with angle brackets, such as `operator<`. If no such
  /// symbol follows `operator`, returns the index after `operator`. If the text at `start` is not `operator`,
  /// returns the index after the character at `start`.
  ///
  /// In template arguments, a bracket, a comma or a parenthesis follows the symbol. This distinguishes
  /// `operator<=` and `>` from `operator<` and `=`.
  private static func endOfOperator(
    startingAt start: Int, in bytes: [UInt8], _ symbols: [[UInt8]]
  ) -> Int {
    guard bytes[start...].starts(with: operatorWord), start == 0 || !isIdentifier(bytes[start - 1]) else {
      return start + 1
    }
    let symbolStart = start + operatorWord.count
    for symbol in symbols where bytes[symbolStart...].starts(with: symbol) {
      let end = symbolStart + symbol.count
      guard end < bytes.count else { continue }
      switch bytes[end] {
      case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: ","), UInt8(ascii: ")"): return end
      default: continue
      }
    }
    return symbolStart
  }

  private static func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
