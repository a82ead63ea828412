/// Writes a JSON text piece by piece, with the commas and colons that belong between the pieces.
///
///     var writer = JSONWriter(isPretty: true)
///     writer.beginObject()
///     writer.key("id")
///     writer.number(7)
///     writer.end()
///     print(writer.text)
///
/// What is asked for makes valid JSON if each object gets keys and values in turn, and all that was begun is
/// ended. Nothing is kept but the open brackets and what was not taken.
public struct JSONWriter: Sendable {
  /// The text so far, without what was taken.
  public private(set) var bytes: [UInt8] = []
  private let isPretty: Bool
  private let escaping: JSONEscaping
  private var scopes: [Scope] = []
  /// Whether a key was written whose value is to come.
  private var isAfterKey = false
  /// The number of open scopes with a line for each of their values.
  private var lineDepth = 0

  private struct Scope {
    let isObject: Bool
    let isOnLines: Bool
    var isEmpty = true
  }

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - isPretty: whether each element and member gets a line of its own, two spaces further in.
  ///   - escaping: what is escaped besides what must be.
  public init(isPretty: Bool = false, escaping: JSONEscaping = .required) {
    self.isPretty = isPretty
    self.escaping = escaping
  }

  /// The text so far, without what was taken.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of arrays and objects that are open.
  public var depth: Int { scopes.count }

  /// Whether a key was written whose value is to come.
  public var needsValue: Bool { isAfterKey }

  /// Returns the text so far and forgets it, to write it elsewhere while more is to come.
  public mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  // MARK: Arrays and objects

  /// Begins an object.
  ///
  /// - Parameter isOnLines: whether its members get lines of their own; by default if the writer is pretty.
  public mutating func beginObject(isOnLines: Bool? = nil) { begin(isObject: true, isOnLines) }

  /// Begins an array.
  ///
  /// - Parameter isOnLines: whether its elements get lines of their own; by default if the writer is pretty.
  public mutating func beginArray(isOnLines: Bool? = nil) { begin(isObject: false, isOnLines) }

  private mutating func begin(isObject: Bool, _ isOnLines: Bool?) {
    beginValue()
    bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    scopes.append(Scope(isObject: isObject, isOnLines: isOnLines ?? isPretty))
    if isOnLines ?? isPretty { lineDepth += 1 }
  }

  /// Ends the array or object that was begun last.
  public mutating func end() {
    guard let scope = scopes.popLast() else { return }
    if scope.isOnLines {
      lineDepth -= 1
      if !scope.isEmpty { beginLine() }
    }
    bytes.append(scope.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  /// Writes the name of a member, whose value is to come.
  public mutating func key(_ name: String) {
    beginValue()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  // MARK: Values

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func number(_ value: some BinaryInteger) { literal(String(value)) }

  /// Writes a number with the digits that it has.
  public mutating func number(_ value: JSONNumber) { literal(value.text) }

  /// Writes a floating-point number with as few digits as tell it from all others; `null` for infinity and
  /// NaN, which JSON does not have.
  public mutating func number(_ value: Double) { literal(value.isFinite ? value.description : "null") }

  /// Writes a string.
  public mutating func string(_ value: String) {
    beginValue()
    append(quoted: value)
  }

  /// Writes a value with all that is in it. Recursive over the value.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      end()
    case .object(let object):
      beginObject()
      for (name, value) in object.members {
        key(name)
        self.value(value)
      }
      end()
    }
  }

  private mutating func literal(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes what belongs between the value before and the one to come.
  private mutating func beginValue() {
    if isAfterKey {
      isAfterKey = false
    } else if !scopes.isEmpty {
      if !scopes[scopes.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
      scopes[scopes.count - 1].isEmpty = false
      if scopes[scopes.count - 1].isOnLines { beginLine() }
    }
  }

  private mutating func beginLine() {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * lineDepth))
  }

  // MARK: Strings

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    if let escapes = escaping.escapes {
      append(text, escapes)
    } else {
      append(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a string with those escapes alone that it must have.
  private mutating func append(_ text: String) {
    var rest = text.utf8[...]
    while let stop = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
      bytes.append(contentsOf: rest[..<stop])
      append(escape: UInt16(rest[stop]))
      rest = rest[rest.index(after: stop)...]
    }
    bytes.append(contentsOf: rest)
  }

  private mutating func append(
    _ text: String, _ escapes: (_ scalar: Unicode.Scalar, _ isAfterShown: Bool) -> Bool
  ) {
    var isAfterShown = false
    for scalar in text.unicodeScalars {
      let mustBe = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustBe || escapes(scalar, isAfterShown) {
        for unit in scalar.utf16 { append(escape: unit) }
        isAfterShown = false
      } else {
        bytes.append(contentsOf: scalar.utf8)
        isAfterShown = true
      }
    }
  }

  /// Appends the escape of a code unit.
  private mutating func append(escape unit: UInt16) {
    bytes.append(UInt8(ascii: "\\"))
    switch unit {
    case 0x22, 0x5C: bytes.append(UInt8(unit))
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(UInt8(ascii: "u"))
      for shift in stride(from: 12, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as a text, on one line.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}
