import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

/// Random archives are valid and can be printed as JSON. `ARC_RANDOM_ARCHIVES=FOLDER` saves them in a folder
/// for tests of other readers. `ARC_SEED` sets the seed of the first archive, which determines the other
/// seeds.
final class RandomArchiveTests: XCTestCase {
  func testCompressionDoesNotChangePrintedRandomArchives() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = RandomTrials.seed()
    let firstRowCount = RandomTrials.size(usually: 300, exhaustively: 20_000)
    for number in 0..<RandomTrials.count(usually: 4, exhaustively: 30) {
      let seed = seed &+ UInt64(number)
      let rowCount = number == 0 ? firstRowCount : 1 + number * number
      let what = "RandomArchive(seed: \(seed)), \(rowCount) rows"
      let documents = try [Compression.none, .zlib(level: 1)].map { compression in
        let bytes = try RandomArchive(seed: seed).bytes(
          rowCount: rowCount, compression: compression, hasChunkDirectory: number % 2 == 0)
        if let folder = environment["ARC_RANDOM_ARCHIVES"] {
          let name = "random-\(number)\(compression == .none ? "" : "-zlib").arc"
          try Data(bytes).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
        }
        XCTAssertEqual(try arcdump("verify", on: bytes).errors, "", what)
        return try arcdump("--json", on: bytes)
      }
      XCTAssertEqual(documents[0].errors, "", what)
      XCTAssertEqual(documents[0], documents[1], what)
      let document = try JSONSerialization.jsonObject(with: Data(documents[0].output.utf8))
      let objects = (document as? [String: Any])?["objects"] as? [Any]
      XCTAssertEqual(objects?.count, rowCount - 1, what)
    }
  }
}
