import ArcTestSupport
import XCTest

/// Tests that the compiled classes read the files of releases with random declarations.
final class RandomReleaseTests: XCTestCase {
  func testAllReadersReadRandomReleaseFilesEqually() throws {
    let seed = RandomTrials.seed()
    var failures: [String: (count: Int, first: String)] = [:]
    for round in 0..<RandomTrials.count(usually: 5, exhaustively: 2_000) {
      // To repeat a round that failed, use its seed and ARC_MUTATIONS=1.
      let roundSeed = seed &+ UInt64(round)
      var random = SplitMix64(seed: roundSeed)
      let file = try RandomFile(&random)
      // Each file is read as a whole and by two other APIs. Over all files, each API is used.
      let others = RandomFile.Reading.allCases.dropFirst()
      for reading in [.whole] + others.shuffled(using: &random).prefix(2) {
        guard let difference = file.difference(reading) else { continue }
        failures[reading.rawValue, default: (0, "ARC_SEED=\(roundSeed) \(difference)")].count += 1
      }
    }
    for (reading, failure) in failures.sorted(by: { $0.key < $1.key }) {
      XCTFail("\(reading): \(failure.count) files, the first with \(failure.first)")
    }
  }
}
