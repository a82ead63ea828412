import Synchronization

/// A line on a terminal that shows the progress of a command. It appears after one second.
///
///     arcdump: 12 s, 34 % of 514,112 objects
///
/// The line is written to standard error. It is erased before other text is written to the terminal.
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

  /// Creates a line that calls `write` with the text of the line, and with the control sequences that erase
  /// it.
  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Updates the line once per second until `finish` is called.
  func start() {
    let start = ContinuousClock.now
    Task.detached { [weak self] in
      // If the task is cancelled, `sleep` throws, and the updates end.
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        guard let self, self.show(seconds: seconds) else { return }
      }
    }
  }

  /// Sets the progress that the next update shows. `noun` is the plural noun for the counted items.
  func note(_ done: Int, of total: Int, _ noun: String) {
    state.withLock { ($0.done, $0.total, $0.noun) = (done, total, noun) }
  }

  /// Writes the line. Returns false if `finish` was called, so that the updates end.
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

  /// Erases the line and ends the updates.
  func finish() {
    state.withLock { state in
      if state.isShown { write("\r\u{1B}[K") }
      state.isShown = false
      state.isOver = true
    }
  }
}
