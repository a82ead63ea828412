import Synchronization

/// Workers that are done with one call and keep what they learned for the next one.
///
/// A worker belongs to who took it until it is put back, so calls at the same time, and calls within calls, use
/// different ones. The pool holds a few; the one that waited longest makes room.
final class IdlePool<Worker: AnyObject & Sendable>: Sendable {
  private static var greatestCount: Int { 8 }
  private let idle = Mutex<[Worker]>([])

  /// Takes a worker that fits out of the pool: of several, the one that was put back last.
  func take(where fits: (Worker) -> Bool) -> Worker? {
    idle.withLock { workers in
      guard let index = workers.lastIndex(where: fits) else { return nil }
      return workers.remove(at: index)
    }
  }

  /// Puts a worker into the pool. It must not hold anything of the caller's.
  func put(_ worker: Worker) {
    // Freed when the lock is free again.
    let oldest: Worker? = idle.withLock { workers in
      workers.append(worker)
      return workers.count > Self.greatestCount ? workers.removeFirst() : nil
    }
    _ = oldest
  }
}
