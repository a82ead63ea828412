#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The location of a file that exists or will exist: an open directory, and a name in this directory. If the
/// path changes later, for example because a directory is replaced, the location stays unchanged.
struct FileLocation {
  /// The maximum number of symbolic links that are followed for one path, as on Linux.
  private static let maximumLinkCount = 40

  let directory: OpenFile
  let name: String
  /// The path for error messages.
  let path: String

  /// Finds the location to which a path refers. Follows symbolic links, even a link whose target does not
  /// exist.
  init(path: String) throws(ArchiveError) {
    var path = path
    do throws(SystemError) {
      for _ in 0...Self.maximumLinkCount {
        let location = try FileLocation(withoutFollowing: path)
        guard let target = try location.linkTarget() else {
          self = location
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

  /// Returns the index of the last slash. Searches bytes instead of characters, because a slash and a
  /// following combining character form one character.
  private static func lastSlash(in path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// Returns the status of the file at this location. Does not follow symbolic links. Nil if there is no such
  /// file.
  func status() throws(SystemError) -> stat? { try status(ofName: name) }

  /// Returns the status of a file in the directory of this location. Does not follow symbolic links. Nil if
  /// there is no such file.
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

  /// Returns the target of the symbolic link at this location. Nil if the file is not a symbolic link.
  ///
  /// In a directory in which all users can create files, such as `/tmp`, links of other users are not
  /// followed. Such a link could make this process replace a file of its own user. Linux has the same rule
  /// (`protected_symlinks`).
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
    // If another process replaced the link meanwhile, the target cannot be trusted.
    guard let now = try status(), now.isSameFile(as: link) else { throw SystemError(number: EACCES) }
    let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
    guard let target = String(validating: bytes, as: UTF8.self) else {
      throw SystemError(number: EILSEQ)
    }
    return target
  }

  /// Synchronizes the directory to disk, if the file system supports it, so that the names in it survive a
  /// power failure.
  func synchronizeDirectory() throws(SystemError) {
    do throws(SystemError) {
      try systemCall { fsync(directory.descriptor) }
    } catch {
      guard error.number == EINVAL || error.number == ENOTSUP else { throw error }
    }
  }
}
