import ArcTestSupport
import XCTest

@testable import ArcInspection

/// Exit codes and streams of the built program, which stands beside the test bundle.
final class ExecutableTests: XCTestCase {
  func testExitCodes() throws {
    let archive = try temporaryFile(SampleArchives.family())
    let damaged = try temporaryFile(Array(SampleArchives.family().dropLast()))
    XCTAssertEqual(try launch([archive]).status, 0)
    XCTAssertEqual(try launch(["verify", archive]).status, 0)
    XCTAssertEqual(try launch(["verify", damaged]).status, 65)
    XCTAssertEqual(try launch([archive + ".missing"]).status, 66)
    XCTAssertEqual(try launch([(archive as NSString).deletingLastPathComponent]).status, 66)
    XCTAssertEqual(try launch([]).status, 64)
    XCTAssertEqual(try launch(["info", "--nonsense", archive]).status, 64)
    XCTAssertEqual(try launch(["--help"]).status, 0)
    XCTAssertEqual(try launch(["--version"]).output, "arcdump of Arc, for files of format 1.0\n")
  }

  func testDashIsStandardInput() throws {
    let archive = try temporaryFile(SampleArchives.family())
    let result = try launch(["verify", "-"], input: archive)
    XCTAssertEqual(result.status, 0)
    XCTAssertTrue(result.output.hasPrefix("ok: 3 objects"), result.output)
  }

  func testDiagnosticsGoToStandardError() throws {
    let result = try launch(["verify", temporaryFile(Array("short\n".utf8))])
    XCTAssertEqual(result.output, "")
    XCTAssertTrue(result.errors.contains("notAnArchive: found bytes 73 68 6F 72 74 0A"), result.errors)
    let cut = try launch(["verify", temporaryFile([0x8A, 0x41, 0x52])])
    XCTAssertTrue(cut.errors.contains("truncated: found a file of 3 bytes"), cut.errors)
  }

  func testClosedPipeIsNoErrorAndFullDiskIs() throws {
    let archive = try temporaryFile(SampleArchives.chain(20_000))
    let program = try program().path
    XCTAssertEqual(try shell("'\(program)' '\(archive)' | head -n 1; exit ${PIPESTATUS[0]}").status, 0)
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try shell("'\(program)' '\(archive)' > /dev/full")
    XCTAssertEqual(result.status, 74)
    XCTAssertEqual(result.errors, "arcdump: cannot write: No space left on device\n")
  }

  func testOutputOnATerminalIsPagedWithTheSameExitCode() throws {
    try XCTSkipUnless(FileManager.default.isExecutableFile(atPath: "/usr/bin/script"))
    let archive = try temporaryFile(SampleArchives.family())
    let damaged = try temporaryFile(Array(SampleArchives.family().dropLast()))
    let program = try program().path
    func onTerminal(_ arguments: String) throws -> Run {
      try shell("PAGER='sed s/^/page:/' script -qec '\(program) \(arguments)' /dev/null")
    }
    let paged = try onTerminal("verify \(archive)")
    XCTAssertEqual(paged.status, 0)
    XCTAssertTrue(paged.output.hasPrefix("page:ok: 3 objects"), paged.output)
    XCTAssertTrue(try onTerminal("verify --no-pager \(archive)").output.hasPrefix("ok: 3 objects"))
    XCTAssertEqual(try onTerminal("tree \(damaged)").status, 65)
    // Not in a pipe.
    XCTAssertTrue(try shell("PAGER=false '\(program)' verify '\(archive)' | cat").output.hasPrefix("ok: "))
  }

  private struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  private func program() throws -> URL {
    let directory = Bundle(for: Self.self).bundleURL.deletingLastPathComponent()
    let candidates = [directory, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
      .map { $0.appendingPathComponent("arcdump") }
    return try XCTUnwrap(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }

  private func launch(_ arguments: [String], input: String? = nil) throws -> Run {
    try launch(program(), arguments, input: input)
  }

  private func shell(_ command: String) throws -> Run {
    try launch(URL(fileURLWithPath: "/bin/bash"), ["-c", command])
  }

  /// Output goes through files: a pipe that nobody empties yet would stop the program.
  private func launch(_ program: URL, _ arguments: [String], input: String? = nil) throws -> Run {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let (output, errors) = (try temporaryFile([]), try temporaryFile([]))
    process.standardOutput = try XCTUnwrap(FileHandle(forWritingAtPath: output))
    process.standardError = try XCTUnwrap(FileHandle(forWritingAtPath: errors))
    process.standardInput = try XCTUnwrap(FileHandle(forReadingAtPath: input ?? "/dev/null"))
    try process.run()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  private func temporaryFile(_ bytes: [UInt8]) throws -> String {
    let url = try temporaryFolder().appendingPathComponent("a.arc")
    try Data(bytes).write(to: url)
    return url.path
  }
}
