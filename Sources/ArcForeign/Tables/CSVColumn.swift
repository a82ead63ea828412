import ArcFormat

/// A column of a CSV file, and the type of its values: the type that the program declares, or the first type
/// that fits all fields.
///
/// A field is a number if an export can write the same text again, or if the caller allows another notation,
/// which the report then notes. So these fields are strings: `007`, `1.10`, `+1`, `-0`, `1e5`, and numbers
/// with more digits than a Double or an integer of 64 bits has.
struct CSVColumn {
  let name: String
  private let declared: DeclaredColumns.Column?
  private let options: TableOptions
  /// The class of the rows.
  private let className: String
  private var (canBeBool, canBeInteger, canBeReal, canBeUUID, canBeDate) = (true, true, true, true, true)
  private var hasValue = false

  init(
    _ name: String, inClass className: String, declared: DeclaredColumns.Column?, _ options: TableOptions
  ) {
    (self.name, self.className, self.declared, self.options) = (name, className, declared, options)
  }

  /// Whether a field is nil.
  private func isNil(_ field: CSVReader.Field) -> Bool {
    field.isEmpty || !field.isQuoted && options.nullTexts.contains(field.text)
  }

  /// Excludes the types that do not fit a field from the possible types of the column.
  mutating func note(_ field: CSVReader.Field) {
    if declared != nil || isNil(field) { return }
    hasValue = true
    let text = field.text
    if canBeBool { canBeBool = text == "true" || text == "false" }
    if canBeInteger { canBeInteger = Self.integer(text) != nil }
    if canBeReal { canBeReal = Self.isShortDecimal(text) || real(text) != nil }
    if canBeUUID { canBeUUID = UUIDNotation.bytes(text) != nil }
    if canBeDate { canBeDate = text.utf8.count >= 19 && DateNotation.seconds(text) != nil }
  }

  /// Returns a signed or unsigned integer of 64 bits. Nil if the text is not the usual notation of such an
  /// integer. For example, `007` is not.
  private static func integer(_ text: String) -> Int128? {
    guard text.utf8.count <= 20, let value = Int128(text), value.description == text,
      Int64(exactly: value) != nil || UInt64(exactly: value) != nil
    else { return nil }
    return value
  }

  /// Whether the text is a number of at most 15 digits without an exponent or needless zeros. A Double
  /// represents each such number without loss. Most numbers have this form, and this check is faster than
  /// parsing.
  private static func isShortDecimal(_ text: String) -> Bool {
    let zero = UInt8(ascii: "0")
    var (digitCount, hasPoint, first, last) = (0, false, UInt8(0), UInt8(0))
    for (index, byte) in text.utf8.enumerated() {
      if zero...UInt8(ascii: "9") ~= byte {
        digitCount += 1
        if digitCount == 1 { first = byte }
        // Only the point may follow a zero at the beginning.
        if digitCount == 2, first == zero, !hasPoint { return false }
      } else if byte == UInt8(ascii: "."), digitCount > 0, !hasPoint {
        hasPoint = true
      } else if byte != UInt8(ascii: "-") || index > 0 {
        return false
      }
      last = byte
    }
    guard 1...15 ~= digitCount else { return false }
    return hasPoint ? last != zero && last != UInt8(ascii: ".") : first != zero || text == "0"
  }

  /// Returns a number that a Double represents without loss. Nil for other text. Text with needless zeros, an
  /// exponent or a plus sign may be an identifier that only looks like a number. It is accepted only if a
  /// Double is written in this form, or if the options allow other notations.
  private func real(_ text: String) -> (value: Double, written: String)? {
    guard let first = text.utf8.first, text.utf8.count <= 400,
      first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first,
      let number = NumberNotation.real(text)
    else { return nil }
    if number.written == text || DecimalNotation.normalized(text) == text { return number }
    guard options.allowsOtherNotation else { return nil }
    // A text such as 007 looks like a number, but is a name.
    let whole = (text.hasPrefix("-") ? text.dropFirst() : text[...]).utf8
    let hasZero = whole.first == UInt8(ascii: "0") && whole.count > 1
    return hasZero && UInt8(ascii: "0")...UInt8(ascii: "9") ~= whole.dropFirst().first ?? 0 ? nil : number
  }

  // MARK: Values

