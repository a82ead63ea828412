import ArcArchive
import ArcFormat

/// The text of a path that `arcdump` prints: `root.people[3].address`, `#17.name`.
///
/// Names are not truncated. A step with a name that is too long has no text, so such a path begins with the
/// number of an object after the step.
struct PathText: Reportable {
  /// The text so far.
  private(set) var text: String

  var reportValue: ReportValue { .words(Words(text), as: text) }

  /// The path to an object by its number.
  init(_ id: ObjectID) { text = ValuePath.Start.object(id).text }

  /// The path that begins with some steps from a root.
  init(beginning text: String) { self.text = text }

  /// The path to a root; nil if its name is too long.
  init?(root name: String) {
    guard ValuePath.Name(name).isPrinted else { return nil }
    text = ValuePath.Start.root(ValuePath.Name(name)).text
  }

  /// Appends the text of steps.
  mutating func append(_ steps: String) { text += steps }

  /// The path after some more steps.
  func appending(_ steps: String) -> PathText {
    var path = self
    path.append(steps)
    return path
  }
}

extension ValuePath.Name {
  /// Whether paths contain the name: a file may repeat a name of a megabyte in each row.
  fileprivate var isPrinted: Bool { text.utf8.count <= 400 }
}

extension ValuePath.Step {
  /// The step in its notation; nil if its name is too long.
  var printedText: String? {
    switch self {
    case .name(let name), .key(.text(let name)), .key(.enumerationCase(let name)):
      name.isPrinted ? text : nil
    case .index, .key(.bool): text
    }
  }
}

extension ValueStep {
  /// The step in the notation of paths, empty if paths have no step for the value; nil if its name is too
  /// long. A value of a dictionary has its key in the step, except if `namesEntry` is false because an
  /// earlier entry has the same key.
  func printedText(namesEntry: Bool = true) -> String? {
    guard case .value(let index, let key) = self else { return pathSteps.printedText }
    return [ValuePath.Step].value(for: namesEntry ? key : nil, at: index).printedText
  }
}

extension [ValuePath.Step] {
  /// The steps to the value of an entry. `key` is nil if an earlier entry has the same key.
  static func value(for key: ArchiveValue?, at index: Int) -> Self {
    let step = key?.keyStep
    return .value(step?.printedText == nil ? nil : step, at: index)
  }

  /// The steps in their notation; nil if a name is too long.
  var printedText: String? {
    let texts = map(\.printedText)
    return texts.contains(nil) ? nil : texts.compactMap { $0 }.joined()
  }
}
