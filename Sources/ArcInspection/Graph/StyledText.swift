import ArcFormat

/// Lines of text as UTF-8, in the colours of a style.
struct StyledText: ~Copyable {
  let style: Style
  private var buffer = TextBuffer()
  /// How many more bytes may come, colours not counted; below 0 nothing is appended any more.
  var room = Int.max

  init(_ style: Style) { self.style = style }

  var count: Int { buffer.count }

  /// The bytes, valid until the next change.
  var bytes: ByteView { buffer.bytes }

  /// Appends a piece of text. What it holds of a file went through `printable`.
  mutating func append(_ piece: String, _ role: Style.Role = .plain) {
    room -= piece.utf8.count
    guard room >= 0, !piece.isEmpty else { return }
    begin(role)
    buffer.append(piece)
    end(role)
  }

  /// Appends text of printable ASCII in quotes.
  mutating func append(quoted piece: ByteView, _ role: Style.Role) {
    room -= piece.count + 2
    guard room >= 0 else { return }
    begin(role)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(piece)
    buffer.append(UInt8(ascii: "\""))
    end(role)
  }

  /// Appends two digits for each byte.
  mutating func append(hexadecimal data: ArraySlice<UInt8>) {
    room -= 2 * data.count
    guard room >= 0 else { return }
    for byte in data {
      buffer.append(hexadecimalDigit(byte >> 4))
      buffer.append(hexadecimalDigit(byte & 15))
    }
  }

  /// Appends the number of an object.
  mutating func append(_ id: ObjectID) {
    begin(.mark)
    buffer.append(" #")
    buffer.append(decimal: UInt64(id.rawValue))
    end(.mark)
  }

  /// Appends lines of another text of the same style.
  mutating func append(lines: ByteView) { buffer.append(lines) }

  /// Begins the colour of pieces that are appended without one.
  mutating func begin(_ role: Style.Role) {
    if style.isColored, let start = style.start(of: role) { buffer.append(start) }
  }

  /// Ends the colour that was begun.
  mutating func end(_ role: Style.Role) {
    if style.isColored, style.start(of: role) != nil { buffer.append(Style.end) }
  }

  /// Appends what is in front of a line.
  mutating func beginLine(level: Int) {
    buffer.append(spaces: 2 * min(level, Page.deepestIndentation))
    if level > Page.deepestIndentation { append("[\(level)] ", .mark) }
  }

  mutating func endLine() { buffer.append(UInt8(ascii: "\n")) }

  /// Puts a piece of text in front of what stands at an index.
  mutating func insert(_ piece: String, _ role: Style.Role, at index: Int) {
    buffer.replace(index..<index, with: style(role, piece))
  }

  /// Removes what stands behind the first bytes.
  mutating func truncate(to count: Int) { buffer.truncate(to: count) }

  /// Removes bytes.
  mutating func remove(_ range: Range<Int>) { buffer.replace(range, with: "") }
}
