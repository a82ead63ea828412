/// The way from a root to a value, as Swift would write it: `root.children[3].style`.
///
/// Of a long way only the first and the last steps are kept, and names are cut, so that whatever a file holds
/// the text stays short.
package struct ObjectPath {
  /// The number of steps from object to object at each end of a long way that are shown.
  private static let shownStepCount = 8
  private static let maximumNameLength = 60
  private static let maximumStepLength = 240

  /// The text so far.
  package private(set) var text = ""

  /// The way to the roots.
  package init() {}

  /// The way to a root or property, and by some steps on to what it holds.
  package init(to name: String, _ steps: [String]) { append([Self.step(to: name)] + steps) }

  /// The way over a number of objects. `steps` gives those of the shown ones of them, from the object to what
  /// one of its properties holds; where it does not know, there is no way.
  package init?(objectCount: Int, _ steps: (_ object: Int) throws -> [String]?) rethrows {
    let shown = Self.shownStepCount
    for object in 0..<objectCount {
      if object >= shown, object < objectCount - shown {
        if object == shown { text += " … \(objectCount - 2 * shown) more … " }
        continue
      }
      guard let steps = try steps(object) else { return nil }
      append(steps)
    }
  }

  /// Appends the steps from one object to what one of its properties holds.
  package mutating func append(_ steps: [String]) {
    let step = steps.joined()
    text += step.count > Self.maximumStepLength ? step.prefix(Self.maximumStepLength) + "…" : step
    // A mark at the beginning of a name is one character with the dot.
    if text.unicodeScalars.first == "." { text.unicodeScalars.removeFirst() }
  }

  // MARK: Steps

  /// The step to a property, a field or a case: `.name`, or with backticks where that is no identifier.
  package static func step(to name: String) -> String {
    let isIdentifier =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    let short = cut(name)
    guard !isIdentifier else { return "." + short }
    let parts = short.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
    return ".`\(parts.map { printable(String($0)) }.joined(separator: "\\u{60}"))`"
  }

  /// The step to a field; fields without a name, those of tuples, are counted.
  package static func step(toField name: String, at index: Int) -> String {
    name.isEmpty ? ".\(index)" : step(to: name)
  }

  /// The step to an element of an array, or of a set in the order of the file.
  package static func step(toElement index: Int) -> String { "[\(index)]" }

  /// The step to the value for a key; without a text for the key, by its place among the values.
  package static func step(toValueFor key: String?, at index: Int) -> String {
    key.map { "[\($0)]" } ?? ".values[\(index)]"
  }

  /// The step to a key of a dictionary.
  package static func step(toKey index: Int) -> String { ".keys[\(index)]" }

  /// A string as a key of a dictionary: a literal of Swift, in one line.
  package static func quoted(_ key: String) -> String { printable(cut(key), quoted: true) }

  private static func cut(_ name: String) -> String {
    // What is cut is not counted. A character may be as long as the text.
    let (start, restByteCount) = name.cut(toScalars: 4 * maximumNameLength)
    let short = start.prefix(maximumNameLength)
    return restByteCount > 0 || short.endIndex < start.endIndex ? short + "…" : name
  }
}
