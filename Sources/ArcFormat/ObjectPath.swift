/// A path in an error, as a string: `root.children[3].style`.
///
/// If a path is long, only its first and its last steps are included. Names are truncated, so the string is
/// short for any file.
package struct ObjectPath {
  /// The number of objects that are shown at each end of a long path.
  private static let shownStepCount = 8
  private static let maximumStepLength = 240

  /// The text so far.
  package private(set) var text = ""

  /// Creates an empty path, which refers to the roots.
  package init() {}

  /// Creates the path to an object, by the number of the object.
  package init(_ id: ObjectID) { text = ValuePath.Start.object(id).text }

  /// Creates the path to a value. `name` is the name of a root or property, and `steps` are the steps from
  /// this root or property to the value.
  package init(to name: String, _ steps: [ValuePath.Step]) { append([.name(name)] + steps) }

  /// Creates the path through `objectCount` objects. `steps` returns the steps from an object to a value of
  /// one of its properties. It is called only for the objects that are shown. If it returns nil because the
  /// steps are unknown, the path is nil.
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

  /// Appends the steps from an object to a value of one of its properties.
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
