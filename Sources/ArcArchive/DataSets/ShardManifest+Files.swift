package import ArcFormat

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
        .danglingReference, found: "shard number \(number)",
        expected: "a shard number below \(shards.count), the number of shards")
    }
    let path = folder + "/" + shards[number].path
    try Self.check(path, isInside: folder)
    return path
  }

  /// The path at which the manifest of a folder is to be written. Makes the folder that it is in, if there is
  /// none.
  ///
  /// - Throws: `wrongShard` if a symbolic link leads out of the folder there, as for reading, or something
  ///   else than a file has the name; `fileSystem` if there is no such folder, or a link leads nowhere.
  package static func pathForWriting(inFolder folder: String) throws(ArchiveError) -> String {
    let path = folder + "/" + Self.path
    let parent = folder + "/" + (Self.path.split(separator: "/").first.map(String.init) ?? "")
    if try SystemPath.isMissing(parent) { try SystemPath.createFolder(parent) }
    try checkTarget(of: parent, isInside: folder)
    if try !SystemPath.isMissing(path) { try check(path, isInside: folder) }
    return path
  }

  /// Checks that a file of a data set lies in its folder, before it is read or replaced.
  ///
  /// - Throws: as ``path(ofShard:inFolder:)`` does.
  package static func check(shard path: String, inFolder folder: String) throws(ArchiveError) {
    try check(folder + "/" + path, isInside: folder)
  }

  private static func check(_ path: String, isInside folder: String) throws(ArchiveError) {
    try checkTarget(of: path, isInside: folder)
    // Of anything else opening might wait for ever.
    guard try SystemPath.isRegularFile(path) else {
      throw ArchiveError(
        .wrongShard, found: "a path that does not refer to a regular file",
        expected: "the path of an archive of the data set"
      )
      .located(filePath: path)
    }
  }

  private static func checkTarget(of path: String, isInside folder: String) throws(ArchiveError) {
    let target = try ResolvedPath(path)
    guard target.isInside(try ResolvedPath(folder)) else {
      throw ArchiveError(
        .wrongShard, found: "a symbolic link to '\(target)'",
        expected: "a file in the folder of the data set"
      ).located(filePath: path)
    }
  }
}
