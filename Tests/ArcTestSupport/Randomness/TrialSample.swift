/// A random sample of the trials of a test.
///
/// An exhaustive run includes all trials. Other runs include one trial in `step`: a random trial of the first
/// `step` trials, a random trial of the next `step` trials, and so on. The seed is printed, and `ARC_SEED`
/// repeats a run.
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
