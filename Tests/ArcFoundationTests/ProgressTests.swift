import Arc
import ArcFoundation
import ArcTestSupport
import Foundation
import XCTest

/// `Progress` shows the progress of a save and can cancel it.
final class ProgressTests: XCTestCase {
  private static let count = RandomTrials.size(usually: 3_000, exhaustively: 100_000)
  private static func words() -> [Word] { (0..<count).map { Word("word \($0)") } }

  /// An archiver that writes several segments.
  private static let archiver = Archiver(
    layout: .compact(segmentBytes: RandomTrials.size(usually: 1 << 13, exhaustively: 1 << 20)))

  func testFoundationProgressFollowsSavingAndReading() async throws {
    let url = try temporaryFolder().appendingPathComponent("a.arc")
    for total in [Int64(0), 7, 1000] {
      let saved = Progress(totalUnitCount: total)
      try await Self.archiver.write(Self.words(), to: url, progress: saved.follow)
      XCTAssertTrue(saved.isFinished)
      let read = Progress(totalUnitCount: total)
      let words = try await Unarchiver().read([Word].self, from: url, progress: read.follow)
      XCTAssertEqual(words.last?.text, "word \(Self.count - 1)")
      XCTAssertEqual(read.completedUnitCount, read.totalUnitCount)
      XCTAssertEqual(read.totalUnitCount, total == 0 ? 1000 : total)
    }
  }

  func testCancelledProgressStopsSaveAndKeepsOldFile() async throws {
    let folder = try temporaryFolder()
    let url = folder.appendingPathComponent("a.arc")
    try await Archiver().write("old", to: url)
    let progress = Progress(totalUnitCount: 100)
    do {
      try await Self.archiver.write(Self.words(), to: url) { step in
        if step.fractionCompleted > 0 { progress.cancel() }
        try progress.follow(step)
      }
      XCTFail("not cancelled")
    } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
    let old = try await Unarchiver().read(String.self, from: url)
    XCTAssertEqual(old, "old")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["a.arc"])
    do {
      _ = try await Unarchiver().read(String.self, from: url, progress: progress.follow)
      XCTFail("not cancelled")
    } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
  }
}

@Archivable private final class Word {
  let text: String
  init(_ text: String) { self.text = text }
}
