import ArcFormat

/// The position of an archive in a data set, as the metadata of the archive states it.
///
/// A value is nil if the metadata does not contain it, or contains it in another form than the Spec defines.
/// Spec: 14-data-sets, section 1.
package struct ShardPlacement: Hashable, Sendable {
  /// The UUID of the data set, from `arc.dataset`.
  package let dataSetID: String?
  /// The number of the archive among the shards, from `arc.shard`.
  package let number: Int?
  /// The number of shards, from `arc.shards`.
  package let shardCount: Int?

  /// Reads the placement from the metadata of an archive or of a manifest.
  package init(_ metadata: [String: String]) {
    dataSetID = metadata[MetadataSegment.dataSetKey].flatMap { text in
      UUIDNotation.bytes(text).map { UUIDNotation.text($0) == text } == true ? text : nil
    }
    number = Self.number(metadata[MetadataSegment.shardKey])
    shardCount = Self.number(metadata[MetadataSegment.shardsKey])
  }

  /// Parses decimal digits without leading zeros. Nil for another form, and from 2^31 on.
  private static func number(_ text: String?) -> Int? {
    guard let text, let number = Int32(text), number >= 0, "\(number)" == text else { return nil }
    return Int(number)
  }

  /// Checks that the placement agrees with the position of the archive in a manifest. Spec: 14-data-sets,
  /// rule Q2.
  ///
  /// - Parameters:
  ///   - number: the number of the archive in the manifest.
  ///   - shardCount: the number of shards in the manifest.
  ///   - dataSetID: the identifier of the manifest; nil if the manifest has no valid identifier.
  /// - Throws: `wrongShard` if a stated value differs.
  func check(number: Int, of shardCount: Int, in dataSetID: String?) throws(ArchiveError) {
    func differs(_ found: String, _ expected: String) -> ArchiveError {
      ArchiveError(
        .wrongShard, found: "\(found) in the metadata of the archive",
        expected: "\(expected), as in the manifest",
        remedy: "list the archives in the order of their 'arc.shard', and write the manifest with the "
          + "'arc.dataset' of the archives; the links of the archives rely on both")
    }
    if let stated = self.number, stated != number {
      throw differs("the arc.shard \(stated)", "\(number)")
    }
    if let stated = self.shardCount, stated != shardCount {
      throw differs("the arc.shards \(stated)", "\(shardCount)")
    }
    if let stated = self.dataSetID, let dataSetID, stated != dataSetID {
      throw differs("the arc.dataset \(stated)", dataSetID)
    }
  }
}
