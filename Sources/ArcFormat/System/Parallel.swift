import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The processors on which threads can run.
package enum Processors {
  /// The number of processors.
  package static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

/// Distributes work over all processors.
package enum Parallel {
  /// Calls `body` for each index below `count`, and returns the results by index. The calls run in parallel,
  /// so `body` must not change shared values. Returns when all calls have returned.
  package static func map<Result>(_ count: Int, _ body: (Int) -> Result) -> [Result] {
    guard count > 1 else { return (0..<count).map(body) }
    return unsafe Array(unsafeUninitializedCapacity: count) { results, initialized in
      // Each call initializes one element that no other call accesses.
      let elements = unsafe Results(results.baseAddress)
      withoutActuallyEscaping(body) { body in
        let shared = Shared(body)
        DispatchQueue.concurrentPerform(iterations: count) { index in
          unsafe elements.start.map { unsafe ($0 + index).initialize(to: shared.body(index)) }
        }
      }
      initialized = count
    }
  }

  @safe private struct Results<Result>: @unchecked Sendable {
    let start: UnsafeMutablePointer<Result>?
    init(_ start: UnsafeMutablePointer<Result>?) { unsafe self.start = unsafe start }
  }

  private struct Shared<Result>: @unchecked Sendable {
    let body: (Int) -> Result
    init(_ body: @escaping (Int) -> Result) { self.body = body }
  }
}
