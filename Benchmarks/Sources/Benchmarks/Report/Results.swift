import Foundation

/// All measurements of a run, as in the JSON file.
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

  /// Returns the cell of a contender. Nil if it was not measured.
  func cell(
    _ workload: String, _ operation: Operation, _ contender: String, temperature: Cell.Temperature = .warm,
    isInCache: Bool = false
  ) -> Cell? {
    cells.first {
      $0.workload == workload && $0.operation == operation && $0.contender == contender
        && $0.temperature == temperature && $0.isInCache == isInCache
    }
  }

  /// Writes the results as JSON.
  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(self).write(to: url)
  }
}
