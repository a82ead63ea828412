import ArcFormat
import ArcJSON

/// The issues of a text, collected while the text is read.
final class IssueLog {
  private var document: JSONDocument
  private let endsAtFirst: Bool
  /// Whether the first issue is thrown as a `Refusal` without details. A `ReadingSession` then reads the text
  /// again and reports the issue.
  private let refuses: Bool
  private var notes: [Note] = []
  /// The names of the members that state the type of an object, by the document index of the object.
  private var tags: [Int: String] = [:]
  /// Whether issues are ignored, because they are already reported.
  var isSilent = false

  /// The maximum number of issues. Later issues are not reported.
  static let maximumCount = 1000

  private struct Note {
    let code: ModelIssue.Code
    let index: Int
    let found: String
    let expected: String?
    /// The path from the value at `index` to the nested value that has the issue. Empty if the value at
    /// `index` has the issue itself.
    var steps = ""
    /// The error of the program's own code. Nil if the reader found the issue.
    var error: (any Error)?
  }

  /// Creates a log for the issues of a document. If `endsAtFirst` is true, the log throws the first issue.
  /// Otherwise, it collects all issues.
  init(_ document: JSONDocument, endsAtFirst: Bool) {
    self.document = document
    self.endsAtFirst = endsAtFirst
    refuses = false
  }

  /// Creates a log without a document that throws `Refusal` for the first issue.
  init() {
    document = .null
    endsAtFirst = true
    refuses = true
  }

  /// Sets the document of the next issue. Called only for a log that throws `Refusal`, which collects no
  /// issues.
  func begin(_ document: JSONDocument) {
    self.document = document
    if !tags.isEmpty { tags.removeAll() }
  }

  /// Adds an issue about a value. Throws the issue if reading is strict.
  func note(
    _ code: ModelIssue.Code, at index: Int, found: @autoclosure () -> String? = nil, expected: String?,
    error: (any Error)? = nil
  ) throws {
    if refuses { throw JSONCursor.Refusal() }
    // Describing issues beyond the maximum would take most of the time for a text with many errors.
    if keepsNotes {
      append(
        Note(code: code, index: index, found: found() ?? words(at: index), expected: expected, error: error))
    }
    if endsAtFirst { throw self.error }
  }

  /// Adds an issue about a value for which code of the program threw an error. Throws the issue if reading is
  /// strict.
  func noteRefusal(_ error: any Error, at index: Int) throws {
    try note(
      .refused, at: index, found: "\(words(at: index)), which the program refused: \(error)", expected: nil,
      error: error)
  }

  /// Adds an issue about an object that a hook of its class rejected. A strict reader throws the error of the
  /// hook.
  func noteHookError(_ error: any Error, at index: Int) throws {
    if endsAtFirst {
      hookIndex = index
      throw error
    }
    try noteRefusal(error, at: index)
  }

  /// Adds an issue about a member whose name is repeated. Throws the issue if reading is strict.
  func noteDuplicate(ofKeyAt key: Int) throws {
    try note(
      .duplicateKey, at: key + 1, found: "a second member with the same name",
      expected: "members with distinct names")
  }

  /// Adds an issue about a member if an earlier member of its object has the same name. Throws the issue if
  /// reading is strict.
  func noteIfRepeated(_ key: Int, named name: String, of index: Int) throws {
    guard document.duplicateKeys == .last else { return }
    for other in document.keys(of: index) {
      guard other < key else { return }
      if document.isString(at: other, name) { return try noteDuplicate(ofKeyAt: key) }
    }
  }

  /// Searches a value, at any depth, for the first member whose name is repeated, and adds an issue about
  /// this member. Throws the issue if reading is strict. Called for a value that is converted to
  /// dictionaries, because a dictionary cannot contain a key twice.
  func noteDuplicate(inside index: Int) throws {
    guard document.duplicateKeys == .last, let key = document.secondKey(inside: index) else { return }
    try noteDuplicate(ofKeyAt: key)
  }

  /// Adds an issue about a member that no property reads. Throws the issue if reading is strict.
  func noteUnknown(_ key: Int, expected: String) throws {
    try note(
      .unknownKey, at: key + 1, found: "a member that matches no property",
      expected: expected)
  }