  /// Returns the value of a field.
  func value(
    of field: CSVReader.Field, _ builder: inout TableBuilder, _ report: inout ImportReport
  ) throws(ImportError) -> ImportedValue {
    let offset = field.offset
    if isNil(field) {
      // A string can be empty, but most programs do not write quotes around an empty string.
      if let declared, declared.kind == .string, !declared.isOptional, field.isEmpty {
        return ImportedValue(.string, try builder.nodes.add("", at: offset))
      }
      try builder.budget.charge(elements: 1, at: offset)
      return ImportedValue(.nothing)
    }
    let text = field.text
    if let declared { return try value(text, declared.kind, at: offset, &builder, &report) }
    if canBeBool, hasValue {
      return ImportedValue(.bool, try builder.nodes.add(.bool(text == "true"), at: offset))
    }
    if canBeInteger, let value = Self.integer(text) {
      return ImportedValue(.integer, try builder.nodes.add(.integer(value), at: offset))
    }
    if canBeReal, let (value, written) = real(text) {
      if written != text { noteNotation(of: text, written, &report) }
      return ImportedValue(.real, try builder.nodes.add(.real(value), at: offset))
    }
    if canBeUUID, let value = try uuid(text, at: offset, &builder) { return value }
    if canBeDate, let value = DateNotation.seconds(text) {
      return ImportedValue(.date, try builder.nodes.add(.date(value), at: offset))
    }
    return try string(text, at: offset, &builder, &report)
  }

  private func noteNotation(of text: String, _ written: String, _ report: inout ImportReport) {
    report.note(.changedNumber, "class '\(className)', key '\(name)': '\(text)' is now \(written)")
  }

  private func uuid(
    _ text: String, at offset: Int, _ builder: inout TableBuilder
  ) throws(ImportError) -> ImportedValue? {
    guard let value = UUIDNotation.bytes(text) else { return nil }
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128($0 * 8)) }
    return ImportedValue(.uuid, try builder.nodes.add(data: bytes, at: offset))
  }

  private func string(
    _ text: String, at offset: Int, _ builder: inout TableBuilder, _ report: inout ImportReport
  ) throws(ImportError) -> ImportedValue {
    let plain = FormulaGuard.removed(from: text)
    if plain != nil { report.note(.removedGuard, "class '\(className)', key '\(name)'") }
    return ImportedValue(.string, try builder.nodes.add(plain ?? text, at: offset))
  }

  /// Returns the value of a field as the kind that the program declares.
  private func value(
    _ text: String, _ kind: DeclaredColumns.Kind, at offset: Int, _ builder: inout TableBuilder,
    _ report: inout ImportReport
  ) throws(ImportError) -> ImportedValue {
    switch kind {
    case .string: return try string(text, at: offset, &builder, &report)
    case .bool:
      guard let value = ["true": true, "1": true, "false": false, "0": false][text.lowercased()] else {
        break
      }
      return ImportedValue(.bool, try builder.nodes.add(.bool(value), at: offset))
    case .integer:
      guard let value = Int128(text) else { break }
      return ImportedValue(.integer, try builder.nodes.add(.integer(value), at: offset))
    case .real:
      if let value = ["nan": Double.nan, "inf": .infinity, "-inf": -.infinity][text.lowercased()] {
        return ImportedValue(.real, try builder.nodes.add(.real(value), at: offset))
      }
      guard NumberNotation(text) != nil, let value = Double(text), value.isFinite else { break }
      // The program declares a Double, so only lost digits are worth a note.
      if NumberNotation.real(text) == nil { noteNotation(of: text, value.description, &report) }
      return ImportedValue(.real, try builder.nodes.add(.real(value), at: offset))
    case .decimal:
      guard let value = DecimalNotation.normalized(text) else { break }
      return try builder.addDecimal(value, at: offset)
    case .date:
      guard let value = DateNotation.seconds(text) else { break }
      return ImportedValue(.date, try builder.nodes.add(.date(value), at: offset))
    case .uuid:
      guard let value = try uuid(text, at: offset, &builder) else { break }
      return value
    }
    throw ImportError(
      .typeMismatch, found: "the field '\(text)'", expected: kind.words, byteOffset: offset,
      className: className, key: name)
  }
}

extension DeclaredColumns.Kind {
  /// The notation of the kind's values, for errors.
  fileprivate var words: String {
    switch self {
    case .bool: "'true', 'false', '1' or '0'"
    case .integer: "an integer"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .string: "a string"
    case .date: "a date with time and offset, such as 2026-11-22T16:45:24Z"
    case .uuid: "a UUID"
    }
  }
}
