/// The text of a path in an error: `root.children[3].style`.
///
/// Of a long path it contains only the first and the last steps, and names are truncated, so that the text
/// stays short whatever a file contains.
package struct ObjectPath {
  /// The number of steps from object to object at each end of a long path that are shown.
  private static let shownStepCount = 8
  private static let maximumStepLength = 240

  /// The text so far.
  package private(set) var text = ""

  /// The path to the roots.
  package init() {}

  /// The path to an object by its number.
  package init(_ id: ObjectID) { text = ValuePath.Start.object(id).text }

  /// The path to a root or property, and by some steps to a value in it.
  package init(to name: String, _ steps: [ValuePath.Step]) { append([.name(name)] + steps) }

  /// The path over a number of objects. `steps` returns the steps of the shown objects, each from the object
  /// to a value of one of its properties; nil if they are unknown, and then there is no path.
  package init?(objectCount: Int, _ steps: (_ object: Int) throws -> [ValuePath.Step]?) rethrows {
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

  /// Appends the steps from one object to a value of one of its properties.
  package mutating func append(_ steps: [ValuePath.Step]) {
    let step: String
    if text.isEmpty, case .name(let root)? = steps.first {
      step = ValuePath.Start.root(root).shortText + Array(steps.dropFirst()).shortText
    } else {
      step = steps.shortText
    }
    text += step.count > Self.maximumStepLength ? step.prefix(Self.maximumStepLength) + "…" : step
  }
}