  /// Adds issues about values that stop a path. For example, the path `address.city` stops at `address` if
  /// this value is not an object. Throws the first issue if reading is strict.
  func noteObstacle(on paths: [JSONPath], from index: Int) throws {
    for path in paths {
      guard let obstacle = document.obstacle(on: path, from: index),
        !notes.contains(where: { $0.index == obstacle.index && $0.code == .typeMismatch })
      else { continue }
      try note(
        .typeMismatch, at: obstacle.index,
        expected: "\(obstacle.needsArray ? "an array" : "an object"), because of the path '\(path)'")
    }
  }

  /// Records the member that states the type of an object.
  func noteTag(_ name: String, ofObjectAt index: Int) { tags[index] = name }

  /// Whether a member states the type of its object.
  func isTag(_ key: Int, ofObjectAt index: Int) -> Bool {
    tags[index].map { document.isString(at: key, $0) } ?? false
  }

  /// Adds an issue about a value that is nested too deeply for a `JSONValue`. Throws the issue if reading is
  /// strict.
  func noteTooDeep(at index: Int) throws {
    try note(
      .refused, at: index, found: "a value with more than \(JSONValue.maximumDepth) nested levels",
      expected: "at most \(JSONValue.maximumDepth) nested levels, the maximum of a JSONValue")
  }

  /// Adds an issue about a value of a recursive type that is nested too deeply. Throws the issue if reading
  /// is strict.
  func noteNestedTooDeeply(at index: Int) throws {
    try note(
      .refused, at: index,
      found: "more than \(JSONValue.maximumDepth) nested structures or enumerations of one type",
      expected: "at most \(JSONValue.maximumDepth) nested structures or enumerations of one type")
  }

  /// The document index of the object whose hook ended a strict reading. Nil if no hook ended it.
  private var hookIndex: Int?

  /// The document index of the first issue in the order of the text. If there is no issue, the index of the
  /// object whose hook ended the reading, or nil.
  var firstIndex: Int? { notes.lazy.map(\.index).min() ?? hookIndex }

  var count: Int { notes.count }

  /// Removes all issues except the first `count`.
  func removeAll(after count: Int) { notes.removeLast(max(notes.count - count, 0)) }

  /// Adds issues about the missing members of an object. Throws them if reading is strict.
  func noteMissing(_ values: [(path: JSONPath, expected: String)], at index: Int) throws {
    if refuses { throw JSONCursor.Refusal() }
    for (path, expected) in values {
      append(
        Note(
          code: .missingKey, index: index, found: "nothing", expected: expected, steps: path.description))
    }
    if endsAtFirst { throw error }
  }

  /// Adds issues that were found in another document, which was read instead of the value at `index`. Throws
  /// the issues if reading is strict.
  func noteAll(_ issues: [ModelIssue], at index: Int) throws {
    if refuses, !issues.isEmpty { throw JSONCursor.Refusal() }
    for issue in issues {
      append(
        Note(
          code: issue.code, index: index, found: issue.found, expected: issue.expected, steps: issue.path,
          error: issue.underlyingError))
    }
    if endsAtFirst, !issues.isEmpty { throw error }
  }

  private func append(_ note: Note) {
    if keepsNotes { notes.append(note) }
  }

  private var keepsNotes: Bool { !isSilent && notes.count < Self.maximumCount }

  var isEmpty: Bool { notes.isEmpty }

  /// The error with all issues.
  var error: ModelReadingError { ModelReadingError(issues: all) }

  /// The error with the issues of the first value in the text that has issues.
  var firstError: ModelReadingError {
    let issues = all
    return ModelReadingError(issues: issues.filter { $0.byteOffset == issues.first?.byteOffset })
  }

  /// All issues in the order of the text.
  var all: [ModelIssue] {
    let sorted = notes.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
      .map(\.element)
    return zip(sorted, document.locations(of: sorted.map(\.index))).map { note, location in
      let isJoined = location.path.isEmpty || note.steps.isEmpty || note.steps.hasPrefix("[")
      return ModelIssue(
        code: note.code, path: location.path + (isJoined ? "" : ".") + note.steps, found: note.found,
        expected: note.expected, underlyingError: note.error, byteOffset: location.byteOffset,
        line: location.line,
        column: location.column)
    }
  }

  /// Returns a description of a value for issues.
  func words(at index: Int) -> String {
    switch document.word(at: index).kind {
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .integer, .fraction: shortened(document.string(at: index))
    case .asciiString, .string, .escapedString: "\"\(shortened(document.string(at: index)))\""
    case .array: "an array"
    case .object: "an object"
    }
  }

  private func shortened(_ text: String) -> String { printableName(text, scalars: 60) }
}
