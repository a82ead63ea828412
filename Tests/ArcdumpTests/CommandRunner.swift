import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

/// The output, errors and exit code of a command.
struct CommandResult: Equatable {
  var output: String
  var errors = ""
  var status = ExitStatus.ok
}

/// Parses a command line for the file `test.arc`.
func command(_ arguments: [String]) throws -> any InspectionCommand {
  let command = try Arcdump.parseAsRoot(arguments + ["test.arc"])
  return try XCTUnwrap(command as? any InspectionCommand)
}

/// Runs a command line in this process. `bytes` are the contents of the file.
func arcdump(
  _ arguments: String..., on bytes: [UInt8], isTerminal: Bool = false, environment: [String: String] = [:]
) throws -> CommandResult {
  try command(arguments).result(isTerminal: isTerminal, environment: environment) { _, _ in bytes }
}

extension InspectionCommand {
  /// Runs the command in this process. `read` returns the bytes of each file.
  func result(
    isTerminal: Bool = false, environment: [String: String] = [:],
    read: @escaping (String, Int) throws -> [UInt8]
  ) -> CommandResult {
    CommandResult(of: inspect(with:), isTerminal: isTerminal, environment: environment, read: read)
  }
}

extension CommandResult {
  private final class Collector { var bytes: [UInt8] = [] }

  /// Runs a command with a console in memory. `read` returns the bytes of each file.
  init<Failure: Error>(
    of run: (Console) throws(Failure) -> ExitStatus, isTerminal: Bool = false,
    environment: [String: String] = [:], read: @escaping (String, Int) throws -> [UInt8]
  ) throws(Failure) {
    let (output, errors) = (Collector(), Collector())
    let console = Console(
      output: Output { output.bytes += $0 }, errors: Output { errors.bytes += $0 }, isTerminal: isTerminal,
      environment: { environment[$0] }, read: read)
    status = try run(console)
    self.output = String(decoding: output.bytes, as: UTF8.self)
    self.errors = String(decoding: errors.bytes, as: UTF8.self)
  }

  /// Runs a command with a console and files in memory. Any other file is missing.
  init<Failure: Error>(
    of run: (Console) throws(Failure) -> ExitStatus, files: [String: [UInt8]]
  ) throws(Failure) {
    try self.init(of: run) { path, _ in
      guard let bytes = files[path] else { throw InputFailure(number: ENOENT) }
      return bytes
    }
  }
}

extension ArchiveWritingCommand {
  /// Runs the command, which writes the archive `out.arc`, with a console and files in memory.
  func result(files: [String: [UInt8]]) -> (result: CommandResult, archive: [UInt8]?) {
    var archive: [UInt8]?
    let result = CommandResult(
      of: { console in
        run(with: console) { bytes, path in
          XCTAssertEqual(path, "out.arc")
          archive = bytes
        }
      }, files: files)
    return (result, archive)
  }
}
