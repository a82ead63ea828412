import ArcFormat
import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

/// With `swift test --traits SQLite --filter SQLiteExportTests`, the tests export to this format. Without the
/// trait, they check the error, which names the trait.
final class SQLiteExportTests: XCTestCase {
  #if SQLite
    private func dump(_ bytes: [UInt8]) throws -> String {
      let path = try temporaryFolder().appendingPathComponent("out.db").path
      let command = try Arcdump.parseAsRoot(["export", "test.arc", "--format", "sqlite", "-o", path])
      let result = try XCTUnwrap(command as? any InspectionCommand).result { _, _ in bytes }
      XCTAssertEqual(result.errors, "")
      return try SQLiteShell.answer(to: ".dump", after: ".open --readonly '\(path)'")
    }

    func testDatabaseExportEqualsExecutedSQLExport() throws {
      let seed = RandomTrials.seed()
      var archives = [
        try QueriedArchives.zoo(), try SampleArchives.kinds(), try SampleArchives.text("a\0b'\"\n\u{1B}"),
      ]
      for number in 0..<4 {
        archives.append(
          try RandomArchive(seed: seed &+ UInt64(number)).bytes(rowCount: 1 + 30 * number, compression: .none)
        )
      }
      for bytes in archives {
        let statements = try export("sql", on: bytes).output
        XCTAssertEqual(
          try rounded(dump(bytes)), try rounded(SQLiteShell.answer(to: ".dump", after: statements)),
          "seed \(seed)")
      }
    }

    /// Returns a dump in which very large and very small numbers have twelve digits. A number that SQLite
    /// reads from a statement can differ in the last bits, but the exported database contains the exact bits.
    private func rounded(_ dump: String) -> String {
      dump.replacing(/-?[0-9]\.[0-9]+e[-+][0-9]{3}/) { number in
        String(format: "%.11e", Double(number.output) ?? 0)
      }
    }
  #else
    func testMissingDatabaseLibraryIsReportedWithARemedy() throws {
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
