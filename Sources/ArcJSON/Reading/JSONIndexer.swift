/// Builds the index of a JSON text and validates the text, in one pass and without recursion.
///
/// - Complexity: O(bytes).
struct JSONIndexer {
  private var words: JSONWordAppender
  /// The index of the entry for the innermost open array or object. -1 if no array or object is open.
  ///
  /// Until an array or object ends, its entry stores the index of the enclosing array or object, plus 1. When
  /// a nested array or object begins, the entry of the outer one also stores its number of values so far.
  private var open = -1
  /// Whether the innermost open array or object is an object.
  private var isObject = false
  /// The number of values so far in the innermost open array or object.
  private var length = 0
  private var depth = 0
  private let maximumDepth: Int
  /// Whether errors contain the line and column. False if only one value of a text is indexed, because
  /// counting the lines before this value takes too long.
  private let locatesErrors: Bool
  private let text: JSONText

  private init(_ text: JSONText, _ limits: JSONLimits) {
    self.text = text
    maximumDepth = limits.depth
    locatesErrors = true
    // Values and keys have at least six bytes on average in most JSON texts.
    words = JSONWordAppender(capacity: min(text.count / 6, 1 << 26) + 4)
  }

  /// Creates an indexer for one value of a text. The value can be much shorter than the text.
  private init(valueOf text: JSONText, levels: Int) {
    self.text = text
    maximumDepth = levels
    locatesErrors = false
    words = JSONWordAppender(capacity: 64)
  }

  /// Returns the index of a text.
  static func index(of text: JSONText, _ limits: JSONLimits) throws(JSONError) -> JSONWordBuffer {
    let maximum = min(limits.bytes, JSONWord.maximumOffset)
    guard text.count <= maximum else {
      let limit = maximum == limits.bytes ? "the limit of JSONLimits" : "the limit of JSONDocument"
      throw JSONError(
        .limitExceeded, found: "a text of \(text.count) bytes",
        expected: "at most \(maximum) bytes (\(limit))", at: 0, in: text)
    }
    var indexer = JSONIndexer(text, limits)
    do throws(JSONError) {
      let end = try indexer.run(from: 0)
      guard end == text.count else {
        throw JSONError(
          .trailingText, found: "text after the value", expected: "the end of the text", at: end, in: text)
      }
    } catch {
      indexer.words.free()
      throw error
    }
    return JSONWordBuffer(indexer.words)
  }

  /// Returns the index of the text `null`.
  static func indexOfNull() -> JSONWordBuffer {
    var words = JSONWordAppender(capacity: 1)
    words.append(JSONWord(.null, length: 0, offset: 0))
    return JSONWordBuffer(words)
  }

  /// Returns the index of the value at an offset of a text. Moves the offset after the value and the
  /// following white space.
  static func index(
    ofValueAt offset: inout Int, in text: JSONText, levels: Int
  ) throws(JSONError) -> JSONWordBuffer {
    var indexer = JSONIndexer(valueOf: text, levels: levels)
    do { offset = try indexer.run(from: offset) } catch {
      indexer.words.free()
      throw error
    }
    return JSONWordBuffer(indexer.words)
  }

  /// Adds the entries of the value at an offset. Returns the offset after the value and the following white
  /// space.
  private mutating func run(from offset: Int) throws(JSONError) -> Int {
    // A copy that is only passed to inlined functions stays in registers.
    var scanner = JSONScanner(text)
    scanner.offset = offset
    var state = self
    defer { self = state }
    scanner.skipByteOrderMark()
    scanner.skipSpace()
    values: while true {
      state.words.reserveFour()
      if try state.beginValue(&scanner) { continue }
      // One or more arrays and objects can end after a value.
      while true {
        scanner.skipSpace()
        if state.open < 0 { break values }
        if try state.isFollowed(&scanner) { continue values }
        try state.end(&scanner)
      }
    }
    return scanner.offset
  }

