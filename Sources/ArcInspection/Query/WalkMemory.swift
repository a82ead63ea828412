import ArcFormat

/// The objects from which a walk followed each step of a path without a result.
final class WalkMemory {
  /// An object, and the number of steps after it.
  struct Step: Hashable {
    let id: ObjectID
    let stepsLeft: Int
  }

  private var done: Set<Step> = []
  /// The number of values that the walk found.
  var resultCount = 0

  /// Whether the steps after an object have no further result.
  func isDone(_ step: Step) -> Bool { done.contains(step) }

  /// Remembers steps that have no further result.
  func finish(_ steps: [Step]) { done.formUnion(steps) }
}
