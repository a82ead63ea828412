/// A writer that writes JSON text one value at a time, and adds the commas and colons.
///
///     var writer = JSONWriter(isPretty: true)
///     writer.beginObject()
///     writer.key("id")
///     writer.number(7)
///     writer.end()
///     print(writer.text)
///
/// The text is valid if the caller writes a key before each value in an object, and ends every array and
/// object. The writer stores only the written text and the kinds of the open arrays and objects. Call
/// ``take()`` to remove written text from memory. A writer can be moved but not copied.
public struct JSONWriter: ~Copyable, Sendable {
  var output = JSONByteBuffer()
  let isPretty: Bool
  let escaping: JSONEscaping
  /// The flags of the innermost open array or object. Empty if no array or object is open.
  private var scope: Scope = []
  /// The scopes that enclose `scope`, outermost first.
  private var outerScopes = JSONByteBuffer()
  /// Whether the last call wrote a key, so that the value of the key must follow.
  private var isAfterKey = false
  /// The number of open scopes that write each value on its own line.
  private var lineDepth = 0

  fileprivate struct Scope: OptionSet {
    let rawValue: UInt8
    /// The scope is an open array or object. The top level does not have this flag, because nothing separates
    /// its values.
    static let isOpen = Scope(rawValue: 1 << 0)
    static let isObject = Scope(rawValue: 1 << 1)
    static let isPretty = Scope(rawValue: 1 << 2)
    /// The array or object already contains a value.
    static let hasValues = Scope(rawValue: 1 << 3)
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - isPretty: whether each element and member is on its own line, indented by two spaces per level.
  ///   - escaping: the characters that are escaped in addition to the characters that JSON requires.
  public init(isPretty: Bool = false, escaping: JSONEscaping = .required) {
    self.isPretty = isPretty
    self.escaping = escaping
  }

  /// The text that was written, without the text that ``take()`` removed.
  public var text: String { output.text }

  /// The UTF-8 bytes that were written, without the bytes that ``take()`` removed.
  public var bytes: [UInt8] { output.bytes }

  /// The number of bytes that were written, without the bytes that ``take()`` removed.
  package var byteCount: Int { output.count }

  /// The number of open arrays and objects.
  public var depth: Int { outerScopes.count }

  /// Whether the last call wrote a key, so that the caller must write the value of the key next.
  public var needsValue: Bool { isAfterKey }

  /// Removes and returns the text that was written so far, in UTF-8.
  ///
  /// Writing can continue after this call.
  public mutating func take() -> [UInt8] {
    let bytes = output.bytes
    output.truncate(to: 0)
    return bytes
  }

  // MARK: Arrays and objects

  /// Begins an object.
  ///
  /// - Parameter isPretty: whether each member is on its own line; nil to use the writer's setting.
  public mutating func beginObject(isPretty: Bool? = nil) { begin(isObject: true, isPretty ?? self.isPretty) }

  /// Begins an array.
  ///
  /// - Parameter isPretty: whether each element is on its own line; nil to use the writer's setting.
  public mutating func beginArray(isPretty: Bool? = nil) { begin(isObject: false, isPretty ?? self.isPretty) }

  private mutating func begin(isObject: Bool, _ isPretty: Bool) {
    beginValue()
    output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    outerScopes.append(scope.rawValue)
    scope = isObject ? [.isOpen, .isObject] : .isOpen
    if isPretty { scope.insert(.isPretty) }
    if isPretty { lineDepth += 1 }
  }

  /// Ends the innermost open array or object.
  public mutating func end() {
    guard let outer = outerScopes.popLast() else { return }
    if scope.contains(.isPretty) {
      lineDepth -= 1
      if scope.contains(.hasValues) { beginLine() }
    }
    output.append(scope.contains(.isObject) ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    scope = Scope(rawValue: outer)
  }

  /// Writes the name of a member. The value of the member must follow.
  public mutating func key(_ name: String) {
    beginValue()
    append(key: name)
    isAfterKey = true
  }

  /// Writes the name of a member, from its UTF-8 bytes.
  package mutating func key(utf8 bytes: Span<UInt8>) {
    beginValue()
    append(quoted: bytes)
    appendColon()
    isAfterKey = true
  }

  /// Writes the name of a member. The name must not need escapes.
  package mutating func key(plain name: String) {
    literal(name, isQuoted: true)
    appendColon()
    isAfterKey = true
  }

  /// Writes the name of a member. The name must be prepared with the options of this writer.
  package mutating func key(_ name: JSONNames.Name, of names: borrowing JSONNames) {
    if scope.contains(.isPretty) || isAfterKey {
      beginValue()
      append(name, of: names)
    } else {
      append(name, of: names, afterComma: scope.contains(.hasValues))
      if scope.contains(.isOpen) { scope.insert(.hasValues) }
    }
    isAfterKey = true
  }

  /// Writes a string. The string must be prepared as a name, with the options of this writer.
  package mutating func string(_ name: JSONNames.Name, of names: borrowing JSONNames) {
    beginValue()
    append(name, of: names)
    output.truncate(to: output.count - (isPretty ? 2 : 1))
  }

  @inline(__always) private mutating func append(
    _ name: JSONNames.Name, of names: borrowing JSONNames, afterComma: Bool = false
  ) {
    output.append(
      words: names.words, from: Int(name.first), byteCount: Int(name.byteCount), afterComma: afterComma)
  }

  /// Appends a member's name and the colon after it.
  mutating func append(key name: String) {
    append(quoted: name)
    appendColon()
  }

  private mutating func appendColon() {
    output.append(UInt8(ascii: ":"))
    if isPretty { output.append(UInt8(ascii: " ")) }
  }

  // MARK: Values

  /// Writes `null`.
  public mutating func null() {
    beginValue()
    appendNull()
  }

  private mutating func appendNull() { output.append(0x6C6C_756E, byteCount: 4) }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    beginValue()
    output.append(value ? 0x6575_7274 : 0x65_736C_6166, byteCount: value ? 4 : 5)
  }

  /// Writes an integer.
  public mutating func number(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) { integer(value) } else { literal(String(value)) }
  }

