/// Chooses the trials of a test, one after the other.
///
/// An exhaustive run includes all of them. Any other run includes one in `step`: a random one of the first
/// `step` trials, a random one of the next `step`, and so on. The seed is printed; `ARC_SEED` repeats it.
package struct TrialSample {
  private let step: Int
  private var random: SplitMix64
  /// The index of the next trial among `step` trials.
  private var index = 0
  /// The index of the trial that is included.
  private var includedIndex = 0

  package init(oneIn step: Int) {
    self.step = RandomTrials.isExhaustive ? 1 : max(step, 1)
    random = SplitMix64(seed: self.step == 1 ? 0 : RandomTrials.sampleSeed)
  }

  /// Whether the test tries the next trial.
  package mutating func includesNext() -> Bool {
    if index == 0 { includedIndex = Int.random(in: 0..<step, using: &random) }
    defer { index = (index + 1) % step }
    return index == includedIndex
  }
}