  /// Reads a whole value, and returns false. For an array or object that is not empty, reads only the
  /// beginning, and returns true. The first nested value is then next.
  @inline(__always) private mutating func beginValue(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    switch scanner.byte {
    case UInt8(ascii: "\""):
      try appendString(&scanner)
    case UInt8(ascii: "{"):
      try begin(.object, &scanner)
      if scanner.byte == UInt8(ascii: "}") { return false }
      length = 1
      try appendKey(&scanner)
      return true
    case UInt8(ascii: "["):
      try begin(.array, &scanner)
      if scanner.byte == UInt8(ascii: "]") { return false }
      length = 1
      return true
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = scanner.offset
      let kind = try scanner.number()
      let length = try Self.checked(scanner.offset - start, from: start, scanner.text)
      words.append(JSONWord(kind, length: length, offset: start))
    default:
      let start = scanner.offset
      words.append(JSONWord(try scanner.literal(), length: 0, offset: start))
    }
    return false
  }

  /// Moves to the next value of the innermost array or object. Returns false if there is no further value.
  @inline(__always) private mutating func isFollowed(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    guard scanner.byte == UInt8(ascii: ","), length > 0 else { return false }
    scanner.offset += 1
    scanner.skipSpace()
    guard length < JSONWord.maximumLength else {
      throw Self.tooMany("elements or members in one value", at: scanner.offset, scanner.text)
    }
    length += 1
    if isObject {
      words.reserveFour()
      try appendKey(&scanner)
    }
    return true
  }

  @inline(__always) private mutating func begin(
    _ kind: JSONWord.Kind, _ scanner: inout JSONScanner
  ) throws(JSONError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw Self.tooDeep(maximumDepth, at: locatesErrors ? scanner.offset : 0, scanner.text)
    }
    let outer = open
    if outer >= 0 { words[outer].setLength(length) }
    open = words.count
    isObject = kind == .object
    length = 0
    words.append(JSONWord(kind, length: 0, offset: outer + 1))
    words.append(JSONWord(.null, length: 0, offset: scanner.offset))
    scanner.offset += 1
    scanner.skipSpace()
  }

  /// Ends the innermost array or object.
  @inline(__always) private mutating func end(_ scanner: inout JSONScanner) throws(JSONError) {
    guard scanner.byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
      throw scanner.unexpected(isObject ? "',' or '}'" : "',' or ']'")
    }
    scanner.offset += 1
    depth -= 1
    let outer = words[open].offset - 1
    words[open] = JSONWord(isObject ? .object : .array, length: length, offset: words.count)
    open = outer
    guard outer >= 0 else { return }
    isObject = words[outer].kind == .object
    length = words[outer].length
  }

  @inline(__always) private mutating func appendString(_ scanner: inout JSONScanner) throws(JSONError) {
    scanner.offset += 1
    let start = scanner.offset
    let kind = try scanner.string()
    let length = try Self.checked(scanner.offset - 1 - start, from: start, scanner.text)
    words.append(JSONWord(kind, length: length, offset: start))
  }

  /// Reads a key, and then the colon and the white space before the value of the key.
  @inline(__always) private mutating func appendKey(_ scanner: inout JSONScanner) throws(JSONError) {
    guard scanner.byte == UInt8(ascii: "\"") else {
      throw scanner.unexpected("'\"' and the name of a member")
    }
    try appendString(&scanner)
    scanner.skipSpace()
    guard scanner.byte == UInt8(ascii: ":") else { throw scanner.unexpected("':'") }
    scanner.offset += 1
    scanner.skipSpace()
  }

  // These functions are static, so that the indexer itself can stay in registers.

  @inline(__always) private static func checked(
    _ length: Int, from start: Int, _ text: JSONText
  ) throws(JSONError) -> Int {
    guard length <= JSONWord.maximumLength else { throw tooMany("bytes in one value", at: start, text) }
    return length
  }

  @inline(never) private static func tooMany(_ what: String, at offset: Int, _ text: JSONText) -> JSONError {
    JSONError(
      .limitExceeded, found: "more than \(JSONWord.maximumLength) \(what)",
      expected: "at most \(JSONWord.maximumLength) \(what)", at: offset, in: text)
  }

  @inline(never) private static func tooDeep(_ maximum: Int, at offset: Int, _ text: JSONText) -> JSONError {
    JSONError(
      .limitExceeded, found: "arrays and objects nested more than \(maximum) levels deep",
      expected: "at most \(maximum) nested levels (the limit of JSONLimits)", at: offset, in: text)
  }
}
