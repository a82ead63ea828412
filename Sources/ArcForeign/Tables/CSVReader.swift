import ArcFormat

/// Splits a table into records of fields, according to RFC 4180. A line ends with LF, CR or both.
struct CSVReader {
  private let bytes: [UInt8]
  private let separator: UInt8
  /// The maximum number of fields of a record.
  private let fieldLimit: Int
  /// The byte offset of the next record.
  private(set) var offset: Int

  /// A field of a record.
  struct Field {
    let text: String
    /// Whether the field is enclosed in quotes.
    let isQuoted: Bool
    let offset: Int

    /// Whether the field has no text and no quotes.
    var isEmpty: Bool { text.isEmpty && !isQuoted }
  }

  /// Creates a reader of the records from a byte offset.
  init(_ bytes: [UInt8], from offset: Int, separator: UInt8, _ limits: ArchiveLimits) {
    (self.bytes, self.offset, self.separator) = (bytes, offset, separator)
    fieldLimit = limits.columnsPerClass
  }

  /// Reads the fields of the next record. Returns nil at the end of the file.
  mutating func record() throws(ImportError) -> [Field]? {
    guard offset < bytes.count else { return nil }
    var fields: [Field] = []
    while true {
      // A separator is one byte, but a field takes many.
      try ImportError.check(fields.count + 1, within: fieldLimit, "columnsPerClass", byteOffset: offset)
      fields.append(try field())
      guard offset < bytes.count, bytes[offset] == separator else { break }
      offset += 1
    }
    guard offset >= bytes.count || Self.endsLine(bytes[offset]) else {
      throw ImportError(
        .malformedTable, found: "text after a quoted field",
        expected: "the separator \(CSVSeparator.words(separator)) or the end of the line", byteOffset: offset)
    }
    offset = Self.nextLine(after: offset, in: bytes)
    return fields
  }

  static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Returns the offset after the line end at an offset.
  static func nextLine(after offset: Int, in bytes: [UInt8]) -> Int {
    let hasBoth =
      offset + 1 < bytes.count && bytes[offset] == UInt8(ascii: "\r")
      && bytes[offset + 1] == UInt8(ascii: "\n")
    return offset + (hasBoth ? 2 : 1)
  }

  private mutating func field() throws(ImportError) -> Field {
    let (start, quote) = (offset, UInt8(ascii: "\""))
    guard offset < bytes.count, bytes[offset] == quote else {
      while offset < bytes.count, bytes[offset] != separator, !Self.endsLine(bytes[offset]) {
        guard bytes[offset] != quote else {
          throw ImportError(
            .malformedTable, found: "a quote inside an unquoted field",
            expected: "quotes around the field, and '\"\"' for each quote inside the field",
            byteOffset: offset)
        }
        offset += 1
      }
      return Field(
        text: String(decoding: bytes[start..<offset], as: UTF8.self), isQuoted: false, offset: start)
    }
    var text: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == quote {
        guard offset < bytes.count, bytes[offset] == quote else {
          return Field(text: String(decoding: text, as: UTF8.self), isQuoted: true, offset: start)
        }
        offset += 1
      }
      text.append(byte)
    }
    throw ImportError(
      .malformedTable, found: "a quoted field without a closing quote",
      expected: "a closing quote at the end of the field", byteOffset: start)
  }
}
