import Synchronization

/// A line on a terminal that says how far a command has come, once it takes longer than a second.
///
///     arcdump: 12 s, 34 % of 514,112 objects
///
/// Standard error shows it, and only where it is a terminal. It is wiped away before anything else is
/// written to the same screen.
final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var total = 0
    var noun = ""
    var isShown = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void

  /// Calls `write` with pieces of text: the line, and what wipes it away.
  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Shows the line each second until `finish` is called.
  func start() {
    let start = ContinuousClock.now
    Task.detached { [weak self] in
      // Cancellation ends the line.
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        guard let self, self.show(seconds: seconds) else { return }
      }
    }
  }

  /// Notes how much is done; `noun` is the plural of what is counted.
  func note(_ done: Int, of total: Int, _ noun: String) {
    state.withLock { ($0.done, $0.total, $0.noun) = (done, total, noun) }
  }

  /// Writes the line; returns whether more of them can follow.
  func show(seconds: Int) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      let share =
        state.total > 0
        ? ", \(Int(Double(state.done) / Double(state.total) * 100)) % of \(grouped(state.total)) \(state.noun)"
        : ""
      write("\r\u{1B}[Karcdump: \(seconds) s\(share)")
      state.isShown = true
      return true
    }
  }

  /// Wipes the line away, for good.
  func finish() {
    state.withLock { state in
      if state.isShown { write("\r\u{1B}[K") }
      state.isShown = false
      state.isOver = true
    }
  }
}
