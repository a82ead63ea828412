/// The contenders for one operation of one workload, timed in turn: A B C A B C.
struct Contest {
  /// The measurements of one contender in all rounds.
  struct Entry {
    let contender: Contender
    /// Nanoseconds per object, one number per round.
    var samples: [Double] = []
    var byteCount = 0
    var memory: MemoryUse?
  }

  let contenders: [Contender]
  let rounds: Int

  /// Measures calls in this process, after one call of each contender whose result is checked.
  func runWarm() throws -> [Entry] {
    var entries = contenders.map { Entry(contender: $0) }
    let calls = try contenders.map { contender in
      let call = try contender.prepare(contender.makeInput?() ?? [])
      try call.verify()
      return (call, try Repetition(of: call))
    }
    for _ in 0..<rounds {
      for (index, (call, repetition)) in calls.enumerated() {
        let timing = try call.time(repetition.batches, repetition.callsPerBatch)
        entries[index].add(timing)
      }
    }
    return entries
  }

  /// Measures the first call in new processes, `rounds` processes per contender.
  func runCold(of workload: String, count: Int) throws -> [Entry] {
    var entries = contenders.map { Entry(contender: $0) }
    let processes = try contenders.map { try ColdProcess($0, workload: workload, count: count) }
    for _ in 0..<rounds {
      for (index, process) in processes.enumerated() {
        let sample = try process.sample()
        entries[index].add(sample.timing)
        entries[index].memory = sample.memory
      }
    }
    return entries
  }
}

extension Contest.Entry {
  fileprivate mutating func add(_ timing: Timing) {
    samples.append(timing.nanosecondsPerCall / Double(contender.objectCount))
    byteCount = timing.byteCount
  }
}

/// The number of calls per sample that the clock can measure.
private struct Repetition {
  private(set) var batches = 1
  private(set) var callsPerBatch = 1

  /// A sample takes at least 20 ms. Calls of less than 20 microseconds are timed in batches of 100.
  init(of call: Call) throws {
    let nanoseconds = try call.time(1, 1).nanosecondsPerCall
    if nanoseconds < 20_000 { callsPerBatch = 100 }
    batches = max(Int(20_000_000 / (nanoseconds * Double(callsPerBatch))), 1)
  }
}
