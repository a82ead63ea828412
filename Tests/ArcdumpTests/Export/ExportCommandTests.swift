import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

final class ExportCommandTests: XCTestCase {
  /// The formats that this build supports.
  private let formats = ExportFormat.allCases.filter { format in
    format != .sqlite || (try? SQLiteExport.checkIsAvailable()) != nil
  }

  private func run(_ arguments: [String], on bytes: [UInt8]) throws -> CommandResult {
    let command = try Arcdump.parseAsRoot(["export", "test.arc"] + arguments)
    return try XCTUnwrap(command as? any InspectionCommand).result { _, _ in bytes }
  }

  func testEachFormatExportsEachFixtureCompletely() throws {
    let folder = try temporaryFolder()
    let fixtures = Repository.root.appendingPathComponent("Fixtures")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).filter {
      $0.hasSuffix(".arc")
    }
    XCTAssertGreaterThan(names.count, 5)
    for name in RandomTrials.sample(of: names, oneIn: 6) {
      let bytes = Array(try Data(contentsOf: fixtures.appendingPathComponent(name)))
      let objectCount = try ArchiveFile(bytes: bytes).rowCount - 1
      for format in formats {
        let path = folder.appendingPathComponent(name + "." + format.rawValue).path
        let result = try run(["--format", format.rawValue, "-o", path], on: bytes)
        XCTAssertEqual(result.errors, "", "\(name) \(format)")
        XCTAssertEqual(
          result.output, "exported: \(counted(objectCount, "object")) to \(path)\n", "\(name) \(format)")
      }
    }
  }

  func testExportDoesNotReplaceAnExistingFile() throws {
    let folder = try temporaryFolder()
    for format in formats {
      let path = folder.appendingPathComponent("out-\(format)").path
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      let result = try run(["--format", format.rawValue, "-o", path], on: QueriedArchives.zoo())
      XCTAssertEqual(result.status, .outputError)
      XCTAssertTrue(result.errors.contains("fileSystem: found an existing file '\(path)'"), result.errors)
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "mine")
    }
  }

  func testExportOfDamagedArchiveLeavesNoFile() throws {
    let folder = try temporaryFolder()
    // The root refers to a row that does not exist. The error occurs when its segment is read.
    let builder = try RowWiseArchive(roots: [("root", "@")])
    try builder.row(0, .reference(7))
    let bytes = try builder.finish()
    for format in formats {
      let path = folder.appendingPathComponent("out-\(format)").path
      let result = try run(["--format", format.rawValue, "-o", path], on: bytes)
      XCTAssertEqual(result.status, .dataError)
      XCTAssertTrue(result.errors.contains("danglingReference"), result.errors)
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
  }

  func testRemainsOfAnInterruptedExportAreReplaced() throws {
    let folder = try temporaryFolder()
    for format in formats where format.product != .text {
      let path = folder.appendingPathComponent("out-\(format)").path
      // The folder of a process that was killed. It contains the process's marker without a lock.
      try FileManager.default.createDirectory(
        atPath: path + ".partial", withIntermediateDirectories: true)
      for name in [".arcdump-export", "Old.csv"] {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path + ".partial/" + name))
      }
      let result = try run(["--format", format.rawValue, "-o", path], on: QueriedArchives.zoo())
      XCTAssertEqual(result.errors, "", "\(format)")
      XCTAssertFalse(FileManager.default.fileExists(atPath: path + ".partial"))
      XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/Old.csv"))
      XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/.arcdump-export"))
    }
  }

  func testForeignOrLockedPartialFolderIsNotChanged() throws {
    let folder = try temporaryFolder()
    let path = folder.appendingPathComponent("out").path
    let file = URL(fileURLWithPath: path + ".partial/mine.csv")
    try FileManager.default.createDirectory(atPath: path + ".partial", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    let refused = try run(["--format", "csv", "-o", path], on: QueriedArchives.zoo())
    XCTAssertEqual(refused.status, .outputError)
    XCTAssertTrue(refused.errors.contains("out.partial"), refused.errors)
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "mine")
    try FileManager.default.removeItem(atPath: path + ".partial")
    let running = try PartialFolder(for: path)
    XCTAssertEqual(
      try run(["--format", "csv", "-o", path], on: QueriedArchives.zoo()).status, .outputError)
    withExtendedLifetime(running) {}
  }

  func testFolderExportWithoutOutputNameIsRefused() throws {
    XCTAssertThrowsError(try run(["--format", "csv"], on: []))
    XCTAssertThrowsError(try run(["--format", "csv", "-o", "-"], on: []))
    XCTAssertThrowsError(try run(["--format", "sql", "--json"], on: []))
    XCTAssertThrowsError(try run(["--format", "xls", "-o", "x"], on: []))
  }

  func testExportSummaryIsJSONOnRequest() throws {
    let path = try temporaryFolder().appendingPathComponent("out").path
    let result = try run(["--format", "csv", "-o", path, "--json"], on: QueriedArchives.zoo())
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    XCTAssertEqual(document?["objects"] as? Int, 4)
    XCTAssertEqual(document?["output"] as? String, path)
    XCTAssertEqual(document?["exported"] as? String, "csv")
  }

  func testUncreatableFolderIsAnOutputError() throws {
    let result = try run(["--format", "csv", "-o", "/dev/null/out"], on: QueriedArchives.zoo())
    XCTAssertEqual(result.status, .outputError)
    XCTAssertEqual(
      result.errors, "arcdump: cannot create the folder '/dev/null/out': Not a directory\n")
  }

  /// A string of one megabyte in a million rows would be a terabyte of output.
  func testExportBeyondTheByteLimitIsRefused() throws {
    let limit = ExportLimit(byteLimit: 1 << 17)
    let output = limit.output { _ in }
    try output.write(Array(repeating: 0, count: 1 << 17))
    XCTAssertNoThrow(try limit.check())
    try output.write(Array(repeating: 0, count: 1 << 16))
    XCTAssertThrowsError(try limit.check()) { XCTAssertEqual(($0 as? ArchiveError)?.code, .limitExceeded) }
  }
}
