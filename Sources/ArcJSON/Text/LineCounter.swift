/// Counts the lines and columns of a text, from its start to one or more offsets.
struct LineCounter {
  private let text: JSONText
  private var offset = 0
  /// The line of the current offset, counted from 1.
  private(set) var line = 1
  /// The column of the current offset in its line, in Unicode scalars, counted from 1.
  private(set) var column = 1

  init(_ text: JSONText) { self.text = text }

  /// Moves to an offset, or to the end of the text. `end` must not be before the current offset.
  ///
  /// - Complexity: O(bytes between the offsets).
  mutating func advance(to end: Int) {
    while offset < min(end, text.count) {
      let byte = text.byte(at: offset)
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
  }
}
