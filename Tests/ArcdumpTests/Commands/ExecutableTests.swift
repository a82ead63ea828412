import ArcArchive
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcInspection

/// Exit codes and streams of the built program. It is in the folder of the test bundle.
final class ExecutableTests: XCTestCase {
  func testExitCodesMatchTheOutcomes() throws {
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

  func testErrorForUnknownCommandListsTheCommands() throws {
    let archive = try temporaryFile(SampleArchives.family())
    let result = try launch(["frobnicate", archive])
    XCTAssertEqual(result.status, 64)
    XCTAssertTrue(
      result.errors.hasPrefix("Error: There is no command 'frobnicate'. The commands are tree, info,"),
      result.errors)
    XCTAssertTrue(
      result.errors.contains("To show a file 'frobnicate', run arcdump tree frobnicate."), result.errors)
    // The name of the first of two files is not reported as an unknown command.
    XCTAssertTrue(try launch([archive, archive]).errors.contains("nexpected argument"), result.errors)
    XCTAssertTrue(
      try launch(["frobnicate", archive, "--json"]).output.contains("There is no command 'frobnicate'"))
  }

  func testVerifyCommandChecksLinksOfDataSetFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("set-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = folder.appendingPathComponent("_arc/manifest.arc")
    try FileManager.default.createDirectory(
      at: manifest.deletingLastPathComponent(), withIntermediateDirectories: true)
    XCTAssertEqual(try launch(["verify", folder.path]).status, 66)
    func write(_ linkRow: UInt32) throws {
      var shards: [(shard: ShardManifest.Shard, sortedBy: String?)] = []
      for (number, row) in [linkRow, 1].enumerated() {
        let path = "part-\(number).arc"
        let url = folder.appendingPathComponent(path)
        try Data(SampleArchives.shard(linkingTo: row, ofShard: 1 - UInt32(number))).write(to: url)
        shards.append(try ShardManifest.Shard.describing(ArchiveFile(path: url.path), path: path))
      }
      try Data(ShardManifest(shards, dataSetID: UUID().uuidString).archive()).write(to: manifest)
    }
    try write(1)
    let ok = try launch(["verify", folder.path])
    XCTAssertEqual(ok.errors, "")
    XCTAssertTrue(ok.output.hasPrefix("ok: 2 shards, 2 objects, "), ok.output)
    let json = try launch(["verify", "--json", folder.path]).output
    let members = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    XCTAssertEqual(members?["shards"] as? Int, 2)
    try write(2)
    let dangling = try launch(["verify", folder.path])
    XCTAssertEqual(dangling.status, 65)
    XCTAssertTrue(dangling.errors.contains("part-0.arc: danglingReference"), dangling.errors)
    try write(1)
    let shard = folder.appendingPathComponent("part-1.arc")
    try Data(SampleArchives.shard(linkingTo: 1, ofShard: 0)).write(to: shard)
    let other = try launch(["verify", folder.path])
    XCTAssertEqual(other.status, 65)
    XCTAssertTrue(other.errors.contains("part-1.arc: wrongShard"), other.errors)
    try FileManager.default.removeItem(at: shard)
    XCTAssertEqual(try launch(["verify", folder.path]).status, 65)
    try write(1)
    let outside = try temporaryFile(Array(Data(contentsOf: shard)))
    try FileManager.default.removeItem(at: shard)
    try FileManager.default.createSymbolicLink(atPath: shard.path, withDestinationPath: outside)
    XCTAssertTrue(try launch(["verify", folder.path]).errors.contains("a symbolic link to"))
    // A manifest that is a symbolic link is also refused. If it is a pipe, the command does not wait for
    // data.
    let elsewhere = try temporaryFile(Array(Data(contentsOf: manifest)))
    try FileManager.default.removeItem(at: manifest)
    try FileManager.default.createSymbolicLink(atPath: manifest.path, withDestinationPath: elsewhere)
    XCTAssertTrue(try launch(["verify", folder.path]).errors.contains("a symbolic link to"))
    try FileManager.default.removeItem(at: manifest)
    XCTAssertEqual(try shell("mkfifo '\(manifest.path)'").status, 0)
    XCTAssertTrue(try launch(["verify", folder.path]).errors.contains("not refer to a regular file"))
  }

  func testDashArgumentReadsStandardInput() throws {
    let archive = try temporaryFile(SampleArchives.family())
    let result = try launch(["verify", "-"], input: archive)
    XCTAssertEqual(result.status, 0)
    XCTAssertTrue(result.output.hasPrefix("ok: 3 objects"), result.output)
  }

  func testErrorsArePrintedToStandardError() throws {
    let result = try launch(["verify", temporaryFile(Array("short\n".utf8))])
    XCTAssertEqual(result.output, "")
    XCTAssertTrue(
      result.errors.contains("notAnArchive: found a file that begins with the bytes 73 68 6F 72 74 0A"),
      result.errors)
    let cut = try launch(["verify", temporaryFile([0x8A, 0x41, 0x52])])
    XCTAssertTrue(cut.errors.contains("truncated: found a file of 3 bytes"), cut.errors)
  }

  func testClosedPipeSucceedsButFullDiskFails() throws {
    let archive = try temporaryFile(SampleArchives.chain(20_000))
    let program = try program().path
    XCTAssertEqual(try shell("'\(program)' '\(archive)' | head -n 1; exit ${PIPESTATUS[0]}").status, 0)
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try shell("'\(program)' '\(archive)' > /dev/full")
    XCTAssertEqual(result.status, 74)
    XCTAssertEqual(result.errors, "arcdump: cannot write: No space left on device\n")
  }

  func testUnwritableHelpIsAnError() throws {
    try XCTSkipUnless(FileManager.default.fileExists(atPath: "/dev/full"))
    let program = try program().path
    let lines = ["--help", "--version", "help", "help tree", "tree --help", "man", "completions bash"]
    for arguments in RandomTrials.sample(of: lines, oneIn: 3) {
      let result = try shell("'\(program)' \(arguments) > /dev/full")
      XCTAssertEqual(result.status, 74, arguments)
      XCTAssertEqual(result.errors, "arcdump: cannot write: No space left on device\n", arguments)
      XCTAssertEqual(try shell("'\(program)' \(arguments) | true; exit ${PIPESTATUS[0]}").status, 0)
    }
  }

  func testArchiveIsCompleteDespiteAnUnwritableReport() throws {
    try XCTSkipUnless(FileManager.default.fileExists(atPath: "/dev/full"))
    let program = try program().path
    let (archive, table) = (
      try temporaryFile(SampleArchives.family()), try temporaryFile(Array("a\n1\n".utf8))
    )
    for (number, line) in [
      "recover '\(archive)'", "import --format csv '\(table)' --report",
      "import --format csv '\(table)' --json",
    ].enumerated() {
      let output = "\(archive).\(number)"
      let result = try shell("'\(program)' \(line) -o '\(output)' > /dev/full")
      XCTAssertEqual(result.status, 74, line)
      XCTAssertEqual(
        result.errors,
        "arcdump: cannot write: No space left on device; the archive '\(output)' is complete\n", line)
      XCTAssertEqual(try launch(["verify", output]).status, 0, line)
      let unread = try shell("'\(program)' \(line) -o '\(output).pipe' | true; exit ${PIPESTATUS[0]}")
      XCTAssertEqual(unread.status, 0, line)
    }
  }

  func testUsageErrorsAreWrittenAsJSONOnRequest() throws {
    for arguments in [
      ["info", "--json", "--nonsense", "a.arc"], ["tree", "--json-lines"], ["--json"],
      ["tree", "a.arc", "--json", "--depth", "2"], ["get", "a.arc", "a[", "--json"],
      ["import", "a.csv", "--json"], ["encoding", "--json", "--target", "none"],
    ] {
      let result = try launch(arguments)
      XCTAssertEqual(result.status, 64, "\(arguments)")
      XCTAssertEqual(result.errors, "", "\(arguments)")
      let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      let error = try XCTUnwrap(document?["error"] as? [String: Any])
      XCTAssertEqual(error["code"] as? String, "usage", "\(arguments)")
      XCTAssertFalse((error["message"] as? String ?? "").isEmpty, "\(arguments)")
    }
    let text = try launch(["tree", "--", "--json", "--json"])
    XCTAssertEqual(text.status, 64)
    XCTAssertEqual(text.output, "")
    XCTAssertTrue(text.errors.contains("Usage: arcdump tree"), text.errors)
  }

  func testErrorMessagesNameTheArgumentsOfTheUser() throws {
    let archive = try temporaryFile(SampleArchives.family())
    let folder = (archive as NSString).deletingLastPathComponent
    let gone = folder + "/none/x"
    let unpacked = "give the path of a file"
    let cases: [([String], Int32, String)] = [
      (["tree", folder], 66, "arcdump: \(folder): Is a directory; \(unpacked)\n"),
      (["tree", ""], 66, "arcdump: '': No such file or directory\n"),
      (["recover", archive, "-o", folder], 74, "found an existing folder '\(folder)'"),
      (["recover", archive, "-o", ""], 64, "Name the output with -o OUT: the name is empty."),
      (
        ["export", archive, "--format", "csv", "-o", ""], 64,
        "Name the output with -o OUT: the name is empty."
      ),
      (
        ["export", archive, "--format", "csv", "-o", gone], 74, "cannot create the folder '\(gone)': No such"
      ),
      (["export", archive, "--format", "sql", "-o", gone], 74, "'\(gone)'; check the path"),
      (["tree", archive, "--depth", "-1"], 64, "--depth must not be negative."),
      (["find", archive, "*", "--limit", "-1"], 64, "--limit must not be negative."),
    ]
    for (arguments, status, message) in cases {
      let result = try launch(arguments)
      XCTAssertEqual(result.status, status, "\(arguments)")
      XCTAssertTrue(result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }

  func testFailedOutputFileIsNotReportedAsCreated() throws {
    let archive = try temporaryFile(SampleArchives.chain(20_000))
    let output = archive + ".jsonl"
    // The shell limits files to one kilobyte.
    let result = try shell(
      "trap '' XFSZ; ulimit -f 1; '\(program().path)' export '\(archive)' --format jsonl -o '\(output)' 2>&1 | cat"
    )
    XCTAssertTrue(
      result.output.contains("on the attempt to create '\(output)' (no file was created)"), result.output)
    XCTAssertFalse(FileManager.default.fileExists(atPath: output))
  }

  func testPagerShowsTerminalOutputWithoutChangingExitCode() throws {
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
    // The command uses no pager if the output is a pipe.
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

  /// Runs a program. Its output goes to files, because a full pipe would block the program.
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
