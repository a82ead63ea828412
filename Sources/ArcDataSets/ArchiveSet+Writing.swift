import Arc
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// How a data set comes to be: its shards are archives like any other, each written by whatever process; the
// manifest is written last.

extension ArchiveSet {
  /// What a shard says of itself, for `Archiver/metadata`.
  ///
  ///     let archiver = Archiver(metadata: ArchiveSet.metadata(ofShard: 0, in: dataSet), order: .byClass)
  ///     try archiver.write(orders, to: folder.appendingPathComponent("part-00000.arc"))
  ///
  /// - Parameters:
  ///   - number: the number of the shard.
  ///   - count: how many shards there are; nil if that is not known yet.
  ///   - dataSet: which data set it belongs to.
  ///   - id: which archive it is: another one each time that it is written.
  /// - Returns: the entries, by their keys. Spec: 14-data-sets, section 1.
  public static func metadata(
    ofShard number: Int, of count: Int? = nil, in dataSet: UUID, id: UUID = UUID()
  ) -> [String: String] {
    var metadata = [
      MetadataSegment.idKey: id.uuidString, MetadataSegment.dataSetKey: dataSet.uuidString,
      MetadataSegment.shardKey: "\(number)",
    ]
    metadata[MetadataSegment.shardsKey] = count.map { "\($0)" }
    return metadata
  }

  /// Writes the manifest of archives that are in a folder, which makes a data set of them. The manifest is
  /// replaced as a whole.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - paths: the archives in the order of their numbers, relative to the folder, with `/` between the
  ///     names of folders; nil for all files `.arc` in the folder and those in it, in the order of the bytes
  ///     of their paths, but for those of which a part begins with `_` or `.`.
  ///   - id: which data set it is.
  /// - Throws: `ArchiveError` with code `wrongShard` for an archive that has no `arc.id`, a path that none
  ///   can have, or a symbolic link that leads out of the folder, as that of an archive or of the manifest;
  ///   `fileSystem` if a file cannot be read or written; or what is wrong with an archive.
  public static func writeManifest(in folder: URL, of paths: [String]? = nil, id: UUID = UUID()) throws {
    let paths = try paths ?? pathsOfShards(in: folder)
    for path in paths { try ShardManifest.check(path: path) }
    let place = try folder.localPath()
    let shards = try paths.map { path in
      try ShardManifest.check(shard: path, inFolder: place)
      let url = folder.appendingPathComponent(path)
      return try ArchiveError.locating(inFile: url) {
        try ShardManifest.Shard.describing(ArchiveFile(mapping: url), path: path)
      }
    }
    let bytes = try ShardManifest(shards, dataSetID: id.uuidString).archive()
    let path = try ShardManifest.pathForWriting(inFolder: place)
    try Archiver.write(archive: bytes, to: URL(fileURLWithPath: path))
  }

  private static func pathsOfShards(in folder: URL) throws -> [String] {
    try folder.pathsInFolder().filter { name in
      name.hasSuffix(".arc")
        && !name.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
