import ArgumentParser
import Foundation

/// How fast JSON becomes models and models become JSON, beside Foundation.
struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models", abstract: "Times reading and writing JSON, beside JSONDecoder and JSONEncoder.")

  @Option(help: "About how many bytes each text has.")
  var bytes = 4_000_000
  @Option(help: "How often each way is timed, in turn.")
  var rounds = 5
  @Option(
    help:
      "Part of the title of what is timed, as 'people read' or 'copy one'; 'one' for all of single objects.")
  var only = ""
  @Flag(help: "Time Arc alone, for a profiler.")
  var alone = false

  func run() throws {
    print("MB/s of JSON, best of \(rounds) rounds; in brackets how many times Foundation's.")
    let workloads = ModelWorkload.all(bytes: bytes)
    for workload in workloads {
      try report(workload.name + " read", workload.readers, of: workload)
      try report(workload.name + " write", workload.writers, of: workload)
    }
    guard only.isEmpty || only.hasSuffix("one") else { return }
    print("Nanoseconds for each person and its address, alone; in brackets the part of the second way's.")
    let single = try SingleModels(count: 2000)
    for (name, ways) in single.contests where isTimed("\(name) one") {
      let ways = contenders(ways)
      let best = try Self.bestSeconds(ways, rounds: rounds)
      let figures = zip(ways, best).map { way, seconds in
        let part = seconds / best[min(1, best.count - 1)]
        return "\(way.name) "
          + String(format: "%.0f (%.2f)", seconds / Double(single.count) * 1e9, part)
      }
      print("\(name) one: \(figures.joined(separator: ", "))")
    }
    guard only.isEmpty else { return }
    try reportMemory(workloads)
    try reportHostileTexts()
  }

  private func isTimed(_ title: String) -> Bool { only.isEmpty || title.contains(only) }

  private func contenders(_ ways: [ModelWorkload.Way]) -> [ModelWorkload.Way] {
    alone ? Array(ways.prefix(1)) : ways
  }

  /// The time of this thread that each way takes, in seconds: the fastest of several rounds in turn.
  static func bestSeconds(_ ways: [ModelWorkload.Way], rounds: Int) throws -> [Double] {
    var best = [Double](repeating: .infinity, count: ways.count)
    // Once before, which makes what is made when it is first asked for.
    for way in ways { _ = try way.run() }
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() { best[index] = min(best[index], try seconds(way.run)) }
    }
    return best
  }

  private func report(_ title: String, _ ways: [ModelWorkload.Way], of workload: ModelWorkload) throws {
    guard isTimed(title) else { return }
    let bytes = try workload.text.value().count
    let ways = contenders(ways)
    let best = try Self.bestSeconds(ways, rounds: rounds)
    let peer = best[min(1, best.count - 1)]
    let figures = zip(ways, best).map { way, seconds in
      "\(way.name) " + String(format: "%.0f (%.1f)", Double(bytes) / seconds / 1e6, peer / seconds)
    }
    print("\(title): \(figures.joined(separator: ", "))")
  }

  /// The time of this thread that a call takes, without letting its result go.
  private static func seconds(_ body: () throws -> Any) rethrows -> Double {
    let start = now()
    let result = try body()
    let end = now()
    withExtendedLifetime(result) {}
    return end - start
  }

  /// The time of this thread, in seconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
