/// Methods that read strings as bytes, for a program that does not store the strings.
extension ColumnReader {
  /// Reads the next string if it is plain: printable ASCII without quotes and backslashes. If the string is
  /// not plain, returns nil and does not move the column: `text()` then reads the string or reports why it is
  /// invalid. Nearly all strings are plain.
  ///
  /// The bytes are valid until another string of the file is read.
  package func takePlainText() -> ByteView? {
    let position = node.value.position
    guard position < node.value.count else { return nil }
    let number = node.value.values.unsigned(position, width: node.value.width)
    if node.value.usesStringTable {
      guard let bytes = unsafe node.value.strings.takeUnretainedValue().loadedPlainBytes(number) else {
        return nil
      }
      node.value.position = position + 1
      return bytes
    }
    let start = node.value.textPosition
    guard let length = Int(exactly: number), length <= node.value.text.count - start else { return nil }
    let bytes = node.value.text[start..<start + length]
    guard bytes.isPlainText else { return nil }
    node.value.position = position + 1
    node.value.textPosition = start + length
    return bytes
  }
}
