import CArc

/// Stack for values that hold values of their own type: these are written and read by recursion, as deep as the value.
///
/// Objects need none, since no function recurses over them.
package enum StackExtension {
  /// With less than this left, a level of a value goes on elsewhere.
  private static let minimumByteCount = 64 << 10
  /// Of a thread's stack. The system gives memory to those pages only that are touched.
  private static let byteCount = 64 << 20

  /// Calls `body`, on a thread of its own if the stack of this one is nearly used up, and waits for it.
  ///
  /// Code of the program that runs within, such as the getter of a wrapper, may find itself on another thread than its
  /// caller, a thousand levels down. Throws `limitExceeded` if the system gives no stack.
  package static func call<Value>(_ body: () throws -> Value) throws -> Value {
    if arc_remaining_stack() >= minimumByteCount { return try body() }
    return try callElsewhere(body)
  }

  @inline(never)
  private static func callElsewhere<Value>(_ body: () throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    let status = withoutActuallyEscaping(body) { body in
      var run: () -> Void = { result = Result { try body() } }
      // The thread is waited for, so the closure outlives it, and no two threads use what it captured at once.
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
