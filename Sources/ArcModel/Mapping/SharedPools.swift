import Synchronization

/// The pools of plans. All readers with equal options share a pool, and so do all writers with equal options.
///
/// Plans depend only on the options. So if a program creates a reader for each call, each reader reuses the
/// plans of earlier readers.
final class SharedPools<Options: Hashable & Sendable, Pool: Sendable>: Sendable {
  private let pools = Mutex<[Options: Pool]>([:])

  /// The maximum number of pools, because a program can create readers with any number of limits.
  private static var maximumCount: Int { 64 }

  /// Returns the pool for options.
  ///
  /// - Parameters:
  ///   - options: the options; nil if they cannot be compared.
  ///   - makePool: creates a pool.
  /// - Returns: the pool that all callers with these options share, or a new pool if `options` is nil.
  func pool(for options: Options?, _ makePool: () -> Pool) -> Pool {
    guard let options else { return makePool() }
    // The former pools are released after the lock, because releasing what they contain may create a reader.
    var former: [Options: Pool] = [:]
    defer { former.removeAll() }
    return pools.withLock { pools in
      if let known = pools[options] { return known }
      if pools.count >= Self.maximumCount { swap(&pools, &former) }
      let pool = makePool()
      pools[options] = pool
      return pool
    }
  }
}
