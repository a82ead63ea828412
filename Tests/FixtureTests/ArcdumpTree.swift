import ArgumentParser
import XCTest

@testable import ArcInspection

/// What `arcdump FILE` prints for an archive, with these options.
func tree(of bytes: [UInt8], as options: String...) throws -> String {
  final class Collector { var bytes: [UInt8] = [] }
  let arguments = ["tree"] + options + ["test.arc"]
  let command = try XCTUnwrap(try Arcdump.parseAsRoot(arguments) as? any InspectionCommand)
  let (output, errors) = (Collector(), Collector())
  let console = Console(
    output: Output { output.bytes += $0 }, errors: Output { errors.bytes += $0 }, isTerminal: false,
    environment: { _ in nil }, read: { _, _ in bytes })
  XCTAssertEqual(command.inspect(with: console), .ok)
  XCTAssertEqual(String(decoding: errors.bytes, as: UTF8.self), "")
  return String(decoding: output.bytes, as: UTF8.self)
}
