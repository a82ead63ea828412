import Foundation
import XCTest

extension XCTestCase {
  /// Runs a body on a thread with a stack of 512 KiB.
  func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
    let done = expectation(description: "thread")
    nonisolated(unsafe) var failure: (any Error)?
    let thread = Thread {
      do { try body() } catch { failure = error }
      done.fulfill()
    }
    thread.stackSize = 512 << 10
    thread.start()
    wait(for: [done], timeout: 600)
    if let failure { throw failure }
  }
}
