public import ArcRuntime

extension String: ColumnValue {
  /// The type encoding of values of this type: `@"NSString"`.
  public static var __columnType: TypeEncoding { .object(className: "NSString", protocols: []) }
  /// Reads a string from a column, with exactly the UTF-8 bytes that were written.
  @inlinable public static func __read(from column: ColumnReader) throws -> String { try column.text() }
  /// Writes the UTF-8 bytes of the string to a column, without normalization. NUL is an ordinary byte.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws { column.append(text: self) }
  /// Appends strings to a column.
  ///
  /// If the column's cache contains the storage of a string, the column appends the id of the string without
  /// reading its text.
  public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe elements.withMemoryRebound(to: String.self) { buffer in
      let strings = unsafe Span(_unsafeElements: buffer)
      var next = 0
      while next < strings.count {
        next = column.appendKnown(strings, from: next)
        guard next < strings.count else { break }
        column.append(text: strings[next])
        next += 1
      }
    }
  }
}

extension Character: ColumnValue {
  /// The type encoding of a string, because columns store characters as strings.
  public static var __columnType: TypeEncoding { String.__columnType }
  /// Reads a character from a column, in which it is a string.
  ///
  /// Spec: 06-evolution, rule M5.
  ///
  /// - Throws: `valueOutOfRange` if the string does not have exactly one character.
  public static func __read(from column: ColumnReader) throws -> Character {
    let text = try column.text()
    guard let character = text.first, text.count == 1 else {
      throw column.error(
        .valueOutOfRange, found: "a string of \(plural(text.count, "character"))",
        expected: "a string of one character")
    }
    return character
  }
  /// Writes the character to a column, as a string.
  public func __write(to column: ColumnWriter) throws { column.append(text: String(self)) }
}
