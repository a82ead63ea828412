import Arc
import ArcFormat
import ArcJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type whose values can be read in one pass through a text, without an index.
protocol OnePassValue {
  /// The value of a property that has no member. Nil if the property must have a member.
  static var absent: Self? { get }

  /// Reads the next value. Throws `Refusal` if arrays and objects are nested deeper than `levels`.
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Self
}

extension OnePassValue {
  static var absent: Self? { nil }
}

extension String: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> String { try cursor.string() }
}

extension Bool: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Bool { try cursor.bool() }
}

extension Double: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Double { try cursor.double() }
}

extension Decimal: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Decimal {
    try cursor.withDecimal { Decimal($1) }
  }
}

extension URL: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> URL {
    guard let url = try cursor.withURL({ URL(string: String(copying: $0)) }) else {
      throw JSONCursor.Refusal()
    }
    return url
  }
}

extension UUID: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> UUID {
    UUID(bytes: try cursor.uuid())
  }
}

extension JSONValue: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> JSONValue {
    try cursor.value(levels: levels)
  }
}

extension OnePassValue where Self: FixedWidthInteger {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Self {
    guard let value = Self(exactly: try cursor.integer()) else { throw JSONCursor.Refusal() }
    return value
  }
}

extension Int: OnePassValue {}
extension Int64: OnePassValue {}
extension Int32: OnePassValue {}
extension Int16: OnePassValue {}
extension Int8: OnePassValue {}
extension UInt32: OnePassValue {}
extension UInt16: OnePassValue {}
extension UInt8: OnePassValue {}

extension Optional: OnePassValue where Wrapped: OnePassValue {
  static var absent: Wrapped?? { .some(nil) }

  static func read(from cursor: inout JSONCursor, levels: Int) throws -> Wrapped? {
    // `null` is nil of the innermost of several nested optionals.
    if Wrapped.absent != nil { return try Wrapped.read(from: &cursor, levels: levels) }
    return try cursor.takeNull() ? nil : Wrapped.read(from: &cursor, levels: levels)
  }
}

extension Array: OnePassValue where Element: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> [Element] {
    try cursor.array(levels: levels) { try Element.read(from: &$0, levels: levels - 1) }
  }
}

extension Dictionary: OnePassValue where Key == String, Value: OnePassValue {
  static func read(from cursor: inout JSONCursor, levels: Int) throws -> [Key: Value] {
    try cursor.dictionary(levels: levels) { try Value.read(from: &$0, levels: levels - 1) }
  }
}

extension JSONCursor {
  /// Reads a URL. Calls `body` with its bytes, and returns the result.
  @inline(__always) mutating func withURL<Result>(_ body: (Span<UInt8>) -> Result) throws -> Result {
    try withString { bytes in
      guard URLNotation.isURL(bytes) else { throw Refusal() }
      return body(bytes)
    }
  }

  /// Reads a short number. Calls `body` with its notation in archives and its value, and returns the result.
  @inline(__always) mutating func withDecimal<Result>(
    _ body: (_ notation: Span<UInt8>, DecimalNotation.ShortNumber) -> Result
  ) throws -> Result {
    try withNumber { bytes in
      guard let number = DecimalNotation.shortNumber(bytes) else { throw Refusal() }
      return body(bytes.extracting(first: number.byteCount), number)
    }
  }

  /// Reads a UUID.
  mutating func uuid() throws -> UInt128 {
    guard let bytes = try withString({ UUIDNotation.bytes($0) }) else { throw Refusal() }
    return bytes
  }

  /// Reads an array. `element` reads each element.
  @inline(__always) mutating func array<Element>(
    levels: Int, _ element: (inout JSONCursor) throws -> Element
  ) throws -> [Element] {
    guard levels > 0 else { throw Refusal() }
    try take(UInt8(ascii: "["))
    if takeIfNext(UInt8(ascii: "]")) { return [] }
    var elements: [Element] = []
    elements.reserveCapacity(2)
    repeat {
      elements.append(try element(&self))
      skipSpace()
    } while takeIfNext(UInt8(ascii: ","))
    try take(UInt8(ascii: "]"))
    return elements
  }

  /// Reads an object as a dictionary. `value` reads each value. Throws `Refusal` if a name is repeated,
  /// because the reader's rules determine how duplicates are treated.
  @inline(__always) mutating func dictionary<Value>(
    levels: Int, _ value: (inout JSONCursor) throws -> Value
  ) throws -> [String: Value] {
    guard levels > 0 else { throw Refusal() }
    try take(UInt8(ascii: "{"))
    var values: [String: Value] = [:]
    if takeIfNext(UInt8(ascii: "}")) { return values }
    repeat {
      let key = try string()
      skipSpace()
      try take(UInt8(ascii: ":"))
      guard values.updateValue(try value(&self), forKey: key) == nil else { throw Refusal() }
      skipSpace()
    } while takeIfNext(UInt8(ascii: ","))
    try take(UInt8(ascii: "}"))
    return values
  }
}
