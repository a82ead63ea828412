import ArcFormat

/// A stream of text, such as standard output. It collects the text into blocks.
final class Output {
  static let blockByteCount = 1 << 16

  private var block: [UInt8] = []
  private let sink: ([UInt8]) throws(OutputFailure) -> Void

  /// Creates a stream that calls `sink` with each block of UTF-8.
  init(_ sink: @escaping ([UInt8]) throws(OutputFailure) -> Void) { self.sink = sink }

  /// Writes text unchanged.
  func write(_ text: String) throws(OutputFailure) {
    block.append(contentsOf: text.utf8)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes UTF-8 unchanged.
  func write(_ bytes: some Collection<UInt8>) throws(OutputFailure) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes UTF-8 unchanged.
  func write(_ bytes: ByteView) throws(OutputFailure) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes text and a line end.
  func line(_ text: String) throws(OutputFailure) {
    try write(text)
    try write("\n")
  }

  /// Passes the collected text to the sink.
  func flush() throws(OutputFailure) {
    guard !block.isEmpty else { return }
    let full = block
    block.removeAll(keepingCapacity: true)
    try sink(full)
  }
}

/// An output for text, with indentation, colours and progress.
struct Page {
  /// The maximum level that is shown by indentation. Deeper lines begin with the number of their level
  /// instead. Otherwise, a chain of n objects would print n² spaces.
  static let deepestIndentation = 40

  let output: Output
  let style: Style
  /// Whether a person reads the output on a terminal. If true, commands limit the length of their output,
  /// unless the user sets a limit.
  let isOnTerminal: Bool
  /// The line that shows the progress of the command. Nil if standard error is not a terminal.
  let progress: ProgressLine?

  /// The reader of a report: a person at the terminal, or a program or file that receives plain text.
  var reader: Report.Reader { isOnTerminal ? .terminal : .text }

  private static let indentations = (0...deepestIndentation).map { String(repeating: "  ", count: $0) }

  /// Writes a line with an indentation. The caller must apply `printable` to the parts of `text` that come
  /// from a file.
  func line(_ text: String = "", level: Int = 0) throws(OutputFailure) {
    if level > 0 { try output.write(Self.indentations[min(level, Self.deepestIndentation)]) }
    if level > Self.deepestIndentation { try output.write(style(.mark, "[\(level)] ")) }
    try output.line(text)
  }
}

/// Returns a number with separated thousands: `1,234,567`.
func grouped(_ value: some BinaryInteger) -> String {
  if value.magnitude < 1000 { return String(value) }
  let digits = Array(String(value.magnitude))
  var text = value < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return text
}

/// Returns a count with its noun: `1 object`, `2,000 classes`.
func counted(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
  grouped(value) + " " + (value == 1 ? singular : plural ?? singular + "s")
}
