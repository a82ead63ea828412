/// Takes values out of a text one after another, in one pass and without an index, for a caller that knows
/// which ones it expects.
///
/// Whatever is not as expected makes it throw a `Refusal`, without a word on what that is: an index of the
/// text tells. Until then all that was taken is JSON as RFC 8259 has it, in UTF-8.
@usableFromInline package struct JSONCursor {
  @usableFromInline var scanner: JSONScanner

  /// The text is otherwise than expected, or is no JSON.
  @usableFromInline package struct Refusal: Error {
    @inlinable package init() {}
  }

  /// Begins with a text, whose bytes are copied.
  package init(_ bytes: Span<UInt8>) { scanner = JSONScanner(JSONText(bytes)) }

  @inlinable @inline(__always) var text: JSONText { scanner.text }

  /// The offset of the next byte; at most the number of bytes of the text.
  @inlinable var offset: Int {
    @inline(__always) get { scanner.offset }
    @inline(__always) set { scanner.offset = newValue }
  }

  /// Whether nothing follows, but space.
  package var isAtEnd: Bool {
    var rest = self
    rest.skipSpace()
    return rest.offset == text.count
  }

  // MARK: Tokens

  /// The next byte; 0 at the end.
  @inlinable @inline(__always) package var byte: UInt8 { text.byte(at: offset) }

  /// Goes to the next byte that is no space.
  @inlinable @inline(__always) package mutating func skipSpace() {
    guard byte <= 0x20 else { return }
    // Most often it is one space.
    if byte == 0x20, text.byte(at: offset &+ 1) > 0x20 { offset &+= 1 } else { skipAllSpace() }
  }

  @usableFromInline @inline(never) mutating func skipAllSpace() { scanner.skipSpace() }

  /// Takes a bracket, a comma or a colon, and the space behind it.
  @inlinable @inline(__always) package mutating func take(_ byte: UInt8) throws(Refusal) {
    guard takeIfThere(byte) else { throw Refusal() }
  }

  /// Takes a bracket, a comma or a colon, and the space behind it, if that is next.
  @inlinable @inline(__always) package mutating func takeIfThere(_ byte: UInt8) -> Bool {
    guard self.byte == byte else { return false }
    offset &+= 1
    skipSpace()
    return true
  }

  /// Takes the name of a member, and the colon behind it.
  ///
  /// - Parameters:
  ///   - likely: the number of the name that is likely, in the table.
  ///   - names: the names that are known, none of which has a character that is escaped.
  /// - Returns: the number of the name; nil if it is none of these.
  /// - Throws: `Refusal` for what is no name, or has escapes.
  @inlinable @inline(__always) package mutating func name(
    _ likely: Int, of names: JSONKeyTable
  ) throws(Refusal) -> Int? {
    let number = takeName(likely, of: names) ? likely : try otherName(of: names)
    skipSpace()
    try take(UInt8(ascii: ":"))
    return number
  }

  @inlinable @inline(__always) mutating func takeName(_ number: Int, of names: JSONKeyTable) -> Bool {
    let end = offset &+ 1 &+ names.places[number].byteCount
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

  /// Takes a string.
  package mutating func string() throws(Refusal) -> String {
    let (range, kind) = try stringRange()
    if kind == .escapedString { return text.unescaped(range) }
    // Its memory alone is asked for: no reference to the text is counted for it.
    return unsafe String(checked: text.memory(range), isASCII: kind == .asciiString)
  }

  /// Takes a string. Returns nil for one of which the UTF-8 is known.
  package mutating func string(otherThan known: Span<UInt8>) throws(Refusal) -> String? {
    let (range, kind) = try stringRange()
    if kind == .escapedString { return text.unescaped(range) }
    if text.isSame(range, as: known) { return nil }
    return unsafe String(checked: text.memory(range), isASCII: kind == .asciiString)
  }

  @inline(__always) private mutating func stringRange() throws(Refusal) -> (Range<Int>, JSONWord.Kind) {
    guard byte == UInt8(ascii: "\"") else { throw Refusal() }
    offset &+= 1
    let start = offset
    guard let kind = try? scanner.string() else { throw Refusal() }
    return (start..<offset &- 1, kind)
  }

  /// Takes a number that is an integer of 64 bits.
  package mutating func integer() throws(Refusal) -> Int64 {
    let isNegative = byte == UInt8(ascii: "-")
    let first = isNegative ? offset &+ 1 : offset
    var next = first
    var digits: UInt64 = 0
    text.appendDigits(&next, to: &digits)
    let count = next &- first
    let follower = text.byte(at: next)
    // Eighteen digits always fit.
    guard 1...18 ~= count, count == 1 || text.byte(at: first) != UInt8(ascii: "0"),
      follower != UInt8(ascii: "."), follower | 0x20 != UInt8(ascii: "e")
    else {
      guard let value = try exactNumber().integer(Int64.self) else { throw Refusal() }
      return value
    }
    offset = next
    return isNegative ? -Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
  }

  /// Takes a number, as the nearest one of 64 bits, which must not be infinite.
  package mutating func double() throws(Refusal) -> Double {
    if let (value, end) = text.shortNumber(at: offset) {
      offset = end
      return value
    }
    guard let value = try exactNumber().double else { throw Refusal() }
    return value
  }

  @inline(never) private mutating func exactNumber() throws(Refusal) -> JSONNumber {
    let start = offset
    guard (try? scanner.number()) != nil else { throw Refusal() }
    return JSONNumber(checked: String(decoding: text.bytes(start..<offset), as: UTF8.self))
  }

  /// Takes `true` or `false`.
  package mutating func bool() throws(Refusal) -> Bool {
    switch try literal() {
    case .true: return true
    case .false: return false
    default: throw Refusal()
    }
  }

  /// Takes `null`, if that is next.
  ///
  /// - Throws: `Refusal` for another word that begins like it.
  @inlinable @inline(__always) package mutating func takeNull() throws(Refusal) -> Bool {
    guard byte == UInt8(ascii: "n") else { return false }
    try skipNull()
    return true
  }

  @usableFromInline mutating func skipNull() throws(Refusal) {
    guard try literal() == .null else { throw Refusal() }
  }

  @inline(__always) private mutating func literal() throws(Refusal) -> JSONWord.Kind {
    guard let kind = try? scanner.literal() else { throw Refusal() }
    return kind
  }

  /// Takes a value of any kind, and the space behind it, in which at most so many arrays and objects are one
  /// inside another.
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

  @inline(__always) private mutating func skipElements(
    levels: Int, upTo bracket: UInt8, _ element: (inout JSONCursor) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard levels > 0 else { throw Refusal() }
    offset &+= 1
    skipSpace()
    if takeIfThere(bracket) { return }
    repeat { try element(&self) } while takeIfThere(UInt8(ascii: ","))
    try take(bracket)
  }
}
