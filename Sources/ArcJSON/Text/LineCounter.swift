/// Goes forward through a text and counts its lines.
struct LineCounter {
  private let text: JSONText
  private var offset = 0
  /// The line of the place that was reached, counted from 1.
  private(set) var line = 1
  /// The place in its line, counted in Unicode scalars from 1.
  private(set) var column = 1

  init(_ text: JSONText) { self.text = text }

  /// Goes on to an offset that is not before the last one, or to the end of the text.
  ///
  /// - Complexity: O(bytes in between).
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
