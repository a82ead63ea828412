package import ArcFormat

// Creates the manifest of existing archives, and converts it to an archive.

extension ShardManifest {
  /// Creates a manifest of described shards. `sortedBy` of the manifest is set only if all shards are sorted
  /// by the same key.
  package init(_ shards: [(shard: Shard, sortedBy: String?)], dataSetID: String) throws(ArchiveError) {
    try Self.checkDistinct(shards.map(\.shard.path))
    self.shards = shards.map(\.shard)
    self.dataSetID = dataSetID
    let key = shards.first?.sortedBy
    sortedBy = shards.allSatisfy { $0.sortedBy == key } ? key : nil
  }

  /// Returns the manifest as the bytes of an archive.
  package func archive() throws(ArchiveError) -> [UInt8] {
    var metadata = [MetadataSegment.shardsKey: "\(shards.count)"]
    metadata[MetadataSegment.dataSetKey] = dataSetID
    metadata[MetadataSegment.sortedByKey] = sortedBy
    let builder = try ArchiveBuilder(
      roots: [.init(Self.rootName, type: "$[@\"\(Self.className)\"]")], metadata: metadata)
    try builder.addClass(
      Self.className,
      properties: [
        .init("path", type: #"@"NSString""#), .init("id", type: #"@"NSUUID""#), .init("rows", type: "Q"),
        .init("bytes", type: "Q"), .init("classes", type: #"$<@"NSString":Q>"#), .init("least", type: "$?Q"),
        .init("most", type: "$?Q"),
      ])
    func number(_ value: Int) -> ArchiveValue { .integer(Int128(value)) }
    func bound(_ value: UInt64?) -> ArchiveValue { value.map { .integer(Int128($0)) } ?? .null }
    var objects: [ArchiveValue] = []
    for shard in shards {
      let counts = shard.rowCounts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      objects.append(
        .reference(
          try builder.addObject(
            ofClass: Self.className,
            [
              "path": ArchiveValue.string(shard.path), "id": .uuid(shard.id), "rows": number(shard.rowCount),
              "bytes": number(shard.byteCount),
              "classes": .dictionary(counts.map { .init(key: .string($0.key), value: number($0.value)) }),
              "least": bound(shard.least), "most": bound(shard.most),
            ])))
    }
    try builder.setRoots([.init(Self.rootName): ArchiveValue.array(objects)])
    return try builder.finish()
  }
}

extension ShardManifest.Shard {
  /// Describes an archive at a path in the folder of a data set. Also returns the key by which the rows of
  /// the archive are sorted.
  ///
  /// - Throws: `wrongShard` if the archive has no `arc.id`, or the code of the damage if the archive is
  ///   damaged.
  package static func describing(
    _ file: ArchiveFile, path: String
  ) throws -> (shard: ShardManifest.Shard, sortedBy: String?) {
    let metadata = try file.metadata()
    guard let id = metadata[MetadataSegment.idKey].flatMap({ UUIDNotation.bytes($0) }) else {
      throw ArchiveError(
        .wrongShard, found: "an archive without a UUID under 'arc.id' in its metadata",
        expected: "a UUID under 'arc.id' in the metadata of each archive",
        remedy: "write the archive with Archiver(metadata: ShardedArchive.metadata(…))")
    }
    var counts: [String: Int] = [:]
    for (description, count) in zip(file.classes, try file.rowCounts()).dropFirst() where count > 0 {
      counts[description.name] = count
    }
    let sortedBy = metadata[MetadataSegment.sortedByKey]
    // Metadata in another form has no meaning, so errors are ignored.
    let extent = try? sortedBy.flatMap { try RowSorting($0, file) }?.extent()
    let shard = ShardManifest.Shard(
      path: path, id: (0..<16).map { UInt8(truncatingIfNeeded: id >> UInt128($0 * 8)) },
      rowCount: file.rowCount, byteCount: file.byteCount, rowCounts: counts, least: extent?.least,
      most: extent?.most)
    return (shard, sortedBy)
  }

  /// Checks that an archive is the archive that the manifest describes. Spec: 14-data-sets, rule Q2.
  ///
  /// - Parameters:
  ///   - file: the archive.
  ///   - countsRows: whether the rows of each class are counted.
  /// - Throws: `wrongShard` if the archive is not the described archive, or the code of the damage if the
  ///   archive is damaged.
  package func check(_ file: ArchiveFile, countsRows: Bool) throws(ArchiveError) {
    func differs(_ found: String, _ expected: String) -> ArchiveError {
      ArchiveError(
        .wrongShard, found: found, expected: "\(expected), as in the manifest",
        remedy: "after writing archives, write the manifest again with ShardedArchive.writeManifest(in:)")
    }
    guard file.byteCount == byteCount else {
      throw differs("an archive of \(plural(file.byteCount, "byte"))", plural(byteCount, "byte"))
    }
    guard file.rowCount == rowCount else {
      throw differs("an archive of \(plural(file.rowCount, "row"))", plural(rowCount, "row"))
    }
    let id = try file.metadata()[MetadataSegment.idKey]
    guard let id, id == idText else {
      throw differs(
        id.map { "an archive with the arc.id \($0)" } ?? "an archive without an arc.id",
        "the arc.id \(idText)")
    }
    guard countsRows else { return }
    for (description, count) in zip(file.classes, try file.rowCounts()).dropFirst()
    where count != rowCounts[description.name] ?? 0 {
      throw differs(
        "\(plural(count, "object")) of class '\(description.name)'",
        plural(rowCounts[description.name] ?? 0, "object"))
    }
    let names = Set(file.classes.map(\.name))
    if let (name, count) = rowCounts.first(where: { $0.value > 0 && !names.contains($0.key) }) {
      throw differs("no class '\(name)' in the archive", "\(plural(count, "object")) of class '\(name)'")
    }
  }
}
