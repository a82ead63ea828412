/// Strings of a column as their bytes, for a reader that keeps none of them.
extension ColumnReader {
  /// Takes the next string if it is plain: printable ASCII without quotes and backslashes, as nearly all are.
  /// Returns nil for any other, which is not taken: `text()` reads it, or says what is wrong with it.
  ///
  /// The bytes are valid until another string of the file is asked for.
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
