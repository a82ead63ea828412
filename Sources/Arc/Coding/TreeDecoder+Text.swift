import ArcFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Decodes values for which archives have a form of their own, and for which a text such as JSON has strings
// or numbers.

extension TreeDecoder {
  /// Returns the value of a type, such as `Date`, whose values are strings or numbers in formats such as
  /// JSON. Nil for other types.
  ///
  /// - Throws: `DecodingError` if the string or number is not a notation of the type.
  func valueOfText(_ type: Any.Type) throws -> Any? {
    switch type {
    case is Date.Type: return try found(date, type, "a date in ISO 8601, or in seconds since 1970")
    case is Data.Type: return try found(text.flatMap { Data(base64Encoded: $0) }, type, "a string in base64")
    case is UUID.Type: return try found(text.flatMap { UUID(uuidString: $0) }, type, "a UUID")
    case is URL.Type:
      return try found(text.flatMap { $0.isEmpty ? nil : URL(string: $0) }, type, "a URL")
    case is Decimal.Type: return try found(decimal, type, "a decimal number")
    default: return nil
    }
  }

  private func found<Value>(_ value: Value?, _ type: Any.Type, _ expected: String) throws -> Any {
    guard let value else { throw mismatch(type, expected) }
    return value
  }

  private var text: String? { if case .string(let text) = tree { text } else { nil } }

  private var date: Date? {
    if let text {
      return DateNotation.seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    // The caller throws an error that names the expected date.
    return (try? decode(Double.self)).map {
      Date(timeIntervalSinceReferenceDate: $0 - DateNotation.secondsFrom1970)
    }
  }

  private var decimal: Decimal? {
    let notation: String? =
      switch tree {
      case .string(let text): text
      case .integer(let value): "\(value)"
      case .unsigned(let value): "\(value)"
      case .wideInteger(let value): "\(value)"
      case .wideUnsigned(let value): "\(value)"
      case .double(let value): "\(value)"
      default: nil
      }
    return notation.flatMap(Decimal.init(exactly:))
  }
}
