import ArcForeign
import ArcFormat
import ArcJSON

/// Writes one JSON document piece by piece to an output.
///
///     try json.object(isPretty: true) {
///       try json.member("id") { try json.number(3) }
///     }
///
/// What `printable` would escape is escaped, so that the document is as safe on a terminal as text.
final class JSONOutput {
  private let output: Output
  private let document: Handle<Document>
  private let byteLimit: Int
  /// Whether what has a meaning in HTML is escaped too.
  private let isInPage: Bool
  /// Says how far the command has come, if somebody watches.
  let progress: ProgressLine?

  /// Writes to `output`. A document of more than `byteLimit` bytes is an error: a file can mention one long
  /// string a million times. With `isInPage` it can stand in an element of HTML: nothing in it ends that.
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

  /// Throws `limitExceeded` when the document is longer than `byteLimit`.
  func checkLimit() throws(ArchiveError) {
    if document.value.byteCount > byteLimit {
      throw ArchiveError(
        .limitExceeded, found: "more than \(plural(byteLimit, "byte")) of JSON",
        expected: "at most \(plural(byteLimit, "byte"))")
    }
  }

  /// Passes on what was written.
  private func pass() throws(OutputFailure) {
    let isWhole = document.value.isWhole
    try output.write(document.value.take())
    if isWhole { try output.write("\n") }
  }

  /// Writes an object whose members `body` writes, each on a line of its own if wanted.
  func object(isPretty: Bool = false, _ body: () throws -> Void) throws {
    document.value.writer.beginObject(isPretty: isPretty)
    try body()
    try end()
  }

  /// Writes an array whose elements `body` writes.
  func array(isPretty: Bool = false, _ body: () throws -> Void) throws {
    document.value.writer.beginArray(isPretty: isPretty)
    try body()
    try end()
  }

  /// Writes a member of the open object; `value` writes exactly one value.
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

  /// Closes what was opened last.
  private func end() throws(OutputFailure) {
    if document.value.write({ $0.end() }) { try pass() }
  }

  /// Writes a string.
  func string(_ text: String) throws(OutputFailure) {
    // Nearly all texts; `printable` escapes nothing of them either.
    let isPlain = isPlain(text)
    if document.value.write({ writer in
      if isPlain { writer.literal(text, isQuoted: true) } else { writer.string(text) }
    }) {
      try pass()
    }
  }

  /// Writes a string of printable ASCII without quotes and backslashes, where nothing is escaped for a page.
  func string(plain bytes: ByteView) throws(OutputFailure) {
    guard !isInPage else { return try string(String(decoding: [UInt8](bytes), as: UTF8.self)) }
    if document.value.write({ writer in bytes.withSpan { writer.string(plain: $0) } }) { try pass() }
  }

  /// Writes an integer.
  func number(_ value: some BinaryInteger) throws(OutputFailure) {
    if document.value.write({ $0.number(value) }) { try pass() }
  }

  /// Writes a number with the digits that it has.
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

  /// Ends a document that an error cut short: closes what is open and adds the error as the last member, so
  /// that the document is valid. One that was not begun consists of the error.
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

  /// Whether nothing of a text is escaped: it is ASCII without controls, quotes and backslashes, nor what
  /// has a meaning in HTML where that counts.
  private func isPlain(_ text: String) -> Bool {
    text.withUTF8Bytes { $0.isPlainText }
      && !(isInPage && text.unicodeScalars.contains(where: Self.hasMeaningInPage))
  }

  /// Whether HTML could take a character for something else than text.
  private static func hasMeaningInPage(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "<" || scalar == ">" || scalar == "&" || scalar == "'"
  }
}

/// What was written of a document and not passed on.
private struct Document: ~Copyable {
  var writer: JSONWriter
  /// Bytes that were passed on.
  private var passedByteCount = 0

  init(writer: consuming JSONWriter) { self.writer = writer }

  /// Bytes written so far.
  var byteCount: Int { passedByteCount + writer.byteCount }
  /// Whether nothing is open: a document ends here.
  var isWhole: Bool { writer.depth == 0 && !writer.needsValue }

  /// Writes something; returns whether it is time to pass on what there is: much, or a whole document.
  @inline(__always)
  mutating func write(_ body: (inout JSONWriter) -> Void) -> Bool {
    body(&writer)
    return isWhole || writer.byteCount >= Output.blockByteCount
  }

  /// Takes what there is.
  mutating func take() -> [UInt8] {
    let bytes = writer.take()
    passedByteCount += bytes.count
    return bytes
  }
}
