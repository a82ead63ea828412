import ArcFormat

/// Lines of text in UTF-8, with the escape sequences for the colours of a style.
struct StyledText: ~Copyable {
  let style: Style
  private var buffer = TextBuffer()
  /// The number of bytes that may still be appended. Escape sequences of colours are not counted. If the
  /// number is negative, further pieces are not appended.
  var room = Int.max

  init(_ style: Style) { self.style = style }

  var count: Int { buffer.count }

  /// The bytes of the text, which are valid until the next change.
  var bytes: ByteView { buffer.bytes }

  /// Appends a piece of text. The caller must apply `printable` to a string that comes from a file.
  mutating func append(_ piece: String, _ role: Style.Role = .plain) {
    room -= piece.utf8.count
    guard room >= 0, !piece.isEmpty else { return }
    begin(role)
    buffer.append(piece)
    end(role)
  }

  /// Appends printable ASCII text in quotation marks.
  mutating func append(quoted piece: ByteView, _ role: Style.Role) {
    room -= piece.count + 2
    guard room >= 0 else { return }
    begin(role)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(piece)
    buffer.append(UInt8(ascii: "\""))
    end(role)
  }

  /// Appends two hexadecimal digits for each byte.
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

  /// Appends lines of another text that has the same style.
  mutating func append(lines: ByteView) { buffer.append(lines) }

  /// Begins the colour of a role. Pieces that are then appended without a role have this colour.
  mutating func begin(_ role: Style.Role) {
    if style.isColored, let start = style.start(of: role) { buffer.append(start) }
  }

  /// Ends the colour of a role.
  mutating func end(_ role: Style.Role) {
    if style.isColored, style.start(of: role) != nil { buffer.append(Style.end) }
  }

  /// Appends the indentation of a line. A level that is too deep for indentation is written as a number.
  mutating func beginLine(level: Int) {
    buffer.append(spaces: 2 * min(level, Page.deepestIndentation))
    if level > Page.deepestIndentation { append("[\(level)] ", .mark) }
  }

  mutating func endLine() { buffer.append(UInt8(ascii: "\n")) }

  /// Inserts a piece of text at a byte offset.
  mutating func insert(_ piece: String, _ role: Style.Role, at index: Int) {
    buffer.replace(index..<index, with: style(role, piece))
  }

  /// Removes all bytes after the first `count` bytes.
  mutating func truncate(to count: Int) { buffer.truncate(to: count) }

  /// Removes a range of bytes.
  mutating func remove(_ range: Range<Int>) { buffer.replace(range, with: "") }
}
