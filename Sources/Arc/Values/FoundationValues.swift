import ArcFormat
import ArcMemory
import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: ArchivableValue {
  /// The type encoding of a date, `@"NSDate"`.
  public static var __columnType: TypeEncoding { .object(className: "NSDate", protocols: []) }
  /// Reads a date from a column, as the number of seconds since 2001-01-01 00:00:00 UTC.
  @inlinable public static func __read(from column: ColumnReader) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try column.fixed(Double.self))
  }
  /// Writes the date to a column, as the exact number of seconds since 2001-01-01 00:00:00 UTC.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.append(timeIntervalSinceReferenceDate)
  }
}

extension Data: ArchivableValue {
  /// The type encoding of data, `@"NSData"`.
  public static var __columnType: TypeEncoding { .object(className: "NSData", protocols: []) }
  /// Reads the bytes of the data from a column.
  public static func __read(from column: ColumnReader) throws -> Data {
    unsafe try column.bytes().withUnsafeBytes { unsafe Data($0) }
  }
  /// Writes the bytes of the data to a column.
  public func __write(to column: ColumnWriter) throws {
    unsafe withUnsafeBytes { column.append(bytes: unsafe ByteView($0)) }
  }
}

extension UUID: ArchivableValue {
  /// The type encoding of a UUID, `@"NSUUID"`.
  public static var __columnType: TypeEncoding { .object(className: "NSUUID", protocols: []) }
  /// Reads the 16 bytes of a UUID from a column, in the order of RFC 4122.
  public static func __read(from column: ColumnReader) throws -> UUID {
    UUID(bytes: try column.fixed(UInt128.self))
  }
  /// Writes the 16 bytes of the UUID to a column, in the order of RFC 4122.
  public func __write(to column: ColumnWriter) throws {
    var bits: UInt128 = 0
    let bytes = unsafe withUnsafeBytes(of: uuid) { unsafe Array($0).reversed() }
    for byte in bytes { bits = bits << 8 | UInt128(byte) }
    column.append(bits)
  }

  /// Creates a UUID from its 16 bytes. The first byte of RFC 4122 is the least significant byte of the
  /// number.
  package init(bytes: UInt128) {
    let (low, high) = (UInt64(truncatingIfNeeded: bytes), UInt64(truncatingIfNeeded: bytes >> 64))
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
    self.init(
      uuid: (
        byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
        byte(low, 7), byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
        byte(high, 5), byte(high, 6), byte(high, 7)
      ))
  }
}

extension URL: ArchivableValue {
  /// The type encoding of a URL, `@"NSURL"`.
  public static var __columnType: TypeEncoding { .object(className: "NSURL", protocols: []) }
  /// Reads a URL from a column: its string and, if the URL is relative, the string of its base URL.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the string is not a URL. Spec: 06-evolution,
  ///   rule M5.
  public static func __read(from column: ColumnReader) throws -> URL {
    let text = try column.child(0).text()
    let base = try String?.__read(from: column.child(1))
    guard let url = url(text, relativeTo: base.flatMap { url($0, relativeTo: nil) }) else {
      throw column.error(.valueOutOfRange, found: "the string '\(text)'", expected: "a URL")
    }
    return url
  }
  /// Returns the URL of a string. Nil if the string is not a URL. An empty URL is created from empty
  /// components, because `URL(string:)` rejects an empty string.
  private static func url(_ text: String, relativeTo base: URL?) -> URL? {
    text.isEmpty ? URLComponents().url(relativeTo: base) : URL(string: text, relativeTo: base)
  }
  /// Writes the URL to a column: its string and, if the URL is relative, the string of its base URL.
  ///
  /// The string of the base URL is absolute.
  public func __write(to column: ColumnWriter) throws {
    column.child(0).append(text: relativeString)
    try (baseURL?.absoluteString).__write(to: column.child(1))
  }
}

extension Decimal: ArchivableValue {
  /// The type encoding of a decimal number, `@"NSDecimalNumber"`.
  public static var __columnType: TypeEncoding { .object(className: "NSDecimalNumber", protocols: []) }
  /// Reads a number in decimal notation, or `NaN`, from a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the string is not exactly the `description` of a
  ///   `Decimal`. For example, `1.50` and `2e3` are not accepted. Spec: 06-evolution, rule M5.
  public static func __read(from column: ColumnReader) throws -> Decimal {
    var text = try column.text()
    let short = text.withUTF8 { unsafe Decimal(shortNotation: Span(_unsafeElements: $0)) }
    if let short { return short }
    if text == "NaN" { return .nan }
    guard let value = Decimal(string: text), value.description == text else {
      throw column.error(
        .valueOutOfRange, found: "the string '\(text)'",
        expected: "a decimal number without exponent or unnecessary zeros")
    }
    return value
  }
  /// Writes the number to a column, in decimal notation. The decimal separator is a point in every locale.
  public func __write(to column: ColumnWriter) throws { column.append(text: notation) }

  /// The number in the decimal notation of archives.
  private var notation: String {
    guard let (digits, exponent, isNegative) = DecimalMemory.digits(of: self),
      let text = DecimalNotation.text(digits, exponent: exponent, isNegative: isNegative)
    else { return Self.compact(description) }
    return text
  }

  /// Parses a string of at most 18 digits in the notation of archives. Nil if the string has another form.
  package init?(shortNotation bytes: Span<UInt8>) {
    guard let number = DecimalNotation.shortNumber(bytes), number.byteCount == bytes.count else { return nil }
    self.init(number)
  }

  /// Creates the value of a short number.
  package init(_ number: DecimalNotation.ShortNumber) {
    self.init(
      sign: number.isNegative ? .minus : .plus, exponent: -number.fractionDigitCount,
      significand: Decimal(number.digits))
  }

  /// Parses a number with or without an exponent. Nil if the text is not a number, or if a `Decimal` cannot
  /// represent the number exactly.
  package init?(exactly text: String) {
    guard let notation = DecimalNotation.normalized(text), let value = Decimal(string: notation),
      value.description == notation
    else { return nil }
    self = value
  }

  /// Removes zeros at the end of a fraction. Returns `0` for a number that consists only of zeros. A decimal
  /// can have such zeros after arithmetic, or if it was built from bits, but not after it was read.
  private static func compact(_ text: String) -> String {
    if text.utf8.allSatisfy({ "0.-".utf8.contains($0) }) { return "0" }
    guard text.utf8.last == UInt8(ascii: "0"), text.utf8.contains(UInt8(ascii: ".")) else { return text }
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "0") }
    let end = digits.first == UInt8(ascii: ".") ? digits.dropFirst() : digits
    return String(decoding: end.reversed(), as: UTF8.self)
  }
}
