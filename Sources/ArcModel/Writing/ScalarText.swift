import ArcFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON text of a value that contains no other values. Used for rare kinds of values, and for names of
/// members.
enum ScalarText {
  /// The digits of a number.
  case number(String)
  /// A string without characters that a writer escapes.
  case string(String)
  /// A string that may contain characters that a writer escapes.
  case text(String)
  /// The name of infinity or NaN, which is not a JSON number.
  case notFinite(String)

  /// Returns the next value of a node.
  static func next(_ node: Int, _ plan: WritingPlan) throws -> ScalarText {
    let rows = plan.rows
    switch plan.nodes[node].kind {
    case .bool: return .string(try rows.nextBit(ofNode: node) ? "true" : "false")
    case .int8: return .number("\(try rows.next(Int8.self, ofNode: node))")
    case .int16: return .number("\(try rows.next(Int16.self, ofNode: node))")
    case .int32: return .number("\(try rows.next(Int32.self, ofNode: node))")
    case .int64: return .number("\(try rows.next(Int64.self, ofNode: node))")
    case .int128: return .number("\(try rows.next(Int128.self, ofNode: node))")
    case .uint8: return .number("\(try rows.next(UInt8.self, ofNode: node))")
    case .uint16: return .number("\(try rows.next(UInt16.self, ofNode: node))")
    case .uint32: return .number("\(try rows.next(UInt32.self, ofNode: node))")
    case .uint64: return .number("\(try rows.next(UInt64.self, ofNode: node))")
    case .uint128: return .number("\(try rows.next(UInt128.self, ofNode: node))")
    case .float16: return number(Float(half: try rows.next(UInt16.self, ofNode: node)))
    case .float32: return number(try rows.next(Float.self, ofNode: node))
    case .float64: return number(try rows.next(Double.self, ofNode: node))
    case .date: return try date(try rows.next(Double.self, ofNode: node), plan.nodes[node].dateFormat)
    case .uuid: return .string(UUIDNotation.text(try rows.next(UInt128.self, ofNode: node)))
    case .decimal:
      let text = String(decoding: [UInt8](try rows.nextBytes(ofNode: node)), as: UTF8.self)
      return text == "NaN" ? .notFinite(text) : .number(text)
    case .data:
      let bytes = try rows.nextBytes(ofNode: node).withSpan(Base64.text)
      return .string(String(decoding: bytes, as: UTF8.self))
    case .string:
      return .text(String(decoding: [UInt8](try rows.nextBytes(ofNode: node)), as: UTF8.self))
    case .url: return .text(try url(node, plan))
    case .optional, .array, .set, .dictionary, .structure, .enumeration, .reference, .weak: return .text("")
    }
  }

  private static func number(_ value: some BinaryFloatingPoint & LosslessStringConvertible) -> ScalarText {
    value.isFinite ? .number(value.description) : .notFinite(name(of: value))
  }

  /// Returns the name of infinity or NaN.
  static func name(of value: some BinaryFloatingPoint) -> String {
    value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
  }

  /// Converts a date to text in a format, and throws if the format cannot represent the date. If `format` is
  /// nil, uses ISO 8601, or seconds since 1970 if ISO 8601 cannot represent the date exactly.
  private static func date(_ seconds: Double, _ format: ValueFormat.DateFormat?) throws -> ScalarText {
    guard seconds.isFinite else { return .notFinite(name(of: seconds)) }
    let text: String?
    switch format {
    case .seconds: return .number(shortest(seconds + DateNotation.secondsFrom1970))
    case .milliseconds:
      let milliseconds = (seconds + DateNotation.secondsFrom1970) * 1000
      if milliseconds.isFinite { return .number(shortest(milliseconds)) }
      text = nil
    case .rfc1123: text = HTTPDate.text(seconds)
    case .iso8601: text = DateNotation.exactText(seconds)
    case nil:
      text = DateNotation.exactText(seconds)
      if text == nil { return .number("\(seconds + DateNotation.secondsFrom1970)") }
    }
    guard let text else {
      throw ObjectWriting.Failure.noNotation(
        "the date \(seconds + DateNotation.secondsFrom1970) seconds after 1970",
        expected: format?.words ?? "a date")
    }
    return .string(text)
  }

  /// Returns the digits of a number, without a fraction if the number is an integer.
  private static func shortest(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Returns the next URL of a node. Resolves a relative URL if it has a base URL.
  static func url(_ node: Int, _ plan: WritingPlan) throws -> String {
    let (textNode, baseNode) = (plan.nodes[node].firstChild, plan.nodes[node].secondChild)
    let text = String(decoding: [UInt8](try plan.rows.nextBytes(ofNode: textNode)), as: UTF8.self)
    guard try plan.rows.nextBit(ofNode: baseNode) else { return text }
    let bytes = try plan.rows.nextBytes(ofNode: plan.nodes[baseNode].firstChild)
    let base = String(decoding: [UInt8](bytes), as: UTF8.self)
    return URL(string: text, relativeTo: URL(string: base))?.absoluteString ?? text
  }
}
