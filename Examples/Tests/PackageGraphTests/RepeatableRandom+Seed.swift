import Claims
import Foundation

extension RepeatableRandom {
  /// Prints and returns the seed of a test: `ARC_SEED` of the environment, or a random seed.
  static func testSeed(file: StaticString = #fileID) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment["ARC_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    print("\(file): ARC_SEED=\(seed)")
    return seed
  }
}
