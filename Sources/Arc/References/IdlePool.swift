import ArcMemory
import Synchronization

/// Workers that are done with one call and keep what they learned for the next one.
///
/// Whoever took a worker owns it until it is put back, so simultaneous calls, and calls within calls, use
/// different ones. The pool holds a few, and drops the one that waited longest.
@usableFromInline package struct IdlePool<Worker: AnyObject & Sendable>: Sendable {
  // Of no particular type: code for a type that only the caller knows asks for much at run time.
  @usableFromInline let workers = IdleWorkers()

  @inlinable package init() {}

  /// Takes a worker that fits out of the pool; of several, about the one that was put back last.
  @inlinable @inline(__always) package func take(where fits: (Worker) -> Bool) -> Worker? {
    // Only those are put there.
    guard let worker = workers.take(where: { fits(unsafe unsafeDowncast($0, to: Worker.self)) }) else {
      return nil
    }
    return unsafe unsafeDowncast(worker, to: Worker.self)
  }

  /// Puts a worker into the pool. It must not hold anything of the caller's.
  @inlinable package func put(_ worker: Worker) { workers.put(worker) }
}

/// The workers of a pool.
///
/// Invariant: `last` is the address of a worker that only the pool refers to, or 0; whoever exchanges it has
/// that reference.
@usableFromInline @safe final class IdleWorkers: Sendable {
  private static var maximumCount: Int { 8 }
  /// The one that was put back last, which is found without a lock.
  private let last = Atomic<UInt>(0)
  private let others = Mutex(Workers())

  private struct Workers: @unchecked Sendable {  // The pool takes none but sendable ones.
    var all: [AnyObject] = []
  }

  @usableFromInline init() {}

  deinit { _ = exchangeLast(nil) }

  @usableFromInline func take(where fits: (AnyObject) -> Bool) -> AnyObject? {
    guard let worker = exchangeLast(nil) else { return takeOther(where: fits) }
    if fits(worker) { return worker }
    // Afterwards, since that may drop the oldest.
    defer { put(aside: worker) }
    return takeOther(where: fits)
  }

  private func takeOther(where fits: (AnyObject) -> Bool) -> AnyObject? {
    others.withLock { workers in
      guard let index = workers.all.lastIndex(where: fits) else { return nil }
      return workers.all.remove(at: index)
    }
  }

  @usableFromInline func put(_ worker: any AnyObject & Sendable) {
    if let former = exchangeLast(worker) { put(aside: former) }
  }

  private func put(aside worker: AnyObject) {
    let held = Held(worker: worker)
    // Released outside of the lock.
    let oldest: AnyObject? = others.withLock { workers in
      workers.all.append(held.worker)
      return workers.all.count > Self.maximumCount ? workers.all.removeFirst() : nil
    }
    _ = oldest
  }

  private struct Held: @unchecked Sendable { let worker: AnyObject }

  private func exchangeLast(_ worker: AnyObject?) -> AnyObject? {
    let address = worker.map { unsafe Unmanaged.passRetained($0).address } ?? 0
    let former = last.exchange(address, ordering: .acquiringAndReleasing)
    return unsafe ObjectMemory.object(at: former)?.takeRetainedValue()
  }
}
