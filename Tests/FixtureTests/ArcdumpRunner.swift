import ArgumentParser
import XCTest

@testable import ArcInspection

/// Runs a command line of `arcdump` in this process, with files in memory. Returns the printed text.
func arcdump(
  _ arguments: [String], on files: [String: [UInt8]]
) throws -> (output: String, status: ExitStatus) {
  final class Collector { var bytes: [UInt8] = [] }
  let command = try XCTUnwrap(try Arcdump.parseAsRoot(arguments) as? any InspectionCommand)
  let (output, errors) = (Collector(), Collector())
  let console = Console(
    output: Output { output.bytes += $0 }, errors: Output { errors.bytes += $0 }, isTerminal: false,
    environment: { _ in nil }, read: { path, _ in files[path] ?? [] })
  let status = command.inspect(with: console)
  XCTAssertEqual(String(decoding: errors.bytes, as: UTF8.self), "", "\(arguments)")
  return (String(decoding: output.bytes, as: UTF8.self), status)
}

/// Returns the output of `arcdump FILE` with these options.
func tree(of bytes: [UInt8], as options: String...) throws -> String {
  let result = try arcdump(["tree"] + options + ["test.arc"], on: ["test.arc": bytes])
  XCTAssertEqual(result.status, .ok)
  return result.output
}
