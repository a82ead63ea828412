import ArcFormat
import ArcJSON

/// Converts JSON values to values of columns. All readers convert exactly, without loss. Only lenient readers
/// use other conversions. `ArcModel.docc/Conversions.md` contains the table of all conversions.
struct JSONScalarConversion {
  let document: JSONDocument
  let isLenient: Bool

  private func kind(_ index: Int) -> JSONWord.Kind { document.word(at: index).kind }

  func isString(_ index: Int) -> Bool { document.word(at: index).isString }

  func isURL(_ index: Int) -> Bool { isString(index) && document.withUTF8(at: index, URLNotation.isURL) }

  private func isNumber(_ index: Int) -> Bool { document.word(at: index).isNumber }

  /// Returns the string at `index`. Nil if the value is not a string.
  func text(_ index: Int) -> String? { isString(index) ? document.string(at: index) : nil }

  /// Returns the number at `index`. A lenient reader also accepts a string with a number. Nil for other
  /// values.
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

  /// Returns a 64-bit integer. Nil if the value is not an integer, or is out of range.
  func integer(_ index: Int) -> Int64? {
    if isNumber(index) { return document.integer(at: index) }
    return wideInteger(index, Int64.self)
  }

  /// Returns an integer of the type. Nil if the value is not an integer, or is out of range.
  func wideInteger<Value: FixedWidthInteger>(_ index: Int, _ type: Value.Type) -> Value? {
    if isLenient {
      if kind(index) == .true { return 1 }
      if kind(index) == .false { return 0 }
    }
    return number(index)?.integer(type)
  }

  /// Whether a number has a fraction. Nil if the value is not a number.
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

  /// Returns the nearest 32-bit floating-point number. Nil if the value is not a number, or if the result
  /// would be infinite.
  func float(_ index: Int) -> Float? {
    let isNumber = isNumber(index)
    guard isNumber || isLenient, let double = double(index) else { return nil }
    guard double.isFinite else { return Float(double) }
    // The digits are converted directly: rounding to `Double` first might not give the nearest value.
    let digits = isNumber ? document.string(at: index) : text(index)?.trimmed
    return digits.flatMap { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether the value is a string such as "Infinity".
  func isInfinite(_ index: Int) -> Bool { !isNumber(index) && double(index)?.isInfinite ?? false }

  /// Returns the string at `index`. A lenient reader also converts numbers and Booleans to strings. Nil for
  /// other values.
  func string(_ index: Int) -> String? {
    switch kind(index) {
    case .asciiString, .string, .escapedString: return document.string(at: index)
    case .integer, .fraction: return isLenient ? document.string(at: index) : nil
    case .true: return isLenient ? "true" : nil
    case .false: return isLenient ? "false" : nil
    case .null, .array, .object: return nil
    }
  }

  /// Returns a decimal number in the notation of archives. Nil if the value is not a decimal number.
  func decimal(_ index: Int) -> String? {
    let text = isNumber(index) ? document.string(at: index) : text(index)?.trimmed
    return text.flatMap(DecimalNotation.normalized)
  }

  /// Returns a date in seconds since 2001-01-01 00:00:00 UTC. Nil if the value is not a date in the format.
  /// Also nil if an offset or rounding moves a date to the year 10000, which text formats cannot represent.
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

  /// Returns the bytes of a UUID, as archives store them. Nil if the value is not a UUID.
  func uuid(_ index: Int) -> UInt128? { text(index).flatMap { UUIDNotation.bytes($0.trimmed) } }

  /// Returns the bytes of a base64 string (RFC 4648), in either alphabet, with or without padding. Nil if the
  /// value is not valid base64.
  func data(_ index: Int) -> [UInt8]? { text(index).flatMap(Base64.bytes) }
}

extension String {
  /// The string without whitespace at its start and end.
  fileprivate var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
