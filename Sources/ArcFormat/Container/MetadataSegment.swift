/// The payload of a `META` segment: the keys and values that the caller of the writer supplied.
///
/// Spec: 02-container, section 6.
package enum MetadataSegment {
  /// The metadata key of the archive's id. The next four constants are the keys of the data set, the shard
  /// number, the number of shards, and the sort order of the rows.
  ///
  /// Spec: 14-data-sets, section 1.
  package static let idKey = "arc.id"
  package static let dataSetKey = "arc.dataset"
  package static let shardKey = "arc.shard"
  package static let shardsKey = "arc.shards"
  package static let sortedByKey = "arc.sorted-by"

  /// Whether the value of a metadata key describes the rows of this archive. Such an entry must be dropped if
  /// the archive is written again with other rows.
  package static func isOfRows(_ key: String) -> Bool {
    [idKey, dataSetKey, shardKey, shardsKey, sortedByKey].contains(key)
  }

  /// Writes metadata in the order of the UTF-8 bytes of the keys, so that equal metadata is written as equal
  /// bytes.
  ///
  /// Spec: 02-container, rule D1.
  static func write(_ metadata: [(key: String, value: String)], to writer: inout ByteWriter) {
    writer.varint(metadata.count)
    for (key, value) in metadata.sorted(by: { precedes($0.key, $1.key) }) {
      writer.string(key)
      writer.string(value)
    }
  }

  /// Writes the segment. Does nothing if there is no metadata.
  static func write(
    _ metadata: [(key: String, value: String)], to output: inout SegmentWriter
  ) throws(ArchiveError) {
    guard !metadata.isEmpty else { return }
    try output.write(.metadata, first: 0, count: metadata.count) { write(metadata, to: &$0) }
  }

  /// Reads metadata. The keys must be in ascending order. Spec: 02-container, rule D1.
  package static func read(_ reader: inout ByteReader) throws(ArchiveError) -> [(key: String, value: String)]
  {
    let count = try reader.count(itemBytes: 2)
    var metadata: [(key: String, value: String)] = []
    metadata.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.offset
      let key = try reader.string()
      if let last = metadata.last, !precedes(last.key, key) {
        throw ArchiveError(
          .malformedSegment, found: "the metadata key '\(key)' after '\(last.key)'",
          expected: "distinct keys, ordered by their UTF-8 bytes", byteOffset: start)
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
