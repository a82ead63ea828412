#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

// The files of a data set: its manifest and its shards, which lie in its folder. Spec: 14-data-sets, rule Q1.

extension ShardManifest {
  /// Reads the manifest of a folder, all of which is checked.
  ///
  /// - Throws: `fileSystem` if there is none, `wrongShard` for one out of the folder, to which a symbolic
  ///   link leads, or that is no file; otherwise as `init(_:)`.
  package init(inFolder folder: String, limits: ArchiveLimits) throws {
    let path = folder + "/" + Self.path
    try Self.check(path, isInside: folder)
    try self.init(ArchiveFile(path: path, limits: limits))
  }

  /// The path of a shard's file, given its number; whatever that is, it lies in the folder of the data set.
  ///
  /// - Throws: `danglingReference` if there is no such shard, `fileSystem` if there is no such file,
  ///   `wrongShard` for one out of the folder, to which a symbolic link leads, or that is no file.
  package func path(ofShard number: Int, inFolder folder: String) throws(ArchiveError) -> String {
    guard shards.indices.contains(number) else {
      throw ArchiveError(
        .danglingReference, found: "shard \(number)", expected: "one of \(plural(shards.count, "shard"))")
    }
    let path = folder + "/" + shards[number].path
    try Self.check(path, isInside: folder)
    return path
  }

  private static func check(_ path: String, isInside folder: String) throws(ArchiveError) {
    let target = try ResolvedPath(path)
    guard target.isInside(try ResolvedPath(folder)) else {
      throw ArchiveError(
        .wrongShard, found: "'\(target)', to which a symbolic link leads", expected: "a file of the folder"
      ).located(filePath: path)
    }
    var status = stat()
    do throws(SystemError) { try systemCall { unsafe stat(path, &status) } } catch {
      throw error.attempting(to: "find", path)
    }
    // Of anything else opening might wait for ever.
    guard status.isRegularFile else {
      throw ArchiveError(.wrongShard, found: "no regular file", expected: "an archive of the data set")
        .located(filePath: path)
    }
  }
}
