/// A reader of JSON values in one pass, without an index, for callers that expect values of certain kinds.
///
/// The caller requests each value by its kind. If the next value has another kind, or the text is not valid
/// JSON, the cursor throws a `Refusal` without details. The caller then gets the details from a
/// ``JSONDocument``. All values that the cursor returned before are valid JSON by RFC 8259, in UTF-8.
@usableFromInline package struct JSONCursor {
  @usableFromInline var scanner: JSONScanner
  /// The treatment of members with equal names in the documents that the cursor creates.
  private let duplicateKeys: JSONDocument.DuplicateKeys

  /// An error without details: the text has an unexpected value, or is not valid JSON.
  @usableFromInline package struct Refusal: Error {
    /// Creates the error.
    @inlinable package init() {}
  }

  /// Creates a cursor at the start of a text. The bytes are copied.
  package init(_ bytes: Span<UInt8>) {
    scanner = JSONScanner(JSONText(bytes))
    scanner.skipByteOrderMark()
    duplicateKeys = .last
  }

  /// Creates a cursor at the value that has an index in a document.
  package init(_ document: JSONDocument, at index: Int) {
    scanner = JSONScanner(document.text)
    scanner.offset = document.byteOffset(of: index)
    duplicateKeys = document.duplicateKeys
  }

  @inlinable @inline(__always) var text: JSONText { scanner.text }

  /// The offset of the next byte; at most the number of bytes of the text.
  @inlinable package internal(set) var offset: Int {
    @inline(__always) get { scanner.offset }
    @inline(__always) set { scanner.offset = newValue }
  }

  /// Whether only white space remains in the text.
  package var isAtEnd: Bool {
    var rest = self
    rest.skipSpace()
    return rest.offset == text.count
  }

  /// Whether the next value is a number. Checked before the scanner reads a number. For another value, the
  /// scanner would create an error, and would count all lines before the value. This takes long.
  @inline(__always) private var isAtNumber: Bool {
    byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Moves back to a value that was already read.
  package mutating func goBack(to offset: Int) { self.offset = offset }

  // MARK: Tokens

  /// The next byte. 0 at the end of the text.
  @inlinable @inline(__always) package var byte: UInt8 { text.byte(at: offset) }

  /// Skips white space.
  @inlinable @inline(__always) package mutating func skipSpace() {
    guard byte <= 0x20 else { return }
    // A single space is the most frequent case.
    if byte == 0x20, text.byte(at: offset &+ 1) > 0x20 { offset &+= 1 } else { skipAllSpace() }
  }

  @usableFromInline @inline(never) mutating func skipAllSpace() { scanner.skipSpace() }

  /// Reads a bracket, comma or colon, and skips the white space after it.
  ///
  /// - Throws: `Refusal` if another byte is next.
  @inlinable @inline(__always) package mutating func take(_ byte: UInt8) throws(Refusal) {
    guard takeIfNext(byte) else { throw Refusal() }
  }

  /// Reads a bracket, comma or colon and the white space after it, if this byte is next.
  ///
  /// Returns false and reads nothing if another byte is next.
  @inlinable @inline(__always) package mutating func takeIfNext(_ byte: UInt8) -> Bool {
    guard self.byte == byte else { return false }
    offset &+= 1
    skipSpace()
    return true
  }

  /// Reads the name of a member and the colon after it. Returns the number of the name in a table.
  ///
  /// - Parameters:
  ///   - likely: the number of the expected name in the table.
  ///   - names: the known names. No name may contain a character that needs an escape.
  /// - Returns: the number of the name in the table. Nil if the table does not contain the name.
  /// - Throws: `Refusal` if the next value is not a name, or if the name contains escapes.
  @inlinable @inline(__always) package mutating func name(
    _ likely: Int, of names: JSONKeyTable
  ) throws(Refusal) -> Int? {
    let number = takeName(likely, of: names) ? likely : try otherName(of: names)
    skipSpace()
    try take(UInt8(ascii: ":"))
    return number
  }

  @inlinable @inline(__always) mutating func takeName(_ number: Int, of names: JSONKeyTable) -> Bool {
    let end = offset &+ 1 &+ names.nameBytes[number].byteCount
    guard byte == UInt8(ascii: "\""), names.areBytes(ofName: number, at: offset &+ 1, in: text),
      text.byte(at: end) == UInt8(ascii: "\"")
    else { return false }
    offset = end &+ 1
    return true
  }

  @usableFromInline @inline(never) mutating func otherName(of names: JSONKeyTable) throws(Refusal) -> Int? {
    let (range, kind) = try stringRange()
    guard kind != .escapedString else { throw Refusal() }
    return names.number(ofBytes: range.count, at: range.lowerBound, in: text)
  }

  // MARK: Values

  /// Reads a string.
  ///
  /// - Throws: `Refusal` if the next value is not a string.
  package mutating func string() throws(Refusal) -> String {
    let (range, kind) = try stringRange()
    if kind == .escapedString { return text.unescaped(range) }
    // The string is copied from memory directly, so that no reference to the text is counted.
    return unsafe String(checked: text.memory(range), isASCII: kind == .asciiString)
  }

  /// Reads a string. Returns the number of the string in a table, or nil if the table does not contain it.
  ///
  /// - Throws: `Refusal` if the next value is not a string, or if the string contains escapes.
  package mutating func string(in names: JSONKeyTable) throws(Refusal) -> Int? {
    try otherName(of: names)
  }

  /// Reads a string. Returns nil if its UTF-8 bytes equal `known`.
  ///
  /// - Throws: `Refusal` if the next value is not a string.
  package mutating func string(otherThan known: Span<UInt8>) throws(Refusal) -> String? {
    let (range, kind) = try stringRange()
    if kind == .escapedString { return text.unescaped(range) }
    if text.isSame(range, as: known) { return nil }
    return unsafe String(checked: text.memory(range), isASCII: kind == .asciiString)
  }

  /// Reads a string and calls `body` with its UTF-8 bytes. Returns the result of `body`.
  ///
  /// - Throws: `Refusal` if the next value is not a string, or the error of `body`.
  @inlinable @inline(__always) package mutating func withString<Result>(
    _ body: (Span<UInt8>) throws -> Result
  ) throws -> Result {
    let (range, kind) = try stringToken()
    if kind == .escapedString { return try body(text.unescapedBytes(range).span) }
    return try text.withBytes(range, body)
  }

  /// Reads a string. Returns the range of its bytes between the quotes, and the kind of the string.
  @usableFromInline mutating func stringToken() throws(Refusal) -> (Range<Int>, JSONWord.Kind) {
    try stringRange()
  }

  /// Reads a number and calls `body` with its bytes. Returns the result of `body`.
  ///
  /// - Throws: `Refusal` if the next value is not a number, or the error of `body`.
  package mutating func withNumber<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result {
    let start = offset
    guard isAtNumber, (try? scanner.number()) != nil else { throw Refusal() }
    return try text.withBytes(start..<offset, body)
  }

  @inline(__always) private mutating func stringRange() throws(Refusal) -> (Range<Int>, JSONWord.Kind) {
    guard byte == UInt8(ascii: "\"") else { throw Refusal() }
    offset &+= 1
    let start = offset
    guard let kind = try? scanner.string() else { throw Refusal() }
    return (start..<offset &- 1, kind)
  }

  /// Reads an integer.
  ///
  /// - Throws: `Refusal` if the next value is not a number that `Int64` can represent.
  package mutating func integer() throws(Refusal) -> Int64 {
    let isNegative = byte == UInt8(ascii: "-")
    let first = isNegative ? offset &+ 1 : offset
    var next = first
    var digits: UInt64 = 0
    text.appendDigits(&next, to: &digits)
    let count = next &- first
    let follower = text.byte(at: next)
    // An integer of eighteen digits always fits.
    guard 1...18 ~= count, count == 1 || text.byte(at: first) != UInt8(ascii: "0"),
      follower != UInt8(ascii: "."), follower | 0x20 != UInt8(ascii: "e")
    else {
      guard let value = try exactNumber().integer(Int64.self) else { throw Refusal() }
      return value
    }
    offset = next
    return isNegative ? -Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
  }

  /// Reads a number as the nearest `Double`.
  ///
  /// - Throws: `Refusal` if the next value is not a number, or is too large for a `Double`.
  package mutating func double() throws(Refusal) -> Double {
    if let (value, end) = text.shortNumber(at: offset) {
      offset = end
      return value
    }
    guard let value = try exactNumber().double else { throw Refusal() }
    return value
  }

  /// Reads a number with all its digits.
  ///
  /// - Throws: `Refusal` if the next value is not a number.
  @inline(never) package mutating func exactNumber() throws(Refusal) -> JSONNumber {
    let start = offset
    guard isAtNumber, (try? scanner.number()) != nil else { throw Refusal() }
    return JSONNumber(checked: String(decoding: text.bytes(start..<offset), as: UTF8.self))
  }

  /// Reads `true` or `false`.
  ///
  /// - Throws: `Refusal` if the next value is not a Boolean.
  package mutating func bool() throws(Refusal) -> Bool {
    switch try literal() {
    case .true: return true
    case .false: return false
    default: throw Refusal()
    }
  }

  /// Reads `null`. Returns false and reads nothing if the next byte is not `n`.
  ///
  /// - Throws: `Refusal` if the next byte is `n` and the next word is not `null`.
  @inlinable @inline(__always) package mutating func takeNull() throws(Refusal) -> Bool {
    guard byte == UInt8(ascii: "n") else { return false }
    try skipNull()
    return true
  }

  @usableFromInline mutating func skipNull() throws(Refusal) {
    guard try literal() == .null else { throw Refusal() }
  }

  @inline(__always) mutating func literal() throws(Refusal) -> JSONWord.Kind {
    guard UInt8(ascii: "f")...UInt8(ascii: "t") ~= byte, let kind = try? scanner.literal() else {
      throw Refusal()
    }
    return kind
  }

  /// Reads a value of any kind and the white space after it. Returns the value as a document with an index.
  ///
  /// - Parameter levels: the maximum nesting depth of arrays and objects in the value.
  /// - Returns: the value as a document.
  /// - Throws: `Refusal` if the value is not valid JSON, or is nested more deeply than `levels`.
  /// - Complexity: O(bytes of the value).
  package mutating func document(levels: Int) throws(Refusal) -> JSONDocument {
    do { return try JSONDocument(valueAt: &offset, of: text, levels: levels, duplicateKeys) } catch {
      throw Refusal()
    }
  }

  /// Skips a value of any kind and the white space after it.
  ///
  /// - Parameter levels: the maximum nesting depth of arrays and objects in the value.
  /// - Throws: `Refusal` if the value is not valid JSON, or is nested more deeply than `levels`.
  package mutating func skipValue(levels: Int) throws(Refusal) {
    switch byte {
    case UInt8(ascii: "\""): _ = try stringRange()
    case UInt8(ascii: "["):
      try skipElements(levels: levels, upTo: UInt8(ascii: "]")) { (cursor) throws(Refusal) in
        try cursor.skipValue(levels: levels - 1)
      }
    case UInt8(ascii: "{"):
      try skipElements(levels: levels, upTo: UInt8(ascii: "}")) { (cursor) throws(Refusal) in
        _ = try cursor.stringRange()
        cursor.skipSpace()
        try cursor.take(UInt8(ascii: ":"))
        try cursor.skipValue(levels: levels - 1)
      }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard (try? scanner.number()) != nil else { throw Refusal() }
    default: _ = try literal()
    }
    skipSpace()
  }

  /// Reads the brackets and commas of an array or object. Calls `element` once per element or member.
  /// `element` must read or skip it.
  @inline(__always) mutating func skipElements(
    levels: Int, upTo bracket: UInt8, _ element: (inout JSONCursor) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard levels > 0 else { throw Refusal() }
    offset &+= 1
    skipSpace()
    if takeIfNext(bracket) { return }
    repeat { try element(&self) } while takeIfNext(UInt8(ascii: ","))
    try take(bracket)
  }
}
