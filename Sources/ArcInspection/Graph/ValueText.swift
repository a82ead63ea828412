import ArcArchive
import ArcFormat

/// Prints values in one line, in a notation similar to Swift.
struct ValueText {
  /// The maximum number of bytes of a collection or structure in one line. A longer value gets several lines.
  private static let lineByteCount = 72
  /// The maximum number of scalars of a string. Longer strings are truncated, because people read the text.
  private let stringScalarCount: Int
  /// The maximum number of bytes of data. Longer data are truncated too.
  private let dataByteCount: Int

  init(isWhole: Bool = false) {
    stringScalarCount = isWhole ? .max : 1000
    dataByteCount = isWhole ? .max : 24
  }

  /// Returns the value in one line without colours. Nil if the line is too long. Also nil if the value
  /// contains references, because each reference is printed on its own line.
  func line(_ value: ArchiveValue) -> String? {
    var text = StyledText(Style(isColored: false))
    var value = TypedValue(value)
    // Reading a value in memory cannot fail.
    guard (try? append(value.next(), of: value, to: &text)) == true else { return nil }
    return String(decoding: [UInt8](text.bytes), as: UTF8.self)
  }

  /// Appends a value in one line, and returns true. The token of the value is already read. If the value is
  /// too long for a line or contains references, appends nothing and returns false. The caller can then read
  /// the nested values.
  func append<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, to text: inout StyledText
  ) throws -> Bool {
    switch token {
    case .plainText(let bytes): append(bytes, to: &text)
    case .scalar(let scalar): append(scalar, to: &text)
    case .reference(let id, _):
      guard id == nil else { return false }
      text.append("nil", .mark)
    case .elements, .entries, .fields, .enumerationCase:
      guard !value.surelyMentionsObject(token) else { return false }
      let start = text.count
      text.room = Self.lineByteCount
      defer { text.room = .max }
      let fits = try value.attempt {
        try write(token, of: value, to: &text)
        return text.room >= 0
      }
      guard fits else {
        text.truncate(to: start)
        return false
      }
    }
    return true
  }

  // MARK: Values with others inside

  /// Writes a value, but stops when `text.room` is negative. At a reference, makes `text.room` negative,
  /// because each reference is printed on its own line.
  private func write<Value: ReadableValue>(
    _ token: ValueToken, of value: Value, to text: inout StyledText
  ) throws {
    switch token {
    case .plainText, .scalar, .reference(nil, _): _ = try append(token, of: value, to: &text)
    case .reference: text.room = -1
    case .elements(let count, let isOrdered):
      text.append(isOrdered ? "[" : "{")
      for index in 0..<count {
        guard text.room >= 0 else { return }
        if index > 0 { text.append(", ") }
        try write(value.inside(0, at: index), to: &text)
      }
      text.append(isOrdered ? "]" : "}")
    case .entries(let count):
      text.append(count == 0 ? "[:" : "[")
      for index in 0..<count {
        guard text.room >= 0 else { return }
        if index > 0 { text.append(", ") }
        try write(value.inside(0, at: index), to: &text)
        text.append(": ")
        try write(value.inside(1, at: index), to: &text)
      }
      text.append("]")
    case .fields(let names):
      if !names.isNameless { text.append(names.shownType, .type) }
      try write(fieldsOf: value, names, to: &text)
    case .enumerationCase(let names, let index, let payload):
      Self.append(case: index, of: names, to: &text)
      guard let payload else { return }
      var inner = value.inside(payload, at: 0)
      guard text.room >= 0 else { return }
      let token = try inner.next()
      if case .fields(let names) = token, names.isNameless {
        return try write(fieldsOf: inner, names, to: &text)
      }
      text.append("(")
      try write(token, of: inner, to: &text)
      text.append(")")
    }
  }

  private func write<Value: ReadableValue>(_ value: Value, to text: inout StyledText) throws {
    guard text.room >= 0 else { return }
    var value = value
    try write(value.next(), of: value, to: &text)
  }

  private func write<Value: ReadableValue>(
    fieldsOf value: Value, _ names: ValueNames, to text: inout StyledText
  ) throws {
    text.append("(")
    for (position, label) in names.shownLabels.enumerated() {
      guard text.room >= 0 else { return }
      if position > 0 { text.append(", ") }
      if !label.isEmpty {
        text.append(label, .key)
        text.append(": ")
      }
      try write(value.inside(position, at: 0), to: &text)
    }
    text.append(")")
  }

  /// Appends the name of a case: `Shape.circle`, or `.circle` if the enumeration has no name.
  static func append(case index: Int, of names: ValueNames, to text: inout StyledText) {
    text.begin(.type)
    if !names.isNameless { text.append(names.shownType) }
    text.append(".")
    text.append(names.shownLabels[index])
    text.end(.type)
  }

  // MARK: Values without others inside

  private func append(_ bytes: ByteView, to text: inout StyledText) {
    if bytes.count <= stringScalarCount { return text.append(quoted: bytes, .string) }
    // The bytes are ASCII, so each byte is a scalar. The bytes after the limit are not read.
    let start = String(decoding: [UInt8](bytes[0..<stringScalarCount]), as: UTF8.self)
    text.append(string(start, restByteCount: bytes.count - stringScalarCount), .string)
  }

  private func append(_ scalar: ValueScalar, to text: inout StyledText) {
    switch scalar {
    case .null: text.append("nil", .mark)
    case .string(let string):
      let (start, restByteCount) = string.cut(toScalars: stringScalarCount)
      text.append(self.string(start, restByteCount: restByteCount), .string)
    case .data(let bytes): append(bytes, to: &text)
    case .date(let seconds):
      text.append(scalar.plainText ?? "\(seconds) s after 2001-01-01T00:00:00Z", .number)
    case .decimal(let digits): text.append(printableName(digits), .number)
    case .url(let url, let base): text.append(self.url(url, base: base), .string)
    case .bool, .integer, .real, .uuid: text.append(scalar.plainText ?? "", .number)
    }
  }

  private func string(_ start: String, restByteCount: Int) -> String {
    printable(start, quoted: true) + (restByteCount > 0 ? "… \(counted(restByteCount, "more byte"))" : "")
  }

  private func append(_ bytes: [UInt8], to text: inout StyledText) {
    text.begin(.number)
    text.append(grouped(bytes.count))
    text.append(bytes.count == 1 ? " byte" : " bytes")
    if !bytes.isEmpty { text.append(" ") }
    text.append(hexadecimal: bytes.prefix(dataByteCount))
    if bytes.count > dataByteCount { text.append("…") }
    text.end(.number)
  }

  private func url(_ text: String, base: String?) -> String {
    let parts = [text, base].compactMap { $0?.cut(toScalars: stringScalarCount) }
    return parts.map { "<" + printable($0.start) + ($0.restByteCount > 0 ? "…" : "") + ">" }
      .joined(separator: " in ")
  }
}
