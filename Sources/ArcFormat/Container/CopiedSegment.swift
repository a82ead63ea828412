/// A segment of a kind that this library does not know, to be copied to an archive with other rows.
///
/// Spec: 15-conformance, section 3.
package struct CopiedSegment {
  /// The kind of the segment, and *first* and *count* of its index entry.
  let info: SegmentInfo
  /// The payload, not compressed.
  let payload: [UInt8]

  /// Reads a segment.
  ///
  /// - Throws: the code of the damage if the segment is damaged.
  package init(_ info: SegmentInfo, in store: ByteStore) throws(ArchiveError) {
    self.info = info
    let stored = try SegmentPayload(info, in: store)
    // `stored` owns the decompressed bytes.
    payload = withExtendedLifetime(stored) { Array(stored.bytes) }
  }
}
