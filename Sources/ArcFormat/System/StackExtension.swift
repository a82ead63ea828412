import CArc

/// Provides stack for values that contain other values: these are written, read and compared by recursion.
///
/// Objects need none, since no function recurses over them.
@usableFromInline package enum StackExtension {
  /// With less stack left than this, the next level of a value runs on another thread. Enough for several
  /// levels in a debug build, and for the release of the deepest `ArchiveValue`, which needs 250 bytes a
  /// level.
  private static let minimumByteCount = 192 << 10
  /// The stack that a traversal of the deepest `ArchiveValue` needs in a debug build.
  private static let traversalByteCount = 6 << 20
  /// The stack of such a thread; the system provides memory only for pages that are used.
  private static let byteCount = 64 << 20

  /// Calls `body`, on another thread if the stack of this one is nearly used up, and waits for it.
  ///
  /// Code of the program called by `body`, such as the getter of a wrapper, may run on another thread than
  /// its caller.
  ///
  /// - Throws: `limitExceeded` if the system cannot make a thread, or what `body` throws.
  @inlinable package static func call<Value>(_ body: () throws -> Value) throws -> Value {
    if hasStack { return try body() }
    return try callElsewhere(body)
  }

  /// Calls `body`, as ``call(_:)`` does, for a function that throws nothing, or errors of one type. If the
  /// system cannot make a thread, `body` runs on this one.
  @inlinable package static func step<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if hasStack { return try body() }
    if let result = runElsewhere(body) { return try result.get() }
    return try body()
  }

  /// Calls `body` where the stack is large enough for any traversal of values that ``ArchiveLimits`` allow:
  /// for work on whole files, inside of which no level needs to ask.
  package static func traverse<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if arc_remaining_stack() >= traversalByteCount { return try body() }
    if let result = runElsewhere(body) { return try result.get() }
    return try body()
  }

  /// Whether this thread has stack for the next level of a value.
  @usableFromInline static var hasStack: Bool { arc_remaining_stack() >= minimumByteCount }

  @usableFromInline @inline(never)
  static func callElsewhere<Value>(_ body: () throws -> Value) throws -> Value {
    if let result = runElsewhere(body) { return try result.get() }
    throw ArchiveError(
      .limitExceeded, found: "no memory for the larger stack that a deeply nested value needs",
      expected: "memory for a thread with a larger stack")
  }

  /// The result of `body` on a thread of its own; nil if the system cannot make one.
  @usableFromInline @inline(never)
  static func runElsewhere<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) -> Result<Value, Failure>? {
    var result: Result<Value, Failure>?
    _ = withoutActuallyEscaping(body) { body in
      var run: () -> Void = { result = Result(catching: body) }
      // This thread waits for the other one, so the closure outlives it, and only one thread at a time uses
      // what it captured.
      return unsafe withUnsafeMutablePointer(to: &run) { run in
        unsafe arc_call_with_stack(
          byteCount, { unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, run)
      }
    }
    return result
  }
}
