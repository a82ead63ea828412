import ArcFormat

/// The objects from which a walk already followed the remaining steps. Following these steps again would
/// reach no further values.
final class WalkMemory {
  /// An object on a path, and the number of steps that remain after the object.
  struct Step: Hashable {
    let id: ObjectID
    let stepsLeft: Int
  }

  private var done: Set<Step> = []
  /// The number of values that the walk found.
  var resultCount = 0

  /// Whether the walk already followed the remaining steps from an object, so that they reach no further
  /// values.
  func isDone(_ step: Step) -> Bool { done.contains(step) }

  /// Records objects from which the walk followed the remaining steps completely.
  func finish(_ steps: [Step]) { done.formUnion(steps) }
}
