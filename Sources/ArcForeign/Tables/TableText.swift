import ArcFormat

/// The text of a table in UTF-8, and the locations of its bytes in the file.
struct TableText {
  /// The text in UTF-8. If the file is UTF-8, these are the bytes of the file.
  let bytes: [UInt8]
  /// The offset of the first byte after the byte order mark.
  let start: Int
  /// Whether the file has another encoding, so that an offset in `bytes` is not an offset in the file.
  private let isConverted: Bool

  /// Converts a file to UTF-8. The memory is at most three times the size of the file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - stated: the encoding of the file; nil for the encoding that the byte order mark states, or UTF-8.
  /// - Throws: `malformedText` with the line and column of the first byte that does not have the encoding.
  init(_ file: [UInt8], encoding stated: TableEncoding?) throws(ImportError) {
    let mark = TableEncoding.mark(of: file)
    let encoding = stated ?? mark?.encoding ?? .utf8
    let markByteCount = mark?.encoding == encoding ? mark?.byteCount ?? 0 : 0
    isConverted = encoding != .utf8
    switch encoding {
    case .utf8:
      (bytes, start) = (file, markByteCount)
      try checkUTF8(isStated: stated != nil)
    case .utf16LittleEndian, .utf16BigEndian:
      start = 0
      bytes = try Self.utf8(ofUTF16: file[markByteCount...], isBigEndian: encoding == .utf16BigEndian)
    case .latin1, .windows1252:
      start = 0
      bytes = try Self.utf8(of: file, encoding)
    }
  }

  /// The instruction to state an encoding.
  private static let remedy =
    "state the encoding of the file: --encoding windows-1252, latin-1, utf-16le or utf-16be, or in a program "
    + "TableOptions(encoding:)"

  // MARK: Encodings

  private func checkUTF8(isStated: Bool) throws(ImportError) {
    // Text in UTF-16 without a mark is often valid UTF-8, because ASCII characters have a zero byte.
    let isUTF16 = !isStated && bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0)
    guard isUTF16 || String(validating: bytes, as: UTF8.self) == nil else { return }
    let offset = isUTF16 ? (bytes[0] == 0 ? 0 : 1) : Self.invalidOffset(in: bytes)
    let byte = offset < bytes.count ? bytes[offset] : 0
    throw located(
      ImportError(
        .malformedText,
        found: isUTF16
          ? "a zero byte, as in UTF-16 without a byte order mark"
          : "the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8",
        expected: "a table in UTF-8", remedy: Self.remedy, byteOffset: offset))
  }

  /// Returns the offset of the first byte that does not belong to a valid character.
  private static func invalidOffset(in bytes: [UInt8]) -> Int {
    var offset = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput, .error: return offset
      }
    }
  }

  private static func utf8(ofUTF16 file: ArraySlice<UInt8>, isBigEndian: Bool) throws(ImportError) -> [UInt8]
  {
    guard file.count.isMultiple(of: 2) else {
      throw ImportError(
        .malformedText, found: "\(plural(file.count, "byte")) of UTF-16", expected: "an even number of bytes",
        remedy: remedy)
    }
    let (high, low) = isBigEndian ? (0, 1) : (1, 0)
    let units = stride(from: file.startIndex, to: file.endIndex, by: 2).map {
      UInt16(file[$0 + high]) << 8 | UInt16(file[$0 + low])
    }
    if let text = String(validating: units, as: UTF16.self) { return Array(text.utf8) }
    var (line, column) = (1, 1)
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    throw ImportError(
      .malformedText, found: "half of a surrogate pair", expected: "a table in UTF-16", remedy: remedy,
      line: line, column: column)
  }

  private static func utf8(of file: [UInt8], _ encoding: TableEncoding) throws(ImportError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(file.count)
    for (offset, byte) in file.enumerated() {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      guard let scalar = encoding.character(byte) else {
        throw ImportError(
          .malformedText,
          found: "the byte 0x\(String(byte, radix: 16, uppercase: true)), which has no character",
          expected: "a table in \(encoding.rawValue)", remedy: "state another encoding, such as latin-1",
          byteOffset: offset)
      }
      text += UTF8.encode(scalar).map(Array.init) ?? []
    }
    return text
  }

  // MARK: Locations

  /// Returns an error with the line and the column of its byte offset. If the file has another encoding than
  /// UTF-8, the error loses the offset.
  func located(_ error: ImportError) -> ImportError {
    guard let offset = error.byteOffset else { return error }
    var error = error
    (error.line, error.column) = position(of: offset)
    if isConverted { error.byteOffset = nil }
    return error
  }

  /// Returns the line of an offset, and the column in Unicode scalars. Both are counted from 1. A line ends
  /// with LF, CR or both.
  private func position(of offset: Int) -> (line: Int, column: Int) {
    var (line, column) = (1, 1)
    for index in start..<max(start, min(offset, bytes.count)) {
      switch bytes[index] {
      case UInt8(ascii: "\n"):
        (line, column) = (line + 1, 1)
      case UInt8(ascii: "\r") where index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"):
        (line, column) = (line + 1, 1)
      case let byte where byte & 0xC0 != 0x80: column += 1
      default: break
      }
    }
    return (line, column)
  }
}
