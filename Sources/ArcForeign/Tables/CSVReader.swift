/// Splits comma-separated values into records, according to RFC 4180. A line may also end with only LF.
struct CSVReader {
  private let bytes: [UInt8]
  /// The byte offset of the next record.
  private(set) var offset = 0
  /// The line of the next record, counted from 1.
  private(set) var line = 1

  /// A field of a record.
  struct Field {
    let text: String
    /// Whether the field is enclosed in quotes.
    let isQuoted: Bool
    let offset: Int
  }

  /// Creates a reader of a table. Throws if the bytes are not UTF-8.
  init(_ bytes: [UInt8]) throws(ImportError) {
    self.bytes = bytes
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ImportError(
        .malformedText, found: "a table that is not UTF-8", expected: "a table in UTF-8", byteOffset: 0)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Reads the fields of the next record. Returns nil at the end of the file.
  mutating func record() throws(ImportError) -> [Field]? {
    guard offset < bytes.count else { return nil }
    var fields: [Field] = []
    while true {
      fields.append(try field())
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: ",") else { break }
      offset += 1
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "\r") { offset += 1 }
    guard offset >= bytes.count || bytes[offset] == UInt8(ascii: "\n") else {
      throw ImportError(
        .malformedTable, found: "text after a quoted field", expected: "a comma or the end of the line",
        byteOffset: offset, line: line)
    }
    offset += 1
    line += 1
    return fields
  }

  private mutating func field() throws(ImportError) -> Field {
    let start = offset
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      while offset < bytes.count, !isEnd(offset) {
        guard bytes[offset] != UInt8(ascii: "\"") else {
          throw ImportError(
            .malformedTable, found: "a quote inside an unquoted field",
            expected: "quotes around the field, and '\"\"' for each quote inside the field",
            byteOffset: offset, line: line)
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
      if byte == UInt8(ascii: "\"") {
        guard offset < bytes.count, bytes[offset] == byte else {
          return Field(text: String(decoding: text, as: UTF8.self), isQuoted: true, offset: start)
        }
        offset += 1
      } else if byte == UInt8(ascii: "\n") {
        line += 1
      }
      text.append(byte)
    }
    throw ImportError(
      .malformedTable, found: "a quoted field without a closing quote",
      expected: "a closing quote at the end of the field", byteOffset: start, line: line)
  }

  /// Whether an unquoted field ends before the byte at an offset: at a comma or a line end.
  private func isEnd(_ offset: Int) -> Bool {
    let byte = bytes[offset]
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") { return true }
    return byte == UInt8(ascii: "\r")
      && (offset + 1 == bytes.count || bytes[offset + 1] == UInt8(ascii: "\n"))
  }
}
