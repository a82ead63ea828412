/// A call that is ready to be timed. Its result is freed after the clock has stopped.
struct Call {
  /// Measures the total time of a number of calls.
  let time: (_ batches: Int, _ callsPerBatch: Int) throws -> Timing
  /// Measures the time and the memory of one call, after all free memory was returned to the system.
  let gauge: () throws -> (Timing, MemoryUse)
  /// Performs the call once. Throws if its result is wrong.
  let verify: () throws -> Void

  /// - Parameters:
  ///   - bytesAreResult: whether the call writes the bytes. If false, the call reads them.
  ///   - perform: the call that is timed.
  ///   - byteCount: the number of bytes of a result.
  ///   - dismantle: breaks a result's cycles so that it can be freed.
  ///   - check: throws if a result is wrong.
  init<Result>(
    bytesAreResult: Bool, perform: @escaping () throws -> Result, byteCount: @escaping (Result) -> Int,
    dismantle: @escaping (Result) throws -> Void = { _ in },
    check: @escaping (Result) throws -> Void = { _ in }
  ) {
    time = { batches, callsPerBatch in
      var timing = Timing()
      let clock = ContinuousClock()
      for _ in 0..<batches {
        var results: [Result] = []
        results.reserveCapacity(callsPerBatch)
        let start = clock.now
        for _ in 0..<callsPerBatch { results.append(try perform()) }
        timing.add(start.duration(to: clock.now), calls: callsPerBatch)
        if let last = results.last { timing.byteCount = byteCount(last) }
        for result in results { try dismantle(result) }
        results = []
        ProcessMemory.settle()
      }
      return timing
    }
    gauge = {
      var timing = Timing()
      let clock = ContinuousClock()
      ProcessMemory.trim()
      ProcessMemory.resetPeak()
      let before = ProcessMemory.anonymousBytes
      let start = clock.now
      let result = try perform()
      timing.add(start.duration(to: clock.now), calls: 1)
      let peak = ProcessMemory.peakAnonymousBytes
      timing.byteCount = byteCount(result)
      // The memory that remains is the graph. It exists before archiving, and after unarchiving.
      if !bytesAreResult { ProcessMemory.trim() }
      let graph = bytesAreResult ? before : ProcessMemory.anonymousBytes
      try dismantle(result)
      var use = MemoryUse()
      if let peak, let graph {
        use.peakBytesBeyondGraph = max(peak - graph, 0) + (bytesAreResult ? 0 : timing.byteCount)
      }
      return (timing, use)
    }
    verify = {
      let result = try perform()
      defer { try? dismantle(result) }
      try check(result)
    }
  }
}

/// The total time of a number of calls.
struct Timing: Codable {
  private(set) var nanoseconds: Double = 0
  private(set) var calls = 0
  /// The number of bytes that a call writes or reads.
  var byteCount = 0

  mutating func add(_ duration: Duration, calls: Int) {
    nanoseconds += duration / .nanoseconds(1)
    self.calls += calls
  }

  var nanosecondsPerCall: Double { nanoseconds / Double(max(calls, 1)) }
}

/// A call that returned a graph that differs from the archived graph.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}
