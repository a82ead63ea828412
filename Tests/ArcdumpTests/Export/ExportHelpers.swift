import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// Exports an archive to standard output.
func export(_ format: String, _ arguments: String..., on bytes: [UInt8]) throws -> CommandResult {
  let line = ["export", "test.arc", "--format", format] + arguments
  guard let command = try Arcdump.parseAsRoot(line) as? any InspectionCommand else {
    return CommandResult(output: "", errors: "no command")
  }
  return command.result { _, _ in bytes }
}

/// The `sqlite3` shell, which runs exported statements.
enum SQLiteShell {
  private static let path = "/usr/bin/sqlite3"

  /// Returns the output of `sqlite3` for a query after some statements, with `|` between columns.
  ///
  /// - Throws: `XCTSkip` if `sqlite3` is not installed.
  static func answer(to query: String, after statements: String) throws -> String {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw XCTSkip("there is no \(path)")
    }
    return try withTemporaryFolder { folder in
      let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
      try Data((statements + "\n" + query + "\n").utf8).write(to: input)
      try Data().write(to: output)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = ["-bail", "-batch", ":memory:"]
      process.standardInput = try FileHandle(forReadingFrom: input)
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = process.standardOutput
      try process.run()
      process.waitUntilExit()
      return try String(contentsOf: output, encoding: .utf8)
    }
  }
}

/// Exports an archive to a folder. Returns the contents of its files, by name.
func exportFolder(_ format: String, _ arguments: String..., on bytes: [UInt8]) throws -> [String: String] {
  try withTemporaryFolder { folder in
    let path = folder.appendingPathComponent("out").path
    let line = ["export", "test.arc", "--format", format, "-o", path] + arguments
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(line) as? any InspectionCommand)
    let result = command.result { _, _ in bytes }
    XCTAssertEqual(result.errors, "")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["out"])
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      files[name] = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
    return files
  }
}
