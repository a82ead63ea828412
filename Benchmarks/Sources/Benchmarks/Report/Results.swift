import Foundation

/// All that a run found, as it is written to the JSON file.
struct Results: Codable {
  let machine: String
  var cells: [Cell] = []
  var sizes: [ArchiveSize] = []
  var goals: [GoalOutcome] = []

  init() {
    let information = ProcessInfo.processInfo
    let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    machine =
      "\(processor ?? "unknown processor"), \(information.activeProcessorCount) cores, "
      + information.operatingSystemVersionString
  }

  /// The cell of a contender, if it was measured.
  func cell(
    _ workload: String, _ operation: Operation, _ contender: String, temperature: Cell.Temperature = .warm,
    isInCache: Bool = false
  ) -> Cell? {
    cells.first {
      $0.workload == workload && $0.operation == operation && $0.contender == contender
        && $0.temperature == temperature && $0.isInCache == isInCache
    }
  }

  /// Writes everything as JSON.
  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(self).write(to: url)
  }
}
