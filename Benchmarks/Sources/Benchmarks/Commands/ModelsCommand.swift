import ArgumentParser
import Foundation

/// Measures reading models from JSON and writing models as JSON, compared with Foundation.
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
    print(
      "Nanoseconds for each person and its address, alone; in brackets the part of the second way's."
    )
    let single = try SingleModels(count: 2000)
    for (name, implementations) in single.contests where isTimed("\(name) one") {
      let implementations = contenders(implementations)
      let best = try Self.bestSeconds(implementations, rounds: rounds)
      let figures = zip(implementations, best).map { implementation, seconds in
        let part = seconds / best[min(1, best.count - 1)]
        return "\(implementation.name) "
          + String(format: "%.0f (%.2f)", seconds / Double(single.count) * 1e9, part)
      }
      print("\(name) one: \(figures.joined(separator: ", "))")
    }
    guard only.isEmpty else { return }
    try reportMemory(workloads)
    try reportHostileTexts()
  }

  private func isTimed(_ title: String) -> Bool { only.isEmpty || title.contains(only) }

  private func contenders(_ implementations: [ModelWorkload.Implementation]) -> [ModelWorkload.Implementation]
  {
    alone ? Array(implementations.prefix(1)) : implementations
  }

  /// The thread time of each implementation in seconds: the minimum of several rounds, in turn.
  static func bestSeconds(_ implementations: [ModelWorkload.Implementation], rounds: Int) throws -> [Double] {
    var best = [Double](repeating: .infinity, count: implementations.count)
    // The first call, which is not timed, creates everything that is created on first use.
    for implementation in implementations { _ = try implementation.run() }
    for _ in 0..<rounds {
      for (index, implementation) in implementations.enumerated() {
        best[index] = min(best[index], try seconds(implementation.run))
      }
    }
    return best
  }

  private func report(
    _ title: String, _ implementations: [ModelWorkload.Implementation], of workload: ModelWorkload
  ) throws {
    guard isTimed(title) else { return }
    let bytes = try workload.text.value().count
    let implementations = contenders(implementations)
    let best = try Self.bestSeconds(implementations, rounds: rounds)
    let peer = best[min(1, best.count - 1)]
    let figures = zip(implementations, best).map { implementation, seconds in
      "\(implementation.name) " + String(format: "%.0f (%.1f)", Double(bytes) / seconds / 1e6, peer / seconds)
    }
    print("\(title): \(figures.joined(separator: ", "))")
  }

  /// The thread time of a call, without the time for freeing its result.
  private static func seconds(_ body: () throws -> Any) rethrows -> Double {
    let start = now()
    let result = try body()
    let end = now()
    withExtendedLifetime(result) {}
    return end - start
  }

  /// The CPU time of this thread, in seconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
