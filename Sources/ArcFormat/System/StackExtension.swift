import CArc

/// Provides stack for values that contain values of their own type: these are written and read by recursion.
///
/// Objects need none, since no function recurses over them.
package enum StackExtension {
  /// With less stack left than this, the next level of a value runs on another thread.
  private static let minimumByteCount = 64 << 10
  /// The stack of such a thread; the system provides memory only for pages that are used.
  private static let byteCount = 64 << 20

  /// Calls `body`, on another thread if the stack of this one is nearly used up, and waits for it.
  ///
  /// Code of the program called by `body`, such as the getter of a wrapper, may run on another thread than
  /// its caller.
  ///
  /// - Throws: `limitExceeded` if the system cannot make a thread, or what `body` throws.
  package static func call<Value>(_ body: () throws -> Value) throws -> Value {
    if arc_remaining_stack() >= minimumByteCount { return try body() }
    return try callElsewhere(body)
  }

  @inline(never)
  private static func callElsewhere<Value>(_ body: () throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    let status = withoutActuallyEscaping(body) { body in
      var run: () -> Void = { result = Result { try body() } }
      // This thread waits for the other one, so the closure outlives it, and only one thread at a time uses
      // what it captured.
      return unsafe withUnsafeMutablePointer(to: &run) { run in
        unsafe arc_call_with_stack(
          byteCount, { unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, run)
      }
    }
    guard let result else {
      throw ArchiveError(
        .limitExceeded, found: "a value that nests deeper than the stack",
        expected: "a thread to go on with: '\(SystemError(number: status).reason)'")
    }
    return try result.get()
  }
}
