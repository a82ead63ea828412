import ArcArchive
import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder of a data set, with its checked manifest. Spec: 14-data-sets, section 3.
struct DataSetFolder {
  let path: String
  let manifest: ShardManifest
  private let limits: ArchiveLimits

  /// Reads and checks the manifest of a folder.
  ///
  /// - Throws: `OtherFileFailure` with the path of the manifest, if the manifest is missing or not valid.
  init(path: String, limits: ArchiveLimits) throws {
    (self.path, self.limits) = (path, limits)
    let manifestPath = path + "/" + ShardManifest.path
    do {
      guard Self.mode(of: manifestPath) != nil else { throw InputFailure(number: ENOENT) }
      manifest = try ShardManifest(inFolder: path, limits: limits)
    } catch {
      throw OtherFileFailure(path: manifestPath, error: error)
    }
  }

  /// Whether the file at a path is a folder.
  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// Verifies each shard, compares it with its description in the manifest, and checks the targets of all
  /// links.
  ///
  /// - Throws: `OtherFileFailure` for the first shard that breaks a rule. Spec: 14-data-sets, rules Q1 to Q4.
  /// - Complexity: O(bytes of all shards) time, and memory for one shard and for the row range of each class
  ///   in each shard.
  func verify() throws {
    try manifest.verify { number, body in try check(number, body) }
  }

  /// The number of objects in all shards, as the manifest states it. `verify` checks the number.
  var objectCount: Int { manifest.shards.reduce(0) { $0 + $1.rowCount - 1 } }

  /// The number of bytes of all shards, as the manifest states it. `verify` checks the number.
  var byteCount: Int { manifest.shards.reduce(0) { $0 + $1.byteCount } }

  private func check(_ number: Int, _ body: (ArchiveFile) throws -> Void) throws {
    let shardPath = path + "/" + manifest.shards[number].path
    do {
      guard Self.mode(of: shardPath) != nil else {
        throw ArchiveError(
          .wrongShard, found: "no file at the path of a shard",
          expected: "a file for each shard in the manifest")
      }
      try body(
        ArchiveFile(mapping: manifest.path(ofShard: number, inFolder: path), limits: limits))
    } catch {
      throw OtherFileFailure(path: shardPath, error: error)
    }
  }
}
