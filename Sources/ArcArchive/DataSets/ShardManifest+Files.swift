package import ArcFormat

// The files of a data set: its manifest and its shards, all in the folder of the data set. Spec:
// 14-data-sets, rule Q1.

extension ShardManifest {
  /// Reads and checks the manifest in a folder.
  ///
  /// - Throws: `fileSystem` if there is no manifest, `wrongShard` if the manifest is not a regular file or is
  ///   a symbolic link to a file outside the folder, or the errors of `init(_:)`.
  package init(inFolder folder: String, limits: ArchiveLimits) throws {
    let path = folder + "/" + Self.path
    try Self.check(path, isInside: folder)
    try self.init(ArchiveFile(path: path, limits: limits))
  }

  /// Returns the path of the file of a shard. The file is in the folder of the data set.
  ///
  /// - Throws: `danglingReference` if there is no such shard; `wrongShard` if there is no such file, if a
  ///   symbolic link makes the path refer to a file outside the folder, or if the file is not a regular file.
  package func path(ofShard number: Int, inFolder folder: String) throws(ArchiveError) -> String {
    guard shards.indices.contains(number) else {
      throw ArchiveError(
        .danglingReference, found: "shard number \(number)",
        expected: "a shard number below \(shards.count), the number of shards")
    }
    let path = folder + "/" + shards[number].path
    guard try !SystemPath.isMissing(path) else {
      throw ArchiveError(
        .wrongShard, found: "no file at the path of a shard",
        expected: "a file for each shard in the manifest"
      ).located(filePath: path)
    }
    try Self.check(path, isInside: folder)
    return path
  }

  /// Returns the path at which the manifest of a folder is to be written. Creates the enclosing folder if it
  /// does not exist.
  ///
  /// - Throws: `wrongShard` if a symbolic link makes the path refer to a file outside the folder, or if
  ///   something other than a regular file has the path; `fileSystem` if the folder does not exist, or if the
  ///   target of a link does not exist.
  package static func pathForWriting(inFolder folder: String) throws(ArchiveError) -> String {
    let path = folder + "/" + Self.path
    let parent = folder + "/" + (Self.path.split(separator: "/").first.map(String.init) ?? "")
    if try SystemPath.isMissing(parent) { try SystemPath.createFolder(parent) }
    try checkTarget(of: parent, isInside: folder)
    if try !SystemPath.isMissing(path) { try check(path, isInside: folder) }
    return path
  }

  /// Checks that a file of a data set is a regular file in the folder of the data set, before the file is
  /// read or replaced.
  ///
  /// - Throws: the errors of ``path(ofShard:inFolder:)``.
  package static func check(shard path: String, inFolder folder: String) throws(ArchiveError) {
    try check(folder + "/" + path, isInside: folder)
  }

  private static func check(_ path: String, isInside folder: String) throws(ArchiveError) {
    try checkTarget(of: path, isInside: folder)
    // Opening another kind of file, such as a pipe, might block forever.
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
