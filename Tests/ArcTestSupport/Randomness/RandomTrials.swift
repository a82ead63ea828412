import Foundation

/// How many trials tests run: those with random input, and those that could try everything.
package enum RandomTrials {
  /// Whether a run tries everything: `ARC_EXHAUSTIVE=1` in the environment, as in `.ci/run`.
  package static var isExhaustive: Bool { environment["ARC_EXHAUSTIVE"] == "1" }

  /// The seed of a test: `ARC_SEED` of the environment, or a new one. It is printed, so that a run can be
  /// repeated.
  package static func seed(file: StaticString = #fileID) -> UInt64 {
    let seed = environment["ARC_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    print("\(file): ARC_SEED=\(seed)")
    return seed
  }

  /// How often a test tries: `ARC_MUTATIONS` of the environment, or what is usual.
  package static func count(usually usualCount: Int) -> Int {
    environment["ARC_MUTATIONS"].flatMap { Int($0) } ?? usualCount
  }

  /// How often a test tries: `ARC_MUTATIONS` of the environment, or what is usual for a run that tries
  /// everything or a sample.
  package static func count(usually usualCount: Int, exhaustively fullCount: Int) -> Int {
    count(usually: size(usually: usualCount, exhaustively: fullCount))
  }

  /// The size of an input, such as the length of a chain: the full size in a run that tries everything,
  /// otherwise the usual size.
  package static func size(usually usualSize: Int, exhaustively fullSize: Int) -> Int {
    isExhaustive ? fullSize : usualSize
  }

  /// The elements that a test tries: all in a run that tries everything, otherwise one in `step`.
  package static func sample<Elements: Sequence>(of elements: Elements, oneIn step: Int) -> [Elements.Element]
  {
    var sample = TrialSample(oneIn: step)
    return elements.filter { _ in sample.includesNext() }
  }

  /// The seed of all samples of a process.
  static let sampleSeed = seed(file: "samples")

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
