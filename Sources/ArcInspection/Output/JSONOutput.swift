import ArcForeign
import ArcFormat
import ArcJSON

/// A stream of JSON documents. Commands append values, and the stream passes them to an `Output` in blocks.
///
///     try json.object(isPretty: true) {
///       try json.member("id") { try json.number(3) }
///     }
///
/// Strings have escapes for all characters that `printable` escapes, so that the document cannot control a
/// terminal.
final class JSONOutput {
  private let output: Output
  private let document: Handle<Document>
  private let byteLimit: Int
  /// Whether characters with a meaning in HTML are also escaped.
  private let isInPage: Bool
  /// The line that shows the progress of the command. Nil if standard error is not a terminal.
  let progress: ProgressLine?

  /// Creates a stream that writes to `output`. Documents may have at most `byteLimit` bytes, because a
  /// crafted file can refer to one long string a million times. If `isInPage` is true, the document can be
  /// the content of an HTML element: no string in it can end the element.
  init(output: Output, byteLimit: Int, progress: ProgressLine? = nil, isInPage: Bool = false) {
    self.output = output
    let document = Document(
      writer: JSONWriter(
        escaping: .custom { scalar, isAfterShown in
          if isInPage, Self.hasMeaningInPage(scalar) { return true }
          var filter = PrintableFilter(isAfterShown: isAfterShown)
          return !filter.shows(scalar)
        }))
    self.byteLimit = byteLimit
    self.progress = progress
    self.document = Handle(document)
    self.isInPage = isInPage
  }

  deinit { document.free() }

  /// Throws `limitExceeded` if more than `byteLimit` bytes were written.
  func checkLimit() throws(ArchiveError) {
    if document.value.byteCount > byteLimit {
      throw ArchiveError(
        .limitExceeded, found: "more than \(plural(byteLimit, "byte")) of JSON",
        expected: "at most \(plural(byteLimit, "byte"))")
    }
  }

  /// Passes the collected bytes to the output.
  private func pass() throws(OutputFailure) {
    let isWhole = document.value.isWhole
    try output.write(document.value.take())
    if isWhole { try output.write("\n") }
  }

  /// Writes an object. `body` writes its members. If `isPretty` is true, each member is on a line of its own.
  func object(isPretty: Bool = false, _ body: () throws -> Void) throws {
    document.value.writer.beginObject(isPretty: isPretty)
    try body()
    try end()
  }

  /// Writes an array. `body` writes its elements.
  func array(isPretty: Bool = false, _ body: () throws -> Void) throws {
    document.value.writer.beginArray(isPretty: isPretty)
    try body()
    try end()
  }

  /// Writes a member of the open object. `value` must write exactly one value.
  func member(_ key: String, _ value: () throws -> Void) throws {
    self.key(key)
    try value()
  }

  /// Writes a member with a string.
  func member(_ key: String, _ text: String) throws(OutputFailure) {
    self.key(key)
    try string(text)
  }

  /// Writes a member with a number.
  func member(_ key: String, _ number: Int) throws(OutputFailure) {
    self.key(key)
    try self.number(number)
  }

  /// Ends the innermost open array or object.
  private func end() throws(OutputFailure) {
    if document.value.write({ $0.end() }) { try pass() }
  }

  /// Writes a string.
  func string(_ text: String) throws(OutputFailure) {
    // Most strings are plain. The writer needs not test their characters again.
    let isPlain = isPlain(text)
    if document.value.write({ writer in
      if isPlain { writer.literal(text, isQuoted: true) } else { writer.string(text) }
    }) {
      try pass()
    }
  }

  /// Writes a string that consists of printable ASCII characters except quotes and backslashes.
  func string(plain bytes: ByteView) throws(OutputFailure) {
    guard !isInPage else { return try string(String(decoding: [UInt8](bytes), as: UTF8.self)) }
    if document.value.write({ writer in bytes.withSpan { writer.string(plain: $0) } }) { try pass() }
  }

  /// Writes an integer.
  func number(_ value: some BinaryInteger) throws(OutputFailure) {
    if document.value.write({ $0.number(value) }) { try pass() }
  }

  /// Writes a number with all its digits.
  func number(_ value: JSONNumber) throws(OutputFailure) {
    if document.value.write({ $0.number(value) }) { try pass() }
  }

  /// Writes `true` or `false`.
  func bool(_ flag: Bool) throws(OutputFailure) {
    if document.value.write({ $0.bool(flag) }) { try pass() }
  }

  /// Writes `null`.
  func null() throws(OutputFailure) {
    if document.value.write({ $0.null() }) { try pass() }
  }

  /// Ends a document after an error. Ends all open arrays and objects, and adds the error as the last member,
  /// so that the document is valid JSON. If nothing was written, the document consists of the error.
  func finish(with failure: InspectionFailure) throws(OutputFailure) {
    if document.value.writer.needsValue { try null() }
    while document.value.writer.depth > 1 { try end() }
    if document.value.writer.depth == 0 { document.value.writer.beginObject(isPretty: false) }
    key("error")
    try OutputFailure.ofReport { try write(failure.reportValue) }
    try end()
  }

  private func key(_ key: String) {
    if isPlain(key) { document.value.writer.key(plain: key) } else { document.value.writer.key(key) }
  }

  /// Whether a string needs no escapes, because it consists of printable ASCII characters except quotes and
  /// backslashes. In an HTML page, it must also not contain a character with a meaning in HTML.
  private func isPlain(_ text: String) -> Bool {
    text.withUTF8Bytes { $0.isPlainText }
      && !(isInPage && text.unicodeScalars.contains(where: Self.hasMeaningInPage))
  }

  /// Whether a character has a meaning in HTML.
  private static func hasMeaningInPage(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "<" || scalar == ">" || scalar == "&" || scalar == "'"
  }
}

/// The text of a document that was not yet passed to the output.
private struct Document: ~Copyable {
  var writer: JSONWriter
  /// The number of bytes that were passed to the output.
  private var passedByteCount = 0

  init(writer: consuming JSONWriter) { self.writer = writer }

  /// The number of all bytes written.
  var byteCount: Int { passedByteCount + writer.byteCount }
  /// Whether the document is complete: no array or object is open.
  var isWhole: Bool { writer.depth == 0 && !writer.needsValue }

  /// Calls `body` to write to the document. Returns whether the caller must pass the text to the output,
  /// because the block is full or the document is complete.
  @inline(__always)
  mutating func write(_ body: (inout JSONWriter) -> Void) -> Bool {
    body(&writer)
    return isWhole || writer.byteCount >= Output.blockByteCount
  }

  /// Removes and returns the text that was not yet passed to the output.
  mutating func take() -> [UInt8] {
    let bytes = writer.take()
    passedByteCount += bytes.count
    return bytes
  }
}
