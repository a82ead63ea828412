import ArgumentParser

/// Measures how each feature of the mapping changes the speed of reading and writing JSON.
struct FeaturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Times reading and writing JSON for each feature of the mapping, beside plain objects.")

  @Option(help: "How many objects each text has.")
  var count = 10_000
  @Option(help: "How often each way is timed, in turn.")
  var rounds = 15
  @Option(
    help: "Part of the name of what is timed, as 'URL' or 'lenient'; 'API model' and 'calls' for the others.")
  var only = ""

  func validate() throws {
    guard count > 0, rounds > 0 else { throw ValidationError("counts must be above zero") }
  }

  func run() throws {
    try reportFeatures()
    if isTimed("API model") { try reportAPI() }
    if isTimed("calls") { try reportCalls() }
  }

  private func isTimed(_ name: String) -> Bool { only.isEmpty || name.contains(only) }

  /// Prints the speed with each feature, and its ratio to the speed without any feature.
  private func reportFeatures() throws {
    let all = Feature.all(count: count)
    guard all.contains(where: { isTimed($0.name) }), let plain = all.first else { return }
    // The feature to which all others are compared is always timed.
    let features = [plain] + all.dropFirst().filter { isTimed($0.name) }
    for feature in features { try feature.verify() }
    let read = try speeds(features.map(\.reading), of: features.map { try $0.text.value().count })
    let writers = features.filter(\.isWriterTimed)
    let written = try speeds(writers.map(\.writing), of: writers.map { try $0.written.value().count })
    let writtenByName = Dictionary(uniqueKeysWithValues: zip(writers.map(\.name), written))
    var table = MarkdownTable(
      ["feature", "read MB/s", "of plain", "written MB/s", "of plain"], leftAligned: [0])
    for (feature, speed) in zip(features, read) {
      let writing = writtenByName[feature.name]
      table.append([
        feature.name, speed.short, (speed / read[0]).short, writing?.short ?? "–",
        writing.map { ($0 / written[0]).short } ?? "–",
      ])
    }
    print(table.text)
  }

  /// Prints the speed with a model that uses several features, and its ratio to Foundation's speed.
  private func reportAPI() throws {
    let workload = APIWorkload(count: count)
    try workload.verify()
    let byteCount = try workload.text.value().count
    var table = MarkdownTable(["API model", "MB/s", "times Foundation"], leftAligned: [0])
    for implementations in [workload.readers, workload.writers] {
      // All speeds refer to the same text, even if Foundation writes more bytes.
      let figures = try speeds(implementations, of: implementations.map { _ in byteCount })
      for (implementation, speed) in zip(implementations, figures) {
        table.append([implementation.name, speed.short, (speed / figures[figures.count - 1]).short])
      }
    }
    print("\n" + table.text)
  }

  /// Prints the time of calls that read or write one person.
  private func reportCalls() throws {
    let calls = try ModelCalls(count: 1000)
    try calls.verify()
    var table = MarkdownTable(["call", "µs"], leftAligned: [0])
    for implementations in [calls.readers, calls.writers] {
      for (implementation, seconds) in zip(
        implementations, try ModelsCommand.bestSeconds(implementations, rounds: rounds))
      {
        table.append([implementation.name, (seconds / Double(calls.count) * 1e6).short])
      }
    }
    print("\n" + table.text)
  }

  /// The megabytes per second that each implementation reads or writes.
  private func speeds(_ implementations: [ModelWorkload.Implementation], of byteCounts: [Int]) throws
    -> [Double]
  {
    zip(byteCounts, try ModelsCommand.bestSeconds(implementations, rounds: rounds)).map {
      Double($0) / $1 / 1e6
    }
  }
}
