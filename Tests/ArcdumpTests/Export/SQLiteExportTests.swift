import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// `swift test --traits SQLite --filter SQLiteExportTests` tries the format; without the trait it is tried
/// that the program says how to get it.
final class SQLiteExportTests: XCTestCase {
  #if SQLite
    private func dump(_ bytes: [UInt8]) throws -> String {
      let path = try temporaryFolder().appendingPathComponent("out.db").path
      let command = try Arcdump.parseAsRoot(["export", "test.arc", "--format", "sqlite", "-o", path])
      let result = try XCTUnwrap(command as? any InspectionCommand).result { _, _ in bytes }
      XCTAssertEqual(result.errors, "")
      return try SQLiteShell.answer(to: ".dump", after: ".open --readonly '\(path)'")
    }

    func testTheDatabaseIsWhatTheStatementsMake() throws {
      let seed = RandomTrials.seed()
      var archives = [
        try AskedArchives.zoo(), try SampleArchives.kinds(), try SampleArchives.text("a\0b'\"\n\u{1B}"),
      ]
      for number in 0..<4 {
        archives.append(
          try RandomArchive(seed: seed &+ UInt64(number)).bytes(rowCount: 1 + 30 * number, compression: .none)
        )
      }
      for bytes in archives {
        let statements = try export("sql", on: bytes).output
        XCTAssertEqual(
          try dump(bytes), try SQLiteShell.answer(to: ".dump", after: statements), "seed \(seed)")
      }
    }
  #else
    func testWithoutTheLibraryItSaysHowToGetIt() throws {
      XCTAssertThrowsError(
        try Arcdump.parseAsRoot(["export", "test.arc", "--format", "sqlite", "-o", "out.db"])
      ) { error in
        let message = Arcdump.message(for: error)
        XCTAssertTrue(message.contains("--traits SQLite"), message)
        XCTAssertTrue(message.contains("--format sql"), message)
      }
    }
  #endif
}
