import ArgumentParser
import XCTest

@testable import ArcInspection

/// What a command wrote and how it ended.
struct CommandResult: Equatable {
  var output: String
  var errors = ""
  var status = ExitStatus.ok
}

/// The command that a command line asks for; `test.arc` is its file.
func command(_ arguments: [String]) throws -> any InspectionCommand {
  let command = try Arcdump.parseAsRoot(arguments + ["test.arc"])
  return try XCTUnwrap(command as? any InspectionCommand)
}

/// Runs a command line in this process, with bytes in place of the file.
func arcdump(
  _ arguments: String..., on bytes: [UInt8], isTerminal: Bool = false, environment: [String: String] = [:]
) throws -> CommandResult {
  try command(arguments).result(isTerminal: isTerminal, environment: environment) { _, _ in bytes }
}

private final class Collector { var bytes: [UInt8] = [] }

extension InspectionCommand {
  /// Runs the command in this process; `read` stands for the file system.
  func result(
    isTerminal: Bool = false, environment: [String: String] = [:],
    read: @escaping (String, Int) throws -> [UInt8]
  ) -> CommandResult {
    let (output, errors) = (Collector(), Collector())
    let console = Console(
      output: Output { output.bytes += $0 }, errors: Output { errors.bytes += $0 }, isTerminal: isTerminal,
      environment: { environment[$0] }, read: read)
    let status = inspect(with: console)
    return CommandResult(
      output: String(decoding: output.bytes, as: UTF8.self),
      errors: String(decoding: errors.bytes, as: UTF8.self), status: status)
  }
}
