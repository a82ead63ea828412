import ArcFormat
import ArcJSON

/// What is wrong with a text, collected while it is read.
final class IssueLog {
  private let document: JSONDocument
  private let endsAtFirst: Bool
  private var notes: [Note] = []
  /// Whether what is found is reported already.
  var isSilent = false

  /// How many issues are kept; what is found after them is not reported.
  static let maximumCount = 1000

  private struct Note {
    let code: ModelIssue.Code
    let index: Int
    let found: String
    let expected: String?
    /// The way from there to what lacks or is wrong; empty for the value itself.
    var steps = ""
  }

  /// A log that throws the first issue, or keeps all.
  init(_ document: JSONDocument, endsAtFirst: Bool) {
    self.document = document
    self.endsAtFirst = endsAtFirst
  }

  /// Notes an issue with a value; throws it where reading is strict.
  func note(_ code: ModelIssue.Code, at index: Int, found: String? = nil, expected: String?) throws {
    append(Note(code: code, index: index, found: found ?? words(at: index), expected: expected))
    if endsAtFirst { throw error }
  }

  /// Notes the members that an object lacks; throws them where reading is strict.
  func noteMissing(_ values: [(path: JSONPath, expected: String)], at index: Int) throws {
    for (path, expected) in values {
      append(
        Note(
          code: .missingKey, index: index, found: "nothing", expected: expected, steps: path.description))
    }
    if endsAtFirst { throw error }
  }

  /// Notes what was found in a text that took the place of a value; throws it where reading is strict.
  func noteAll(_ issues: [ModelIssue], at index: Int) throws {
    for issue in issues {
      append(
        Note(
          code: issue.code, index: index, found: issue.found, expected: issue.expected, steps: issue.path))
    }
    if endsAtFirst, !issues.isEmpty { throw error }
  }

  private func append(_ note: Note) {
    if !isSilent, notes.count < Self.maximumCount { notes.append(note) }
  }

  /// Whether nothing is wrong so far.
  var isEmpty: Bool { notes.isEmpty }

  /// The error with all issues.
  var error: ModelError { ModelError(issues: all) }

  /// All issues in the order of the text.
  var all: [ModelIssue] {
    let sorted = notes.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
      .map(\.element)
    return zip(sorted, document.places(of: sorted.map(\.index))).map { note, place in
      let isJoined = place.path.isEmpty || note.steps.isEmpty || note.steps.hasPrefix("[")
      return ModelIssue(
        code: note.code, path: place.path + (isJoined ? "" : ".") + note.steps, found: note.found,
        expected: note.expected,
        byteOffset: place.byteOffset, line: place.line, column: place.column)
    }
  }

  /// A value in words.
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
