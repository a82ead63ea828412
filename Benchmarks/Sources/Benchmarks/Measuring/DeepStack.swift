import Foundation

/// A stack for recursion over all objects of a graph, which some contenders need.
enum DeepStack {
  /// The size of the stack in virtual memory. Only the used part becomes physical memory.
  private static let byteCount = 8 << 30

  /// Runs `body` on a new thread while the calling thread waits. Returns the result of `body`.
  static func run<Result>(_ body: @escaping () throws -> Result) throws -> Result {
    let errand = Errand(body)
    let thread = Thread { errand.run() }
    thread.stackSize = byteCount
    thread.start()
    return try errand.result()
  }
}

/// Work that one thread performs for another thread, which waits. The semaphore orders all accesses.
///
/// It retains nothing after it is done, because the thread may be retained after its end.
private final class Errand<Result>: @unchecked Sendable {
  private var body: (() throws -> Result)?
  private var outcome: Swift.Result<Result, any Error>?
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping () throws -> Result) { self.body = body }

  func run() {
    outcome = body.map { body in Swift.Result { try body() } }
    body = nil
    isDone.signal()
  }

  func result() throws -> Result {
    isDone.wait()
    defer { outcome = nil }
    guard let outcome else { throw WrongResult(description: "a thread ended without a result") }
    return try outcome.get()
  }
}
