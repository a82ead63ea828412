import Arc
import ArcArchive
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Writing a data set. The shards are ordinary archives, which any processes can write. The manifest is
// written last.

extension ShardedArchive {
  /// Returns the metadata with which an `Archiver` must write a shard.
  ///
  ///     let metadata = ShardedArchive.metadata(ofShard: 0, in: dataSet)
  ///     let archiver = Archiver(metadata: metadata, layout: .columnar())
  ///     try archiver.write(orders, to: folder.appendingPathComponent("part-00000.arc"))
  ///
  /// - Parameters:
  ///   - number: the number of the shard.
  ///   - count: the number of shards; nil if unknown.
  ///   - dataSet: the identifier of the data set.
  ///   - id: the identifier of the shard's archive. Use a new identifier each time the shard is written.
  /// - Returns: the metadata values by key. Spec: 14-data-sets, section 1.
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

  /// Writes the manifest that makes the archives in a folder a data set.
  ///
  ///     try ShardedArchive.writeManifest(in: folder)
  ///
  /// An existing manifest is replaced atomically.
  ///
  /// - Parameters:
  ///   - folder: the folder of the data set.
  ///   - paths: the paths of the archives relative to the folder, by shard number. A path has `/` between its
  ///     components. If `paths` is nil, the data set consists of all `.arc` files in the folder and its
  ///     subfolders, except files with a path component that begins with `_` or `.`. The shards are in the
  ///     order of the numbers in their metadata. If an archive has no number, the shards are in the order of
  ///     the bytes of their paths.
  ///   - id: the identifier of the data set. If `id` is nil, the manifest gets the identifier that the
  ///     metadata of the archives states, or a new identifier if the metadata states none.
  /// - Throws: `ArchiveError` with code `wrongShard` if an archive has no `arc.id` in its metadata, the
  ///   metadata states a shard number, a number of shards or a data set that differs from the manifest, a
  ///   path is not allowed, or a symbolic link points outside the folder; `fileSystem` if a file cannot be
  ///   read or written; or the error of reading a damaged archive.
  public static func writeManifest(in folder: URL, of paths: [String]? = nil, id: UUID? = nil) throws {
    let shardPaths = try paths ?? pathsOfShards(in: folder)
    for path in shardPaths { try ShardManifest.check(path: path) }
    let folderPath = try folder.localPath()
    let entries = try shardPaths.map { path in
      try ShardManifest.check(shard: path, inFolder: folderPath)
      let url = folder.appendingPathComponent(path)
      return try ArchiveError.locating(inFile: url) {
        try ShardManifest.Shard.describing(ArchiveFile(mapping: url), path: path)
      }
    }
    let manifest = try ShardManifest(
      paths == nil ? ShardManifest.inStatedOrder(entries) : entries, dataSetID: id?.uuidString,
      newID: UUID().uuidString)
    let path = try ShardManifest.pathForWriting(inFolder: folderPath)
    try ArchiveFile(bytes: manifest.archive()).write(to: URL(fileURLWithPath: path))
  }

  private static func pathsOfShards(in folder: URL) throws -> [String] {
    try folder.pathsInFolder().filter { name in
      name.hasSuffix(".arc")
        && !name.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
