import ArcFormat

/// Text to be written, collected into blocks.
final class Output {
  static let blockByteCount = 1 << 16

  private var block: [UInt8] = []
  private let sink: ([UInt8]) throws(OutputFailure) -> Void

  /// Passes blocks of UTF-8 to `sink`.
  init(_ sink: @escaping ([UInt8]) throws(OutputFailure) -> Void) { self.sink = sink }

  /// Writes text as it is.
  func write(_ text: String) throws(OutputFailure) {
    block.append(contentsOf: text.utf8)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes UTF-8 as it is.
  func write(_ bytes: some Collection<UInt8>) throws(OutputFailure) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes UTF-8 as it is.
  func write(_ bytes: ByteView) throws(OutputFailure) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockByteCount { try flush() }
  }

  /// Writes text and a line end.
  func line(_ text: String) throws(OutputFailure) {
    try write(text)
    try write("\n")
  }

  /// Passes on what was collected.
  func flush() throws(OutputFailure) {
    guard !block.isEmpty else { return }
    let full = block
    block.removeAll(keepingCapacity: true)
    try sink(full)
  }
}

/// Output for people: lines with an indentation, in a style.
struct Page {
  /// The maximum indentation: deeper lines carry the number of their level instead, or a chain of n objects
  /// would print n² spaces.
  static let deepestIndentation = 40

  let output: Output
  let style: Style
  /// Whether a person watches: long output is then cut unless asked for.
  let isOnTerminal: Bool
  /// Says how far the command has come, if somebody watches.
  let progress: ProgressLine?

  /// The reader of a report on the page.
  var reader: Report.Reader { isOnTerminal ? .terminal : .text }

  private static let indentations = (0...deepestIndentation).map { String(repeating: "  ", count: $0) }

  /// Writes a line. What it holds of a file went through `printable`.
  func line(_ text: String = "", level: Int = 0) throws(OutputFailure) {
    if level > 0 { try output.write(Self.indentations[min(level, Self.deepestIndentation)]) }
    if level > Self.deepestIndentation { try output.write(style(.mark, "[\(level)] ")) }
    try output.line(text)
  }
}

/// A count for people: `1,234,567`.
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

/// A count with its noun: `1 object`, `2,000 classes`.
func counted(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
  grouped(value) + " " + (value == 1 ? singular : plural ?? singular + "s")
}
