import Synchronization

/// Workers that are done with one call and keep what they learned for the next one.
///
/// Whoever took a worker owns it until it is put back, so simultaneous calls, and calls within calls, use
/// different ones. The pool holds a few, and drops the one that waited longest.
package final class IdlePool<Worker: AnyObject & Sendable>: Sendable {
  private static var maximumCount: Int { 8 }
  private let idle = Mutex<[Worker]>([])

  package init() {}

  /// Takes a worker that fits out of the pool; of several, the one that was put back last.
  package func take(where fits: (Worker) -> Bool) -> Worker? {
    idle.withLock { workers in
      guard let index = workers.lastIndex(where: fits) else { return nil }
      return workers.remove(at: index)
    }
  }

  /// Puts a worker into the pool. It must not hold anything of the caller's.
  package func put(_ worker: Worker) {
    // Released outside of the lock.
    let oldest: Worker? = idle.withLock { workers in
      workers.append(worker)
      return workers.count > Self.maximumCount ? workers.removeFirst() : nil
    }
    _ = oldest
  }
}
