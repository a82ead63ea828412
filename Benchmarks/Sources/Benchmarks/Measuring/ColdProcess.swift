import Foundation

/// Runs one call of a contender in a new process, in which it is the first call.
struct ColdProcess {
  /// The measurement of one process.
  struct Sample: Codable {
    let timing: Timing
    let memory: MemoryUse
  }

  private let arguments: [String]
  private let input: TemporaryFile?

  init(_ contender: Contender, workload: String, count: Int) throws {
    input = try contender.makeInput.map { try TemporaryFile($0()) }
    var arguments = ["sample", "--workload", workload, "--count", String(count)]
    arguments += ["--operation", contender.operation.rawValue, "--contender", contender.name]
    if let input { arguments += ["--input", input.url.path] }
    self.arguments = arguments
  }

  /// Starts the process, which prepares everything, times one call and reports the measurement.
  func sample() throws -> Sample {
    guard let executable = Bundle.main.executableURL else {
      throw WrongResult(description: "this process does not know its executable")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let report = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw WrongResult(description: "'\(arguments.joined(separator: " "))' failed")
    }
    return try JSONDecoder().decode(Sample.self, from: report)
  }
}

/// A file that is removed when the last reference to this object is released.
private final class TemporaryFile {
  let url: URL

  init(_ bytes: [UInt8]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("arc-benchmark-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
