import Foundation

/// What a run of the tests asks of those that try things at random.
package enum RandomTrials {
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

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
