import Foundation

/// One line of progress on standard error for a person who waits: on a terminal only, and after a second.
struct ProgressLine {
  private let start = ContinuousClock.now
  private let isOnTerminal = isatty(STDERR_FILENO) == 1
  private var lastShown = ContinuousClock.now
  private var isVisible = false

  init() {}

  /// Shows the text in place of the one before, at most ten times a second.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isOnTerminal else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), !isVisible || now - lastShown > .milliseconds(100) else { return }
    lastShown = now
    isVisible = true
    Self.write("\r\u{1B}[K" + text())
  }

  /// Takes the line away, before other output.
  mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    Self.write("\r\u{1B}[K")
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
