/// A call that is ready to be timed. Its result is let go when the clock has stopped: freeing is not part of making.
struct Call {
  /// The time that calls took together.
  let time: (_ batches: Int, _ callsPerBatch: Int) throws -> Timing
  /// The time and the memory of one call, with all free memory given back before it.
  let gauge: () throws -> (Timing, MemoryUse)
  /// Makes the call once and throws if its result is wrong.
  let verify: () throws -> Void

  /// - Parameters:
  ///   - bytesAreResult: Whether the bytes are made by the call, not read by it.
  ///   - perform: What is timed.
  ///   - byteCount: The bytes that a result stands for.
  ///   - letGo: Cuts a result's cycles so that it can be freed.
  ///   - check: Throws if a result is wrong.
  init<Result>(
    bytesAreResult: Bool, perform: @escaping () throws -> Result, byteCount: @escaping (Result) -> Int,
    letGo: @escaping (Result) throws -> Void = { _ in }, check: @escaping (Result) throws -> Void = { _ in }
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
        for result in results { try letGo(result) }
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
      // What stays is the graph: it was there before archiving, and is there after unarchiving.
      if !bytesAreResult { ProcessMemory.trim() }
      let graph = bytesAreResult ? before : ProcessMemory.anonymousBytes
      try letGo(result)
      var use = MemoryUse()
      if let peak, let graph {
        use.peakBytesBeyondGraph = max(peak - graph, 0) + (bytesAreResult ? 0 : timing.byteCount)
      }
      return (timing, use)
    }
    verify = {
      let result = try perform()
      defer { try? letGo(result) }
      try check(result)
    }
  }
}

/// What a number of calls took.
struct Timing: Codable {
  private(set) var nanoseconds: Double = 0
  private(set) var calls = 0
  /// The bytes that a call made or read.
  var byteCount = 0

  mutating func add(_ duration: Duration, calls: Int) {
    nanoseconds += duration / .nanoseconds(1)
    self.calls += calls
  }

  var nanosecondsPerCall: Double { nanoseconds / Double(max(calls, 1)) }
}

/// A result that differs from what was archived.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}
