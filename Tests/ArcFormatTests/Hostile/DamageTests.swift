import ArcTestSupport
import Dispatch
import Synchronization
import XCTest

@testable import ArcArchive

/// Flipped bits and truncation in each golden file: a sample, or all of them with `ARC_EXHAUSTIVE=1`.
final class DamageTests: XCTestCase {
  private func goldenFiles() throws -> [(name: String, bytes: [UInt8])] {
    let files = try Repository.goldenArchives()
    XCTAssertGreaterThan(files.count, 8)
    return files
  }

  /// Calls `body` for one in `step` numbers, or for all numbers in an exhaustive run, on all processors.
  /// `body` returns the failure, or nil.
  private func assertHolds(
    _ name: String, _ numbers: some Collection<Int>, oneIn step: Int = 16, _ body: @Sendable (Int) -> String?
  ) {
    let numbers = RandomTrials.sample(of: numbers, oneIn: step)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
      guard let failure = body(numbers[index]) else { return }
      failures.withLock { $0.append("\(name), \(numbers[index]): \(failure)") }
    }
    XCTAssertEqual(failures.withLock { $0.prefix(5) }, [])
  }

  /// Returns nil if opening or verifying fails with an `ArchiveError`, otherwise a description of the
  /// failure.
  private static func acceptance(of bytes: [UInt8]) -> String? {
    do {
      try ArchiveFile(bytes: bytes).verify()
      return "accepted"
    } catch {
      return nil
    }
  }

  func testEachTruncatedFileIsRefused() throws {
    for (name, bytes) in try goldenFiles() {
      assertHolds(name, 0..<bytes.count) { Self.acceptance(of: Array(bytes[..<$0])) }
    }
  }

  func testFileWithAnyFlippedBitIsRefused() throws {
    for (name, bytes) in try goldenFiles() {
      assertHolds(name, 0..<bytes.count * 8, oneIn: 32) { bit in
        Self.acceptance(of: bytes.flipping(bit: bit))
      }
    }
  }

  /// Changes under correct checksums: an error, or an archive that can be read completely.
  func testChangesWithValidChecksumsGiveErrorOrArchive() throws {
    for (name, bytes) in try goldenFiles() {
      assertHolds(name, 0..<bytes.count * 8, oneIn: 128) { bit in
        ArchiveClaims.violation(by: HandMadeArchive.sealed(bytes.flipping(bit: bit)))
      }
    }
  }

  /// The same for decompressed payloads, with adjusted lengths.
  func testMissingPayloadBytesGiveErrorOrArchive() throws {
    for (name, bytes) in try goldenFiles() {
      let archive = try HandMadeArchive(takingApart: bytes)
      for segment in archive.segments.indices {
        assertHolds(name, archive.segments[segment].raw.indices) { place in
          var damaged = archive
          damaged.segments[segment].raw.remove(at: place)
          damaged.segments[segment].isCompressed = false
          guard let bytes = try? damaged.bytes() else { return "cannot be put together" }
          return ArchiveClaims.violation(by: bytes)
        }
      }
    }
  }
}
