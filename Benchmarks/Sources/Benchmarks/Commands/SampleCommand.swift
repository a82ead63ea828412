import ArgumentParser
import Foundation

/// Times one call in a fresh process, for `ColdProcess`.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sample", shouldDisplay: false)

  @Option(help: "The workload's name.")
  var workload: String
  @Option(help: "The number of objects.")
  var count: Int
  @Option(help: "The operation.")
  var operation: Operation
  @Option(help: "The contender's whole name.")
  var contender: String
  @Option(help: "The file with the bytes to read.")
  var input: String?

  func run() throws {
    guard let type = WorkloadCatalog.all.first(where: { $0.name == workload }),
      let contender = type.init(count: count).contenders.first(where: {
        $0.name == self.contender && $0.operation == operation
      })
    else { throw ValidationError("no such contender") }
    let bytes = try input.map { try Array(Data(contentsOf: URL(fileURLWithPath: $0))) } ?? []
    let (timing, memory) = try contender.prepare(bytes).gauge()
    let report = try JSONEncoder().encode(ColdProcess.Sample(timing: timing, memory: memory))
    FileHandle.standardOutput.write(report)
  }
}
