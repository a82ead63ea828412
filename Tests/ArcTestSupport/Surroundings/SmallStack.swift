import Foundation

/// Runs a closure on a thread with a small stack, and waits for its end. Recursion over deeply nested data
/// traps on this stack.
package func onSmallStack(byteCount: Int = 512 << 10, _ body: @escaping () throws -> Void) throws {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var failure: (any Error)?
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { try unsafe body() } catch { unsafe failure = error }
    done.signal()
  }
  thread.stackSize = byteCount
  thread.start()
  done.wait()
  if let failure = unsafe failure { throw failure }
}
