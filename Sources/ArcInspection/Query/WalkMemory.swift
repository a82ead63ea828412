import ArcFormat

/// The objects whose remaining steps a walk has followed without finding further values. The walk does not
/// follow these steps again.
final class WalkMemory {
  /// An object on a path, and the number of steps that remain after the object.
  struct Step: Hashable {
    let id: ObjectID
    let stepsLeft: Int
  }

  private var done: Set<Step> = []
  /// The number of values that the walk found.
  var resultCount = 0

  /// Whether the remaining steps after an object reach no further values.
  func isDone(_ step: Step) -> Bool { done.contains(step) }

  /// Records objects whose remaining steps reach no further values.
  func finish(_ steps: [Step]) { done.formUnion(steps) }
}
