import CArc

/// Provides more stack for nested values, which are written, read and compared by recursion.
///
/// Objects do not need more stack, because no function recurses over objects.
@usableFromInline package enum StackExtension {
  /// The minimum size of the remaining stack, in bytes. If less remains on this thread, the next level of a
  /// value is processed on another thread. The size is sufficient for several levels in a debug build, and
  /// for releasing the deepest `ArchiveValue`, which needs 250 bytes per level.
  private static let minimumByteCount = 192 << 10
  /// The size of the stack, in bytes, that a traversal of the deepest `ArchiveValue` needs in a debug build.
  private static let traversalByteCount = 6 << 20
  /// The size of the stack, in bytes, of an additional thread. The system provides memory only for pages that
  /// are used.
  private static let byteCount = 64 << 20

  /// Calls `body`. If the stack of this thread is almost used up, `body` runs on another thread, and this
  /// thread waits for it.
  ///
  /// Therefore, code of the program that `body` calls, such as the getter of a wrapper, may run on a
  /// different thread than the caller.
  ///
  /// - Throws: the errors of `body`; `limitExceeded` if the system cannot create a thread.
  @inlinable package static func call<Value>(_ body: () throws -> Value) throws -> Value {
    if hasStack { return try body() }
    return try callElsewhere(body)
  }

  /// Calls `body` as ``call(_:)`` does, but throws only the errors of `body`. Therefore, `body` runs on this
  /// thread if the system cannot create another thread.
  @inlinable package static func step<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if hasStack { return try body() }
    if let result = runElsewhere(body) { return try result.get() }
    return try body()
  }

  /// Calls `body` with enough stack for a traversal of any value that ``ArchiveLimits`` allow. Used by
  /// functions that process whole files, so that they need not check the stack for each level of a value.
  package static func traverse<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if arc_remaining_stack() >= traversalByteCount { return try body() }
    if let result = runElsewhere(body) { return try result.get() }
    return try body()
  }

  /// Whether this thread has enough stack for the next level of a value.
  @usableFromInline static var hasStack: Bool { arc_remaining_stack() >= minimumByteCount }

  @usableFromInline @inline(never)
  static func callElsewhere<Value>(_ body: () throws -> Value) throws -> Value {
    if let result = runElsewhere(body) { return try result.get() }
    throw ArchiveError(
      .limitExceeded, found: "no memory for the larger stack that a deeply nested value needs",
      expected: "memory for a thread with a larger stack")
  }

  /// Runs `body` on a new thread, and returns its result. Nil if the system cannot create a thread.
  @usableFromInline @inline(never)
  static func runElsewhere<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) -> Result<Value, Failure>? {
    var result: Result<Value, Failure>?
    _ = withoutActuallyEscaping(body) { body in
      var run: () -> Void = { result = Result(catching: body) }
      // This thread waits for the other thread. So the closure remains valid, and only one thread at a time
      // uses the variables that it captures.
      return unsafe withUnsafeMutablePointer(to: &run) { run in
        unsafe arc_call_with_stack(
          byteCount, { unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, run)
      }
    }
    return result
  }
}
