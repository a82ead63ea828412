import Foundation

/// Room for recursion over all objects of a graph, which some contenders need.
enum DeepStack {
  /// Virtual memory, of which only what is used gets real.
  private static let byteCount = 8 << 30

  /// The result of `body`, run on a thread of its own while the calling one waits.
  static func run<Result>(_ body: @escaping () throws -> Result) throws -> Result {
    let errand = Errand(body)
    let thread = Thread { errand.run() }
    thread.stackSize = byteCount
    thread.start()
    return try errand.result()
  }
}

/// Work that one thread does for another, which waits: the semaphore orders all accesses. It holds nothing when it is
/// done, since the thread may be kept after its end.
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
