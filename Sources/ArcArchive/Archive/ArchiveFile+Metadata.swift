public import ArcFormat

extension ArchiveFile {
  /// Reads the metadata that the writer of the archive stored. Returns the values by key.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let metadata = try file.metadata()
  ///     print(metadata["author"] ?? "unknown")
  ///
  /// - Returns: the metadata; empty if the archive has no metadata.
  /// - Throws: `ArchiveError` with the code of the damage if the metadata is damaged.
  /// - Complexity: O(*n*) in the number of bytes of the metadata.
  public func metadata() throws(ArchiveError) -> [String: String] {
    // Keys are distinguished by their bytes. If Swift considers two keys equal, the first key is used. No
    // `Dictionary` can have written both.
    Dictionary(try metadataEntries(), uniquingKeysWith: { first, _ in first })
  }

  /// Reads the metadata in the order of the keys' bytes. Spec: 02-container, rule D3.
  package func metadataEntries() throws(ArchiveError) -> [(key: String, value: String)] {
    guard let segment = segments.first(where: { $0.kind == .metadata }) else { return [] }
    let metadata = try metadata(at: segment)
    guard metadata.count == segment.count else {
      throw ArchiveError(
        .indexMismatch, found: plural(metadata.count, "metadata entry", "metadata entries"),
        expected: "\(plural(segment.count, "metadata entry", "metadata entries")), as in the index",
        byteOffset: segment.byteOffset)
    }
    return metadata
  }

  /// Reads the metadata in a segment of the file.
  func metadata(at segment: SegmentInfo) throws(ArchiveError) -> [(key: String, value: String)] {
    let payload = try SegmentPayload(segment, in: store)
    var reader = payload.reader
    return try MetadataSegment.read(&reader)
  }
}
