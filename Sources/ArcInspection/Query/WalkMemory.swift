import ArcFormat

/// The objects from which a walk need not follow the remaining steps again, because these steps reach no
/// further values.
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
