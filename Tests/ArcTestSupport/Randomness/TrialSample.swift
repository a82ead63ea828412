/// Chooses the trials of a test, one after the other.
///
/// A run that tries everything takes all of them. Another run takes one in `step`: one at random of the first
/// `step` trials, one of the next `step`, and so on. The seed is printed; `ARC_SEED` repeats the choice.
package struct TrialSample {
  private let step: Int
  private var random: SplitMix64
  /// The place of the next trial among its `step` neighbours.
  private var place = 0
  /// The place of the trial that is taken.
  private var takenPlace = 0

  package init(oneIn step: Int) {
    self.step = RandomTrials.isExhaustive ? 1 : max(step, 1)
    random = SplitMix64(seed: self.step == 1 ? 0 : RandomTrials.sampleSeed)
  }

  /// Whether the test tries the next trial.
  package mutating func takesNext() -> Bool {
    if place == 0 { takenPlace = Int.random(in: 0..<step, using: &random) }
    defer { place = (place + 1) % step }
    return place == takenPlace
  }
}
