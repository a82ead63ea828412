import Foundation

/// A line of progress on standard error. It is only shown on a terminal, and only after a second.
struct ProgressLine {
  private let start = ContinuousClock.now
  private let isOnTerminal = isatty(STDERR_FILENO) == 1
  private var lastShown = ContinuousClock.now
  private var isVisible = false

  init() {}

  /// Replaces the line with a text, at most ten times per second.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isOnTerminal else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), !isVisible || now - lastShown > .milliseconds(100) else { return }
    lastShown = now
    isVisible = true
    Self.write("\r\u{1B}[K" + text())
  }

  /// Removes the line before other output.
  mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    Self.write("\r\u{1B}[K")
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
