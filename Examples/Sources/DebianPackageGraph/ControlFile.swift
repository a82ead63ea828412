/// A reader of Debian control files (Debian Policy, chapter 5), one paragraph at a time.
///
/// It reads bytes, because a package list has tens of millions of them. No input crashes the program:
/// `strictness` determines whether a syntax error is thrown, or repaired and counted.
///
///     var file = ControlFile(bytes)
///     while let paragraph = try file.nextParagraph() { … }
struct ControlFile {
  /// How the reader treats a line with a syntax error.
  enum Strictness {
    /// The reader throws the first error.
    case strict
    /// The reader skips the line (or repairs its UTF-8), and counts it in `repairs`.
    case repairing
  }

  /// The number of repaired or skipped lines, by kind of error.
  private(set) var repairs: [ControlFileError.Code: Int] = [:]
  /// The number of bytes that have been read.
  private(set) var byteOffset = 0

  private let bytes: [UInt8]
  private let strictness: Strictness
  private var lineNumber = 0

  init(_ bytes: [UInt8], strictness: Strictness = .repairing) {
    self.bytes = bytes
    self.strictness = strictness
  }

  /// The number of bytes in the whole file.
  var byteCount: Int { bytes.count }

  /// Returns the next paragraph that has a field. Nil at the end.
  ///
  /// - Throws: `ControlFileError`, only in strict mode.
  mutating func nextParagraph() throws(ControlFileError) -> ControlParagraph? {
    var paragraph: ControlParagraph?
    var open: OpenField?
    while let line = nextLine() {
      guard let first = bytes[line.range].first else {
        // A separator. A file may begin with separators, and several may follow each other.
        if paragraph == nil, open == nil { continue }
        break
      }
      switch first {
      case Ascii.hash:
        continue
      case Ascii.space, Ascii.tab:
        guard open != nil else {
          try report(.continuationWithoutField, line, detail: excerpt(line))
          continue
        }
        open?.continuations.append(line.range.dropFirst())
      default:
        try close(&open, into: &paragraph)
        open = try openField(line)
      }
    }
    try close(&open, into: &paragraph)
    return paragraph
  }
}

// MARK: - Fields

extension ControlFile {
  /// A field whose continuation lines are not yet complete.
  private struct OpenField {
    let name: String
    let line: Line
    let firstValue: Range<Int>
    var continuations: [Range<Int>] = []
  }

  /// Reads the first line of a field. Returns nil if the line is skipped.
  private mutating func openField(_ line: Line) throws(ControlFileError) -> OpenField? {
    guard let colon = bytes[line.range].firstIndex(of: Ascii.colon) else {
      try report(.missingColon, line, detail: excerpt(line))
      return nil
    }
    let name = bytes[line.range.lowerBound..<colon]
    guard let first = name.first, first != Ascii.minus, name.allSatisfy(Ascii.isPrintable) else {
      try report(.invalidFieldName, line, detail: excerpt(line))
      return nil
    }
    var valueStart = colon + 1
    while valueStart < line.range.upperBound, Ascii.isBlank(bytes[valueStart]) { valueStart += 1 }
    return OpenField(
      name: String(decoding: name, as: UTF8.self), line: line,
      firstValue: valueStart..<line.range.upperBound)
  }

  /// Ends the open field, if there is one, and adds it to the paragraph. The first field creates the
  /// paragraph.
  private mutating func close(
    _ open: inout OpenField?, into paragraph: inout ControlParagraph?
  ) throws(ControlFileError) {
    guard let field = open else { return }
    open = nil
    let finished = ControlParagraph.Field(name: field.name, value: try value(of: field))
    if paragraph?.contains(finished.key) == true {
      return try report(.repeatedField, field.line, detail: field.name)
    }
    if paragraph == nil { paragraph = ControlParagraph(line: field.line.number) }
    paragraph?.append(finished)
  }

  private mutating func value(of field: OpenField) throws(ControlFileError) -> String {
    var joined = bytes[field.firstValue]
    for continuation in field.continuations {
      joined.append(Ascii.newline)
      joined.append(contentsOf: bytes[continuation])
    }
    if let text = String(validating: joined, as: UTF8.self) { return text }
    try report(.invalidUTF8, field.line, detail: field.name)
    return String(decoding: joined, as: UTF8.self)
  }
}

// MARK: - Lines

extension ControlFile {
  /// A line without its line end, and without trailing blanks or a carriage return.
  private struct Line {
    let range: Range<Int>
    let number: Int
  }

  private mutating func nextLine() -> Line? {
    guard byteOffset < bytes.count else { return nil }
    let start = byteOffset
    let newline = bytes[start...].firstIndex(of: Ascii.newline)
    byteOffset = newline.map { $0 + 1 } ?? bytes.count
    lineNumber += 1
    var end = newline ?? bytes.count
    while end > start, Ascii.isBlank(bytes[end - 1]) || bytes[end - 1] == Ascii.carriageReturn { end -= 1 }
    return Line(range: start..<end, number: lineNumber)
  }

  /// Throws the error in strict mode. Otherwise counts it.
  private mutating func report(
    _ code: ControlFileError.Code, _ line: Line, detail: String
  ) throws(ControlFileError) {
    if strictness == .strict {
      throw ControlFileError(
        code: code, line: line.number, byteOffset: line.range.lowerBound, detail: detail)
    }
    repairs[code, default: 0] += 1
  }

  /// Returns the beginning of a line, escaped, because an untrusted file could send commands to the terminal.
  private func excerpt(_ line: Line) -> String {
    String(decoding: bytes[line.range].prefix(40), as: UTF8.self).debugDescription
  }
}
