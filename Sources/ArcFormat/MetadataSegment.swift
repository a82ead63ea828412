/// The payload of a `META` segment: names and texts that the writer's user gave. Spec: 02-container, section 6.
enum MetadataSegment {
  /// Distinct names in the order of their UTF-8 bytes, so that the same metadata gives the same bytes.
  static func write(_ metadata: [(key: String, value: String)], to writer: inout ByteWriter) {
    writer.varint(metadata.count)
    for (key, value) in metadata.sorted(by: { precedes($0.key, $1.key) }) {
      writer.string(key)
      writer.string(value)
    }
  }

  static func read(_ reader: inout ByteReader) throws(ArchiveError) -> [(key: String, value: String)] {
    let count = try reader.count(itemBytes: 2)
    var metadata: [(key: String, value: String)] = []
    metadata.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.offset
      let key = try reader.string()
      if let last = metadata.last, !precedes(last.key, key) {
        throw ArchiveError(
          .malformedSegment, found: "metadata '\(key)' behind '\(last.key)'",
          expected: "each name once, in the order of their bytes", byteOffset: start)
      }
      metadata.append((key, try reader.string()))
    }
    try reader.finish("metadata")
    return metadata
  }

  private static func precedes(_ some: String, _ other: String) -> Bool {
    some.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
