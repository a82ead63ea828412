import Foundation

/// The failures of several threads.
final class FailureList: @unchecked Sendable {
  private let condition = NSCondition()
  private var finished = 0
  private(set) var all: [String] = []

  func add(_ failure: String) {
    condition.lock()
    all.append(failure)
    condition.unlock()
  }

  func finish() {
    condition.lock()
    finished += 1
    condition.signal()
    condition.unlock()
  }

  func wait(for count: Int) {
    condition.lock()
    while finished < count { condition.wait() }
    condition.unlock()
  }
}
