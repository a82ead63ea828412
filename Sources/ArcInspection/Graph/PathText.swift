import ArcArchive
import ArcFormat

/// The text of a path that `arcdump` prints: `root.people[3].address`, `#17.name`.
///
/// Names are not truncated. A step with a name of more than 400 bytes has no text. The path then begins after
/// this step, with the number of an object.
struct PathText: Reportable {
  /// The text so far.
  private(set) var text: String

  var reportValue: ReportValue { .words(Words(text), as: text) }

  /// Creates a path that begins with the number of an object.
  init(_ id: ObjectID) { text = ValuePath.Start.object(id).text }

  /// Creates a path from its text, which begins at a root.
  init(beginning text: String) { self.text = text }

  /// Creates a path that begins with a root. Nil if the root's name is too long.
  init?(root name: String) {
    guard ValuePath.Name(name).isPrinted else { return nil }
    text = ValuePath.Start.root(ValuePath.Name(name)).text
  }

  /// Appends the text of steps.
  mutating func append(_ steps: String) { text += steps }

  /// Returns the path extended by the text of steps.
  func appending(_ steps: String) -> PathText {
    var path = self
    path.append(steps)
    return path
  }
}

extension ValuePath.Name {
  /// Whether the name is short enough to be printed in paths. The limit is necessary because a file may
  /// repeat a name of a megabyte in each row.
  fileprivate var isPrinted: Bool { text.utf8.count <= 400 }
}

extension ValuePath.Step {
  /// The text of the step in the notation of paths. Nil if its name is too long.
  var printedText: String? {
    switch self {
    case .name(let name), .key(.text(let name)), .key(.enumerationCase(let name)):
      name.isPrinted ? text : nil
    case .index, .key(.bool): text
    }
  }
}

extension ValueStep {
  /// Returns the step in the notation of paths. Empty if the value needs no step, for example the value in an
  /// optional. Nil if the step contains a name that is too long. The step to a value of a dictionary contains
  /// the key. If an earlier entry may have an equal key, pass false for `namesEntry`: the step then contains
  /// the index of the entry instead.
  func printedText(namesEntry: Bool = true) -> String? {
    guard case .value(let index, let key) = self else { return pathSteps.printedText }
    return [ValuePath.Step].value(for: namesEntry ? key : nil, at: index).printedText
  }
}

extension [ValuePath.Step] {
  /// Returns the steps to the value of a dictionary's entry. `key` is nil if an earlier entry has the same
  /// key, so that the steps use the index.
  static func value(for key: ArchiveValue?, at index: Int) -> Self {
    let step = key?.keyStep
    return .value(step?.printedText == nil ? nil : step, at: index)
  }

  /// The text of the steps in the notation of paths. Nil if a name is too long.
  var printedText: String? {
    let texts = map(\.printedText)
    return texts.contains(nil) ? nil : texts.compactMap { $0 }.joined()
  }
}
