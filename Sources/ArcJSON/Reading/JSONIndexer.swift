/// Makes the index of a text in one pass, without recursion, and checks all of the text meanwhile.
///
/// - Complexity: O(bytes).
struct JSONIndexer: ~Copyable {
  private let text: JSONText
  private let limits: JSONLimits
  private var words: JSONWordBuffer
  /// The index of the innermost open array or object, -1 for none. While it is open, the place of its end is
  /// taken by the index of the one around it, plus 1.
  private var open = -1
  private var depth = 0

  private init(_ text: JSONText, _ limits: JSONLimits) {
    self.text = text
    self.limits = limits
    // Values and keys take six bytes on average, if not fewer.
    words = JSONWordBuffer(capacity: min(text.count / 6, 1 << 26) + 4)
  }

  /// The index of a text.
  static func index(of text: JSONText, _ limits: JSONLimits) throws(JSONError) -> JSONWordBuffer {
    var indexer = JSONIndexer(text, limits)
    try indexer.run()
    return indexer.words
  }

  private mutating func run() throws(JSONError) {
    let count = text.count
    // What is passed by reference only to what is inlined, stays in registers.
    var scanner = JSONScanner(text)
    guard count <= min(limits.bytes, JSONWord.maximumOffset) else {
      throw JSONError(
        .limitExceeded, found: "\(count) bytes",
        expected: "at most \(min(limits.bytes, JSONWord.maximumOffset)); JSONLimits has the maximum", at: 0,
        in: text)
    }
    scanner.skipSpace()
    repeat {
      if try beginValue(&scanner) { continue }
      try endValues(&scanner)
    } while open >= 0
    guard scanner.offset == count else {
      throw JSONError(
        .trailingText, found: "text after the value", expected: "the end", at: scanner.offset, in: text)
    }
  }

  /// Takes a value; of an array or object that is not empty what precedes its first value. Returns whether it
  /// is such.
  @inline(__always) private mutating func beginValue(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    switch scanner.byte {
    case UInt8(ascii: "\""):
      try appendString(&scanner)
    case UInt8(ascii: "{"):
      try begin(.object, &scanner)
      if scanner.byte == UInt8(ascii: "}") { return false }
      try appendKey(&scanner)
      return true
    case UInt8(ascii: "["):
      try begin(.array, &scanner)
      if scanner.byte == UInt8(ascii: "]") { return false }
      words[open].bits += 1 << 4
      return true
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = scanner.offset
      let kind = try scanner.number()
      let length = try checked(scanner.offset - start, from: start)
      words.append(JSONWord(kind, length: length, offset: start))
    default:
      let start = scanner.offset
      words.append(JSONWord(try scanner.literal(), length: 0, offset: start))
    }
    return false
  }

  /// Ends all arrays and objects that end here, up to the next value.
  @inline(__always) private mutating func endValues(_ scanner: inout JSONScanner) throws(JSONError) {
    while true {
      scanner.skipSpace()
      if open < 0 { return }
      let isObject = words[open].kind == .object
      let byte = scanner.byte
      // An empty array or object has two entries, and neither a comma.
      if byte == UInt8(ascii: ","), words.count > open + 2 {
        scanner.offset += 1
        scanner.skipSpace()
        if isObject { return try appendKey(&scanner) }
        return try countValue(at: scanner.offset)
      }
      guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw scanner.unexpected(isObject ? "',' or '}'" : "',' or ']'")
      }
      scanner.offset += 1
      depth -= 1
      let outer = words[open].offset - 1
      let length = words[open].length
      words[open] = JSONWord(isObject ? .object : .array, length: length, offset: words.count)
      open = outer
    }
  }

  @inline(__always) private mutating func begin(
    _ kind: JSONWord.Kind, _ scanner: inout JSONScanner
  ) throws(JSONError) {
    depth += 1
    guard depth <= limits.depth else { throw tooDeep(at: scanner.offset) }
    words.append(JSONWord(kind, length: 0, offset: open + 1))
    open = words.count - 1
    words.append(JSONWord(.null, length: 0, offset: scanner.offset))
    scanner.offset += 1
    scanner.skipSpace()
  }

  /// Counts another element or member of the innermost array or object.
  @inline(__always) private mutating func countValue(at offset: Int) throws(JSONError) {
    guard words[open].length < JSONWord.maximumLength else { throw tooMany("elements", at: offset) }
    words[open].bits += 1 << 4
  }

  @inline(__always) private mutating func appendString(_ scanner: inout JSONScanner) throws(JSONError) {
    scanner.offset += 1
    let start = scanner.offset
    let kind = try scanner.string()
    words.append(JSONWord(kind, length: try checked(scanner.offset - 1 - start, from: start), offset: start))
  }

  /// Takes a key and what follows it, up to the value.
  @inline(__always) private mutating func appendKey(_ scanner: inout JSONScanner) throws(JSONError) {
    guard scanner.byte == UInt8(ascii: "\"") else {
      throw scanner.unexpected("'\"' and the name of a member")
    }
    try countValue(at: scanner.offset)
    try appendString(&scanner)
    scanner.skipSpace()
    guard scanner.byte == UInt8(ascii: ":") else { throw scanner.unexpected("':'") }
    scanner.offset += 1
    scanner.skipSpace()
  }

  @inline(__always) private func checked(_ length: Int, from start: Int) throws(JSONError) -> Int {
    guard length <= JSONWord.maximumLength else { throw tooMany("bytes in one value", at: start) }
    return length
  }

  @inline(never) private func tooMany(_ what: String, at offset: Int) -> JSONError {
    JSONError(.limitExceeded, found: "more than \(JSONWord.maximumLength) \(what)", at: offset, in: text)
  }

  @inline(never) private func tooDeep(at offset: Int) -> JSONError {
    JSONError(
      .limitExceeded, found: "values nested more than \(limits.depth) deep",
      expected: "no more; JSONLimits has the maximum", at: offset, in: text)
  }
}
