import Synchronization

/// Workers that are done with one call and keep what they learned for the next one.
///
/// Whoever took a worker owns it until it is put back, so simultaneous calls, and calls within calls, use
/// different ones. The pool holds a few, and drops the one that waited longest.
package struct IdlePool<Worker: AnyObject & Sendable>: Sendable {
  // Of no particular type: code for a type that only the caller knows asks for much at run time.
  private let workers = IdleWorkers()

  package init() {}

  /// Takes a worker that fits out of the pool; of several, the one that was put back last.
  @inline(__always) package func take(where fits: (Worker) -> Bool) -> Worker? {
    // Only those are put there.
    workers.take { fits(unsafe unsafeDowncast($0, to: Worker.self)) }
      .map { unsafe unsafeDowncast($0, to: Worker.self) }
  }

  /// Puts a worker into the pool. It must not hold anything of the caller's.
  package func put(_ worker: Worker) { workers.put(worker) }
}

/// The workers of a pool.
private final class IdleWorkers: Sendable {
  private static var maximumCount: Int { 8 }
  private let idle = Mutex(Workers())

  private struct Workers: @unchecked Sendable {  // The pool takes none but sendable ones.
    var all: [AnyObject] = []
  }

  func take(where fits: (AnyObject) -> Bool) -> AnyObject? {
    idle.withLock { workers in
      guard let index = workers.all.lastIndex(where: fits) else { return nil }
      return workers.all.remove(at: index)
    }
  }

  func put(_ worker: any AnyObject & Sendable) {
    // Released outside of the lock.
    let oldest: AnyObject? = idle.withLock { workers in
      workers.all.append(worker)
      return workers.all.count > Self.maximumCount ? workers.all.removeFirst() : nil
    }
    _ = oldest
  }
}
