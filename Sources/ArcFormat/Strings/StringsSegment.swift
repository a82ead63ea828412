/// The payload of a `STRS` segment: the number of strings, the length of each string, and the bytes of all
/// strings.
///
/// Spec: 04-columns, section 4.
enum StringsSegment {
  /// Writes strings. Spec: 04-columns, rule X1.
  static func write(lengths: [UInt64], bytes: [UInt8], to writer: inout ByteWriter) {
    writer.varint(lengths.count)
    lengths.withByteView { view in
      let lengths = IntegerValues<UInt64>(view)
      let width = lengths.narrowestWidth
      writer.fixed(UInt8(width))
      lengths.store(width: width, to: &writer)
    }
    writer.append(bytes)
  }

  /// Reads strings and adds them to `strings`. If an error is thrown, no string is added.
  ///
  /// Spec: 04-columns, rule X1.
  static func read(
    _ reader: inout ByteReader, into strings: Handle<BuiltStrings>
  ) throws(ArchiveError) {
    let start = reader.offset
    let count = try reader.count(itemBytes: 1)
    let width = Int(try reader.fixed(UInt8.self))
    guard [1, 2, 4, 8].contains(width), count <= reader.remaining / width else {
      throw ArchiveError(
        .malformedSegment, found: "\(plural(count, "string length")) of \(plural(width, "byte")) each",
        expected: "lengths of 1, 2, 4 or 8 bytes each, at most \(plural(reader.remaining, "byte")) in total",
        byteOffset: start)
    }
    let lengths = try reader.take(count * width)
    strings.value.reserve(count)
    for index in 0..<count {
      let length = lengths.unsigned(index, width: width)
      guard let length = Int(exactly: length), length <= reader.remaining else {
        throw ArchiveError(
          .malformedSegment, found: "a string of \(length) bytes",
          expected: "at most \(plural(reader.remaining, "byte")), the rest of the segment",
          byteOffset: reader.offset
        )
      }
      strings.value.prepare(try reader.take(length), at: index)
    }
    try reader.finish("string table")
    strings.value.add(count)
  }

  /// Reads the strings at the beginning of a truncated payload. Stops at the first string that is incomplete
  /// or not valid UTF-8. Returns these strings, and the number of strings in the complete payload. Nil if the
  /// list of lengths is incomplete.
  static func beginning(_ payload: ByteView) -> (strings: [ByteView], count: Int)? {
    var reader = ByteReader(payload, fileOffset: 0)
    // If reading throws, the segment is damaged there, so the strings end there.
    guard let count = try? reader.count(itemBytes: 1), let width = try? Int(reader.fixed(UInt8.self)),
      [1, 2, 4, 8].contains(width), count <= reader.remaining / width,
      let lengths = try? reader.take(count * width)
    else { return nil }
    var strings: [ByteView] = []
    for index in 0..<count {
      guard let length = Int(exactly: lengths.unsigned(index, width: width)), length <= reader.remaining,
        let bytes = try? reader.take(length), bytes.isUTF8
      else { break }
      strings.append(bytes)
    }
    return (strings, count)
  }
}
