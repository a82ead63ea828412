package import ArcFormat

// Creates the manifest of existing archives, and converts it to an archive.

extension ShardManifest {
  /// An archive that is to be listed in a manifest.
  package struct Entry {
    package let shard: Shard
    /// The key by which the rows of the archive are sorted; nil if the archive states none.
    let sortedBy: String?
    /// The position of the archive in a data set, as the archive states it.
    let placement: ShardPlacement

    package init(_ shard: Shard, sortedBy: String? = nil, placement: ShardPlacement = ShardPlacement([:])) {
      (self.shard, self.sortedBy, self.placement) = (shard, sortedBy, placement)
    }
  }

  /// Creates a manifest of archives. `sortedBy` of the manifest is set only if all archives are sorted by the
  /// same key.
  ///
  /// - Parameters:
  ///   - entries: the archives, by shard number.
  ///   - dataSetID: the identifier of the data set; nil for the identifier that the archives state.
  ///   - newID: the identifier if `dataSetID` is nil and the archives state none.
  /// - Throws: `wrongShard` if two paths are equal, or if an archive states another position in a data set.
  package init(
    _ entries: [Entry], dataSetID: String?, newID: @autoclosure () -> String
  ) throws(ArchiveError) {
    try Self.checkDistinct(entries.map(\.shard.path))
    let id = dataSetID ?? entries.lazy.compactMap(\.placement.dataSetID).first ?? newID()
    for (number, entry) in entries.enumerated() {
      do throws(ArchiveError) {
        try entry.placement.check(number: number, of: entries.count, in: id)
      } catch {
        throw error.located(filePath: entry.shard.path)
      }
    }
    shards = entries.map(\.shard)
    self.dataSetID = id
    placement = ShardPlacement([:])
    let key = entries.first?.sortedBy
    sortedBy = entries.allSatisfy { $0.sortedBy == key } ? key : nil
  }

  /// Returns entries in the order of the shard numbers that the archives state. Returns them unchanged if an
  /// archive states no number.
  package static func inStatedOrder(_ entries: [Entry]) -> [Entry] {
    guard entries.allSatisfy({ $0.placement.number != nil }) else { return entries }
    return entries.sorted { ($0.placement.number ?? 0) < ($1.placement.number ?? 0) }
  }

  /// Returns the manifest as the bytes of an archive.
  package func archive() throws(ArchiveError) -> [UInt8] {
    var metadata = [MetadataSegment.shardsKey: "\(shards.count)"]
    metadata[MetadataSegment.dataSetKey] = dataSetID
    metadata[MetadataSegment.sortedByKey] = sortedBy
    let builder = try ArchiveBuilder(
      roots: [.init(Self.rootName, type: "$[@\"\(Self.className)\"]")], metadata: metadata)
    try builder.addClass(
      Self.className, properties: Self.properties.map { .init($0.key, type: $0.type) })
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
  /// Describes an archive at a path in the folder of a data set.
  ///
  /// - Throws: `wrongShard` if the archive has no `arc.id`, or the code of the damage if the archive is
  ///   damaged.
  package static func describing(_ file: ArchiveFile, path: String) throws -> ShardManifest.Entry {
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
    return ShardManifest.Entry(shard, sortedBy: sortedBy, placement: ShardPlacement(metadata))
  }

  /// Checks that an archive is the archive that the manifest describes. Spec: 14-data-sets, rule Q2.
  ///
  /// - Parameters:
  ///   - file: the archive.
  ///   - countsRows: whether the rows of each class are counted.
  /// - Throws: `wrongShard` if the archive is not the described archive, or the code of the damage if the
  ///   archive is damaged.
  package func check(_ file: ArchiveFile, countsRows: Bool) throws(ArchiveError) {
    guard file.byteCount == byteCount else {
      throw Self.differs("an archive of \(plural(file.byteCount, "byte"))", plural(byteCount, "byte"))
    }
    guard file.rowCount == rowCount else {
      throw Self.differs("an archive of \(plural(file.rowCount, "row"))", plural(rowCount, "row"))
    }
    let id = try file.metadata()[MetadataSegment.idKey]
    guard let id, id == idText else {
      throw Self.differs(
        id.map { "an archive with the arc.id \($0)" } ?? "an archive without an arc.id",
        "the arc.id \(idText)")
    }
    guard countsRows else { return }
    for (description, count) in zip(file.classes, try file.rowCounts()).dropFirst()
    where count != rowCounts[description.name] ?? 0 {
      throw Self.differs(
        "\(plural(count, "object")) of class '\(description.name)'",
        plural(rowCounts[description.name] ?? 0, "object"))
    }
    let names = Set(file.classes.map(\.name))
    if let (name, count) = rowCounts.first(where: { $0.value > 0 && !names.contains($0.key) }) {
      throw Self.differs("no class '\(name)' in the archive", "\(plural(count, "object")) of class '\(name)'")
    }
  }

  /// Checks that `least` and `most`, if the manifest has them, are the minimum and the maximum of the values
  /// by which the rows of an archive are sorted. Spec: 14-data-sets, rule Q2.
  ///
  /// - Throws: `wrongShard` if they differ, or the code of the damage if the archive is damaged.
  func checkExtent(_ file: ArchiveFile, sortedBy: String) throws {
    guard let least, let most else { return }
    let sorting = try RowSorting(sortedBy, file)
    guard let sorting, sorting.hasOrder else {
      throw Self.differs("no values of '\(sortedBy)' in the archive", "'least' and 'most'")
    }
    guard try sorting.isExtent(least: least, most: most) else {
      throw Self.differs(
        "another least or greatest value of '\(sortedBy)'", "'least' \(least) and 'most' \(most)")
    }
  }

  private static func differs(_ found: String, _ expected: String) -> ArchiveError {
    ArchiveError(
      .wrongShard, found: found, expected: "\(expected), as in the manifest",
      remedy: "after writing archives, write the manifest again with ShardedArchive.writeManifest(in:)")
  }
}

extension ShardManifest {
  /// Checks that an archive is the shard that the manifest describes under a number. Spec: 14-data-sets, rule
  /// Q2.
  ///
  /// - Throws: `wrongShard` if the archive is not this shard, or the code of the damage if the archive is
  ///   damaged.
  package func check(_ file: ArchiveFile, isShard number: Int) throws(ArchiveError) {
    try shards[number].check(file, countsRows: false)
    try ShardPlacement(file.metadata()).check(number: number, of: shards.count, in: placement.dataSetID)
  }
}
