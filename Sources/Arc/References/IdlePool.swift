import ArcMemory
import Synchronization

/// A pool of workers that have finished a call and can be reused by the next call, with everything that they
/// have cached.
///
/// The caller that takes a worker owns it until it puts the worker back. Therefore simultaneous calls and
/// nested calls use different workers. The pool stores only a few workers. If it is full, it releases the
/// worker that it has stored for the longest time.
@usableFromInline package struct IdlePool<Worker: AnyObject & Sendable>: Sendable {
  // Not generic, because generic code for a type that only the caller knows needs many look-ups at run time.
  @usableFromInline let workers = IdleWorkers()

  /// Creates an empty pool.
  @inlinable package init() {}

  /// Takes a suitable worker out of the pool. If there are several, usually takes the worker that was put
  /// back last. Nil if no worker is suitable.
  @inlinable @inline(__always) package func take(where fits: (Worker) -> Bool) -> Worker? {
    // The pool contains only workers of this type.
    guard let worker = workers.take(where: { fits(unsafe unsafeDowncast($0, to: Worker.self)) }) else {
      return nil
    }
    return unsafe unsafeDowncast(worker, to: Worker.self)
  }

  /// Puts a worker into the pool. The worker must not retain anything that belongs to the caller.
  @inlinable package func put(_ worker: Worker) { workers.put(worker) }
}

/// The workers of a pool.
///
/// Invariant: `last` is 0, or the address of a worker with one reference that belongs to the pool. The thread
/// that exchanges `last` gets this reference.
@usableFromInline @safe final class IdleWorkers: Sendable {
  private static var maximumCount: Int { 8 }
  /// The worker that was put back last. It is found without a lock.
  private let last = Atomic<UInt>(0)
  private let others = Mutex(Workers())

  private struct Workers: @unchecked Sendable {  // The pool accepts only sendable workers.
    var all: [AnyObject] = []
  }

  @usableFromInline init() {}

  deinit { _ = exchangeLast(nil) }

  @usableFromInline func take(where fits: (AnyObject) -> Bool) -> AnyObject? {
    guard let worker = exchangeLast(nil) else { return takeOther(where: fits) }
    if fits(worker) { return worker }
    // This must follow the search, because it may release the oldest worker.
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
    let sendable = SendableWorker(worker: worker)
    // The worker is released outside the lock.
    let oldest: AnyObject? = others.withLock { workers in
      workers.all.append(sendable.worker)
      return workers.all.count > Self.maximumCount ? workers.all.removeFirst() : nil
    }
    _ = oldest
  }

  private struct SendableWorker: @unchecked Sendable { let worker: AnyObject }

  private func exchangeLast(_ worker: AnyObject?) -> AnyObject? {
    let address = worker.map { unsafe Unmanaged.passRetained($0).address } ?? 0
    let former = last.exchange(address, ordering: .acquiringAndReleasing)
    return unsafe ObjectMemory.object(at: former)?.takeRetainedValue()
  }
}
