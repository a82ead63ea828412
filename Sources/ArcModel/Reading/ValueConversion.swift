import ArcFormat
import ArcJSON

/// What a JSON value is as one of a kind of column. Exact conversions lose nothing and are made always,
/// others only by lenient readers: `ArcModel.docc/Conversions.md` has the table of all.
struct ValueConversion {
  let document: JSONDocument
  let isLenient: Bool

  private func kind(_ index: Int) -> JSONWord.Kind { document.word(at: index).kind }

  /// Whether a value is a string.
  func isString(_ index: Int) -> Bool { document.word(at: index).isString }

  /// Whether a value is a string in the notation of URLs.
  func isURL(_ index: Int) -> Bool { isString(index) && document.withUTF8(at: index, URLNotation.isURL) }

  private func isNumber(_ index: Int) -> Bool { document.word(at: index).isNumber }

  /// The text of a string; nil for any other value.
  func text(_ index: Int) -> String? { isString(index) ? document.string(at: index) : nil }

  /// A number, also as text for a lenient reader.
  private func number(_ index: Int) -> JSONNumber? {
    if isNumber(index) { return document.exactNumber(at: index) }
    guard isLenient, let text = text(index) else { return nil }
    return JSONNumber(text.trimmed)
  }

  func bool(_ index: Int) -> Bool? {
    switch kind(index) {
    case .true: return true
    case .false: return false
    default: break
    }
    guard isLenient else { return nil }
    switch (text(index) ?? (isNumber(index) ? document.string(at: index) : "")).trimmed.lowercased() {
    case "true", "yes", "y", "on", "1": return true
    case "false", "no", "n", "off", "0": return false
    default: return nil
    }
  }

  /// An integer of 64 bits; nil for what is none, or does not fit.
  func integer(_ index: Int) -> Int64? {
    if isNumber(index) { return document.integer(at: index) }
    return wideInteger(index, Int64.self)
  }

  /// An integer of any width; nil for what is none, or does not fit.
  func wideInteger<Value: FixedWidthInteger>(_ index: Int, _ type: Value.Type) -> Value? {
    if isLenient {
      if kind(index) == .true { return 1 }
      if kind(index) == .false { return 0 }
    }
    return number(index)?.integer(type)
  }

  /// Whether a number has a fraction. Nil for any other value.
  func hasFraction(_ index: Int) -> Bool? { number(index)?.hasFraction }

  func double(_ index: Int) -> Double? {
    if isNumber(index) { return document.double(at: index) }
    guard isLenient, let text = text(index)?.trimmed else { return nil }
    switch text.lowercased() {
    case "nan": return .nan
    case "infinity", "inf": return .infinity
    case "-infinity", "-inf": return -.infinity
    default: return JSONNumber(text)?.double
    }
  }

  /// A number of 32 bits, the nearest one; nil for what is none, or would be infinite.
  func float(_ index: Int) -> Float? {
    let isNumber = isNumber(index)
    guard isNumber || isLenient, let double = double(index) else { return nil }
    guard double.isFinite else { return Float(double) }
    // Of the digits themselves: rounded twice, it need not be the nearest.
    let digits = isNumber ? document.string(at: index) : text(index)?.trimmed
    return digits.flatMap { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether a value says that it is infinite.
  func isInfinite(_ index: Int) -> Bool { !isNumber(index) && double(index)?.isInfinite ?? false }

  /// The text of a string, or what a lenient reader takes for one.
  func string(_ index: Int) -> String? {
    switch kind(index) {
    case .asciiString, .string, .escapedString: return document.string(at: index)
    case .integer, .fraction: return isLenient ? document.string(at: index) : nil
    case .true: return isLenient ? "true" : nil
    case .false: return isLenient ? "false" : nil
    case .null, .array, .object: return nil
    }
  }

  /// A decimal in the notation of archives.
  func decimal(_ index: Int) -> String? {
    let text = isNumber(index) ? document.string(at: index) : text(index)?.trimmed
    return text.flatMap(DecimalNotation.normalized)
  }

  /// Seconds since 2001-01-01 00:00:00 UTC. In a format of texts the date is in a year that these can
  /// say: with an offset, or rounded, it could be in the year 10000.
  func date(_ index: Int, _ format: ValueFormat.DateFormat?) -> Double? {
    guard let seconds = seconds(index, format) else { return nil }
    guard format == .iso8601 || format == .rfc1123 else { return seconds }
    return DateNotation.hasText(seconds) ? seconds : nil
  }

  private func seconds(_ index: Int, _ format: ValueFormat.DateFormat?) -> Double? {
    let text = text(index)?.trimmed
    let number = isNumber(index) ? document.double(at: index) : nil
    let exact: Double? =
      switch format {
      case nil:
        number.map { $0 - DateNotation.secondsFrom1970 } ?? text.flatMap(DateNotation.seconds)
      case .seconds: number.map { $0 - DateNotation.secondsFrom1970 }
      case .milliseconds: number.map { $0 / 1000 - DateNotation.secondsFrom1970 }
      case .iso8601: text.flatMap(DateNotation.seconds)
      case .rfc1123: text.flatMap(HTTPDate.seconds)
      }
    if exact != nil || !isLenient { return exact }
    guard let seconds = number ?? text.flatMap({ JSONNumber($0)?.double }) else {
      return text.flatMap { DateNotation.seconds($0) ?? HTTPDate.seconds($0) }
    }
    return (format == .milliseconds ? seconds / 1000 : seconds) - DateNotation.secondsFrom1970
  }

  /// The bytes of a UUID, as archives have them.
  func uuid(_ index: Int) -> UInt128? { text(index).flatMap { UUIDNotation.bytes($0.trimmed) } }

  /// The bytes that a string stands for in base64 (RFC 4648), of either alphabet, with or without padding.
  func data(_ index: Int) -> [UInt8]? { text(index).flatMap(Base64.bytes) }
}

extension String {
  /// The text without spaces and line ends around it.
  fileprivate var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
