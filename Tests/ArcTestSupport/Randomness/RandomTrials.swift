import Foundation

/// The number of trials of tests with random input, and of tests that could try every input.
package enum RandomTrials {
  /// Whether a run tries every input. The environment variable `ARC_EXHAUSTIVE=1` requests this, as in
  /// `.ci/run`.
  package static var isExhaustive: Bool { environment["ARC_EXHAUSTIVE"] == "1" }

  /// Returns the seed of a test: the value of `ARC_SEED` in the environment, or a new seed. The seed is
  /// printed, so that a run can be repeated.
  package static func seed(file: StaticString = #fileID) -> UInt64 {
    let seed = environment["ARC_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    print("\(file): ARC_SEED=\(seed)")
    return seed
  }

  /// Returns the number of trials of a test: the value of `ARC_MUTATIONS` in the environment, or the usual
  /// number.
  package static func count(usually usualCount: Int) -> Int {
    environment["ARC_MUTATIONS"].flatMap { Int($0) } ?? usualCount
  }

  /// Returns the number of trials of a test: the value of `ARC_MUTATIONS` in the environment, or the number
  /// for an exhaustive or a usual run.
  package static func count(usually usualCount: Int, exhaustively fullCount: Int) -> Int {
    count(usually: size(usually: usualCount, exhaustively: fullCount))
  }

  /// Returns the size of an input, such as the length of a chain: the full size in an exhaustive run,
  /// otherwise the usual size.
  package static func size(usually usualSize: Int, exhaustively fullSize: Int) -> Int {
    isExhaustive ? fullSize : usualSize
  }

  /// Returns the elements that a test tries: all elements in an exhaustive run, otherwise one in `step`.
  package static func sample<Elements: Sequence>(of elements: Elements, oneIn step: Int) -> [Elements.Element]
  {
    var sample = TrialSample(oneIn: step)
    return elements.filter { _ in sample.includesNext() }
  }

  /// The seed of all samples of a process.
  static let sampleSeed = seed(file: "samples")

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
