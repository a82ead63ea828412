import ArgumentParser
import Foundation

/// Measures all or some workloads, and reports the results.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures all workloads and prints a table; also as JSON and as a chart.")

  @Option(help: "Workloads to run whose names start so, separated by commas; all by default.")
  var workload: String?
  @Option(help: "archive or unarchive; both by default.")
  var operation: Operation?
  @Option(help: "Contenders to run, by the parts of their names before a comma; all by default.")
  var peer: String?
  @Option(help: "A factor on the number of objects.")
  var scale = 1.0
  @Option(help: "How often each contender is timed in one process.")
  var rounds = 7
  @Option(help: "In how many fresh processes each contender is timed.")
  var coldRounds = 3
  @Flag(inversion: .prefixedNo, help: "Whether to time first calls in fresh processes.")
  var cold = true
  @Flag(inversion: .prefixedNo, help: "Whether to run workloads of 1,000 objects too.")
  var inCache = true
  @Flag(help: "A tenth of the objects, three rounds, warm only.")
  var quick = false
  @Option(help: "The file for all figures; by default Results/results.json of this package.")
  var json: String?
  @Option(help: "The file for the chart; by default Results/chart.svg of this package.")
  var chart: String?

  mutating func validate() throws {
    guard scale > 0, rounds > 0, coldRounds > 0 else { throw ValidationError("counts must be above zero") }
    if quick { (scale, rounds, cold, inCache) = (scale / 10, 3, false, false) }
  }

  func run() throws {
    var results = Results()
    for type in WorkloadCatalog.all where isWanted(type) {
      let fullCount = type.fullCount == 1 ? 1 : max(Int(Double(type.fullCount) * scale), 1000)
      results.cells += try measure(type, count: fullCount, isInCache: false)
      if inCache, fullCount > 1000 { results.cells += try measure(type, count: 1000, isInCache: true) }
    }
    if isWanted(PeopleWorkload.self), peer == nil {
      results.sizes = try ArchiveSize.ofPeople(
        count: max(Int(Double(PeopleWorkload.fullCount) * scale), 1000))
    }
    results.judge(Goal.all)
    print("\(results.machine)\n\n\(results.tables)")
    try write(results)
  }

  /// Measures all cells of one workload.
  private func measure(_ type: any Workload.Type, count: Int, isInCache: Bool) throws -> [Cell] {
    let contenders = type.init(count: count).contenders.filter(isWanted)
    return try Operation.allCases.filter { operation == nil || operation == $0 }.flatMap { operation in
      let contest = Contest(contenders: contenders.filter { $0.operation == operation }, rounds: rounds)
      note("\(type.name), \(count), \(operation.rawValue)")
      let warm = try contest.runWarm()
      var cells = Cell.all(warm, workload: type.name, temperature: .warm, isInCache: isInCache)
      guard cold else { return cells }
      note("\(type.name), \(count), \(operation.rawValue), cold")
      let objectContenders = contest.contenders.filter { $0.role != .bytes }
      let first = try Contest(contenders: objectContenders, rounds: coldRounds)
        .runCold(of: type.name, count: count)
      cells += Cell.all(first, workload: type.name, temperature: .cold, isInCache: isInCache)
      return cells
    }
  }

  /// Writes the files that the README shows after a complete run. Parts of a run are written only to given
  /// paths.
  private func write(_ results: Results) throws {
    let isWhole = workload == nil && operation == nil && peer == nil && scale == 1 && cold && inCache
    if let url = try file(json, orElse: isWhole ? "results.json" : nil) { try results.write(to: url) }
    if let url = try file(chart, orElse: isWhole ? "chart.svg" : nil) {
      try Data(results.chart.svg.utf8).write(to: url)
    }
  }

  private func file(_ path: String?, orElse name: String?) throws -> URL? {
    guard let path else { return try name.map { try ResultFolder.file($0) } }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    return url
  }

  private func isWanted(_ type: any Workload.Type) -> Bool {
    guard let workload else { return true }
    return workload.split(separator: ",").contains { type.name.hasPrefix($0) }
  }

  private func isWanted(_ contender: Contender) -> Bool {
    guard let peer else { return true }
    return peer.split(separator: ",").contains { contender.name == $0 || contender.name.hasPrefix($0 + ",") }
  }

  /// Prints on standard error what is being measured.
  private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

/// The folder for results in the package.
enum ResultFolder {
  /// Returns a file in the folder. Creates the folder if necessary.
  static func file(_ name: String) throws -> URL {
    // The path components below the package are Sources, Benchmarks, Commands and this file.
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = package.appendingPathComponent("Results")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent(name)
  }
}