  /// Writes a signed 64-bit integer.
  package mutating func integer(_ value: Int64) {
    beginValue()
    if value < 0 { output.append(UInt8(ascii: "-")) }
    output.append(decimal: value.magnitude)
  }

  /// Writes an unsigned 64-bit integer.
  package mutating func integer(_ value: UInt64) {
    beginValue()
    output.append(decimal: value)
  }

  /// Writes a number exactly as in its ``JSONNumber/text``.
  public mutating func number(_ value: JSONNumber) { literal(value.text) }

  /// Writes a `Double` with the fewest digits that represent it. Writes `null` for infinity and NaN.
  public mutating func number(_ value: Double) {
    beginValue()
    if output.append(shortest: value) { return }
    if value.isFinite { output.append(description: value) } else { appendNull() }
  }

  /// Writes a `Float` with the fewest digits that represent it. Writes `null` for infinity and NaN.
  public mutating func number(_ value: Float) { literal(value.isFinite ? value.description : "null") }

  /// Writes a string.
  public mutating func string(_ value: String) {
    beginValue()
    append(quoted: value)
  }

  /// Writes a string from its UTF-8 bytes, which must be valid UTF-8.
  package mutating func string(utf8 bytes: Span<UInt8>) {
    beginValue()
    append(quoted: bytes)
  }

  /// Writes a value from its JSON text: a number, or a string that needs no escapes.
  ///
  /// - Parameters:
  ///   - text: the text, without quotes.
  ///   - isQuoted: whether the writer adds quotes.
  package mutating func literal(_ text: String, isQuoted: Bool = false) {
    beginValue()
    if isQuoted { output.append(UInt8(ascii: "\"")) }
    append(plain: text)
    if isQuoted { output.append(UInt8(ascii: "\"")) }
  }

  /// Writes a string from its UTF-8 bytes. The string must not need escapes.
  package mutating func string(plain bytes: Span<UInt8>) {
    beginValue()
    output.append(UInt8(ascii: "\""))
    output.append(contentsOf: bytes)
    output.append(UInt8(ascii: "\""))
  }

  /// Writes the separator before a value: a comma, a line end, or nothing after a key.
  @inline(__always) private mutating func beginValue() {
    if isAfterKey {
      isAfterKey = false
    } else if scope.contains(.isOpen) {
      if scope.contains(.hasValues) { output.append(UInt8(ascii: ",")) }
      scope.insert(.hasValues)
      if scope.contains(.isPretty) { beginLine() }
    }
  }

  /// The offset in the text at which the next key or element will begin.
  package var startOfNextValue: Int {
    output.count + (scope.contains(.hasValues) ? 1 : 0) + (scope.contains(.isPretty) ? 1 + 2 * lineDepth : 0)
  }

  /// Whether the innermost open array or object contains at least one value.
  package var hasValues: Bool { scope.contains(.hasValues) }

  /// A position in the text before an element or member.
  package struct Position {
    fileprivate let byteCount: Int
    fileprivate let scope: Scope
  }

  /// The current position.
  package var position: Position { Position(byteCount: output.count, scope: scope) }

  /// Removes the elements or members that were written after a position.
  ///
  /// - Parameter position: a position in the innermost open array or object, after the last ``take()``.
  package mutating func truncate(to position: Position) {
    output.truncate(to: position.byteCount)
    scope = position.scope
  }

  private mutating func beginLine() {
    output.append(UInt8(ascii: "\n"))
    output.append(repeating: UInt8(ascii: " "), count: 2 * lineDepth)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text on one line.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}
