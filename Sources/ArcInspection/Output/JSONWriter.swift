import ArcFormat

/// Writes one JSON document (RFC 8259) piece by piece; nothing is kept but the open brackets.
///
///     try json.object(isOnLines: true) {
///       try json.member("id") { try json.number(3) }
///     }
///
/// What `printable` would escape is written `\uXXXX`, so that the document is as safe on a terminal as text.
final class JSONWriter {
  private struct Scope {
    let close: String
    let isOnLines: Bool
    var isEmpty = true
  }

  private let output: Output
  private var scopes: [Scope] = []
  /// Whether a key was written whose value is to come.
  private var isAfterKey = false

  /// Bytes so far.
  private var byteCount = 0
  private let byteLimit: Int

  /// Writes to `output`. A document of more than `byteLimit` bytes is an error: a file can mention one long
  /// string a million times.
  init(output: Output, byteLimit: Int) {
    self.output = output
    self.byteLimit = byteLimit
  }

  /// Throws `limitExceeded` when the document is longer than `byteLimit`.
  func checkLimit() throws(ArchiveError) {
    if byteCount > byteLimit {
      throw ArchiveError(.limitExceeded, found: "more than \(byteLimit) bytes of JSON")
    }
  }

  /// Writes an object whose members `body` writes, each on a line of its own if wanted.
  func object(isOnLines: Bool = false, _ body: () throws -> Void) throws {
    try open("{", close: "}", isOnLines: isOnLines)
    try body()
    try close()
  }

  /// Writes an array whose elements `body` writes.
  func array(isOnLines: Bool = false, _ body: () throws -> Void) throws {
    try open("[", close: "]", isOnLines: isOnLines)
    try body()
    try close()
  }

  /// Writes a member of the open object; `value` writes exactly one value.
  func member(_ key: String, _ value: () throws -> Void) throws {
    try self.key(key)
    try value()
  }

  /// Writes a member with a string.
  func member(_ key: String, _ text: String) throws(OutputFailure) {
    try self.key(key)
    try string(text)
  }

  /// Writes a member with a number.
  func member(_ key: String, _ number: Int) throws(OutputFailure) {
    try self.key(key)
    try self.number(number)
  }

  /// Opens an object on the line that is being written.
  func begin() throws(OutputFailure) { try open("{", close: "}", isOnLines: false) }

  /// Opens an array as a member of the open object.
  func beginArray(_ key: String) throws(OutputFailure) {
    try self.key(key)
    try open("[", close: "]", isOnLines: false)
  }

  /// Closes what was opened last.
  func end() throws(OutputFailure) { try close() }

  /// Writes a member with a number, null where there is none.
  func member(_ key: String, number: (some BinaryInteger)?) throws(OutputFailure) {
    try self.key(key)
    try literal(number.map { String($0) } ?? "null")
  }

  /// Writes a member with a string, null where there is none.
  func member(_ key: String, optional text: String?) throws(OutputFailure) {
    try self.key(key)
    try element(text.map(Self.literal) ?? "null")
  }

  /// Writes a member that is true or false.
  func member(_ key: String, bool flag: Bool) throws(OutputFailure) {
    try self.key(key)
    try bool(flag)
  }

  /// Writes a string.
  func string(_ text: String) throws(OutputFailure) { try element(Self.literal(text)) }

  /// Writes an integer.
  func number(_ value: some BinaryInteger) throws(OutputFailure) { try element(String(value)) }

  /// Writes `true` or `false`.
  func bool(_ flag: Bool) throws(OutputFailure) { try element(flag ? "true" : "false") }

  /// Writes what is JSON already: a finite number, `true`, `false`, `null`.
  func literal(_ text: String) throws(OutputFailure) { try element(text) }

  /// Ends a document that an error cut short: closes what is open and adds the error as the last member, so
  /// that the document is valid. One that was not begun consists of the error.
  func finish(with failure: InspectionFailure) throws(OutputFailure) {
    if isAfterKey { try literal("null") }
    while scopes.count > 1 { try close() }
    let isNew = scopes.isEmpty
    if isNew { try open("{", close: "}", isOnLines: false) }
    try key("error")
    try open("{", close: "}", isOnLines: false)
    let error = failure.archiveError
    try member("code", failure.code)
    if let path = failure.path { try member("file", path) }
    if let byteOffset = error?.byteOffset { try member("byteOffset", byteOffset) }
    if let className = error?.className { try member("class", className) }
    if let key = error?.key { try member("key", key) }
    if let id = error?.objectID { try member("object", Int(id.rawValue)) }
    try member("message", failure.message)
    try close()
    try close()
  }

  private func key(_ key: String) throws(OutputFailure) {
    try element(Self.literal(key) + ":")
    isAfterKey = true
  }

  private func open(_ bracket: String, close: String, isOnLines: Bool) throws(OutputFailure) {
    try element(bracket)
    scopes.append(Scope(close: close, isOnLines: isOnLines))
  }

  private func close() throws(OutputFailure) {
    guard let scope = scopes.popLast() else { return }
    if scope.isOnLines, !scope.isEmpty { try beginLine() }
    try output.write(scope.close)
    if scopes.isEmpty { try output.write("\n") }
  }

  /// Writes text as the next thing in the open scope, with the separator that belongs before it.
  private func element(_ text: String) throws(OutputFailure) {
    if isAfterKey {
      isAfterKey = false
    } else if let scope = scopes.last {
      if !scope.isEmpty { try output.write(",") }
      scopes[scopes.count - 1].isEmpty = false
      if scope.isOnLines { try beginLine() }
    }
    byteCount += text.utf8.count
    try output.write(text)
  }

  private func beginLine() throws(OutputFailure) {
    try output.write("\n" + String(repeating: "  ", count: scopes.count(where: \.isOnLines)))
  }

  private static func literal(_ text: String) -> String {
    var result = "\"".unicodeScalars
    var filter = PrintableFilter()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        filter.restart()
        result.append("\\")
        result.append(scalar)
      } else if filter.shows(scalar) {
        result.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          let padding = String(repeating: "0", count: 4 - digits.count)
          result.append(contentsOf: ("\\u" + padding + digits).unicodeScalars)
        }
      }
    }
    result.append("\"")
    return String(result)
  }
}
