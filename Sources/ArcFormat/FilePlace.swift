#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Where a file is or will be: an open directory and a name in it. What happens to the path meanwhile, say a directory
/// that is exchanged for another one, does not change it.
struct FilePlace {
  /// As many links in a row as Linux follows.
  private static let greatestLinkCount = 40

  let directory: OpenFile
  let name: String
  /// For messages.
  let path: String

  /// Finds the place that a path means; symbolic links are followed, also one that leads to no file yet.
  init(path: String) throws(ArchiveError) {
    var path = path
    do throws(SystemError) {
      for _ in 0...Self.greatestLinkCount {
        let place = try FilePlace(withoutFollowing: path)
        guard let target = try place.linkTarget() else {
          self = place
          return
        }
        path = target.utf8.first == UInt8(ascii: "/") ? target : Self.directoryPath(of: path) + target
      }
      throw SystemError(number: ELOOP)
    } catch {
      throw error.attempting(to: "find", path)
    }
  }

  private init(withoutFollowing path: String) throws(SystemError) {
    self.path = path
    let directoryPath = Self.directoryPath(of: path)
    let start = Self.lastSlash(in: path).map(path.utf8.index(after:)) ?? path.startIndex
    name = String(path[start...])
    guard !name.isEmpty, !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
    directory = try OpenFile { unsafe open(directoryPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  }

  private static func directoryPath(of path: String) -> String {
    lastSlash(in: path).map { String(path[..<path.utf8.index(after: $0)]) } ?? "./"
  }

  /// Among bytes: a combining character behind the slash would hide it among characters.
  private static func lastSlash(in path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// What has this name now, not followed if it is a link; nil if there is nothing.
  func status() throws(SystemError) -> stat? { try status(ofName: name) }

  /// What has another name in the same directory.
  func status(ofName name: String) throws(SystemError) -> stat? {
    var status = stat()
    do throws(SystemError) {
      try systemCall { unsafe fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) }
    } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
    return status
  }

  /// Where the link with this name leads; nil if it is no link.
  ///
  /// In a directory where everybody may make files, such as `/tmp`, a link of somebody else is not followed: it may
  /// have been put there to have a file of ours replaced. Linux itself has the same rule (`protected_symlinks`).
  private func linkTarget() throws(SystemError) -> String? {
    guard let link = try status(), link.isSymbolicLink else { return nil }
    let parent = try directory.status()
    let isShared = parent.st_mode & mode_t(S_ISVTX) != 0 && parent.st_mode & mode_t(S_IWOTH) != 0
    if isShared, link.st_uid != geteuid(), link.st_uid != parent.st_uid {
      throw SystemError(number: EACCES)
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try systemCall {
      unsafe readlinkat(directory.descriptor, name, &buffer, buffer.count)
    }
    // Exchanged by another one while we looked: not to be trusted.
    guard let now = try status(), now.isSameFile(as: link) else { throw SystemError(number: EACCES) }
    let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
    guard let target = String(validating: bytes, as: UTF8.self) else {
      throw SystemError(number: EILSEQ)
    }
    return target
  }

  /// Makes the names in the directory durable, where the file system can.
  func synchronizeDirectory() throws(SystemError) {
    do throws(SystemError) {
      try systemCall { fsync(directory.descriptor) }
    } catch {
      guard error.number == EINVAL || error.number == ENOTSUP else { throw error }
    }
  }
}
