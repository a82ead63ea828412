#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Replaces a file as a whole: who reads it sees the old content or the new one, whatever happens in between.
///
///     let file = try AtomicFile(replacing: path)
///     try file.write(bytes)
///     try file.commit()
///
/// The new file is written in the same directory, made durable, and then renamed. Permissions and owner are kept, as
/// far as the system allows; a symbolic link is followed. If anything fails, or `commit` is not called, the old
/// file stays and the new one goes. On Linux the new file has no name until it is complete, so even a process that is
/// killed leaves nothing; where the file system cannot do that, or in the moment between naming and renaming, the
/// next save of the same file removes what is left (`TemporaryName`). Spec: 05-graph, rule W6.
package final class AtomicFile {
  private let place: FilePlace
  /// The file that is replaced, if there is one.
  private let old: stat?
  private let file: OpenFile
  /// The name of `file` in the directory, if it has one.
  private var temporary: TemporaryName?

  /// Begins to replace the file at `path`, or to make it. Throws `fileSystem`.
  package convenience init(replacing path: String) throws(ArchiveError) {
    try self.init(replacing: path, isNamedFromTheStart: false)
  }

  init(replacing path: String, isNamedFromTheStart: Bool) throws(ArchiveError) {
    let place = try FilePlace(path: path)
    do throws(SystemError) {
      let old = try place.status()
      if let old, !old.isRegularFile {
        // Renaming would replace a device or a pipe by a file.
        throw SystemError(number: old.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
      }
      // Never readable by more people than the file that it replaces, not even while it is written.
      let mode = old.map { $0.st_mode & 0o600 } ?? 0o666
      if !isNamedFromTheStart, let file = Self.unnamedFile(in: place.directory, mode) {
        self.file = file
      } else {
        var file: OpenFile?
        temporary = try TemporaryName(for: place) { name throws(SystemError) in
          file = try Self.namedFile(name, at: place, mode)
        }
        guard let file else { throw SystemError(number: EEXIST) }
        self.file = file
      }
      (self.place, self.old) = (place, old)
    } catch {
      throw error.attempting(to: "replace", path, remedy: Self.remedy)
    }
  }

  private static let remedy = "the file that was there before is unchanged"

  /// A locked file without a name, where the system has such files and can name them later.
  private static func unnamedFile(in directory: OpenFile, _ mode: mode_t) -> OpenFile? {
    #if os(Linux)
      // `O_TMPFILE`, which is too much of a macro for Swift. The number is the same wherever Swift runs on Linux.
      let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
      guard
        let file = try? OpenFile({
          unsafe openat(directory.descriptor, ".", unnamed | O_WRONLY | O_CLOEXEC, mode)
        }), unsafe access(descriptorPath(of: file), F_OK) == 0,
        (try? TemporaryName.lock(file, LOCK_EX | LOCK_NB)) != nil
      else { return nil }
      return file
    #else
      return nil
    #endif
  }

  /// A file that did not exist; `EEXIST` also where somebody took it for debris before it was locked.
  private static func namedFile(
    _ name: String, at place: FilePlace, _ mode: mode_t
  ) throws(SystemError) -> OpenFile {
    let file = try OpenFile {
      unsafe openat(
        place.directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    do throws(SystemError) {
      try TemporaryName.lock(file, LOCK_EX | LOCK_NB)
    } catch {
      // A file system without locks has none for who looks for debris either.
      guard error.number == EWOULDBLOCK else { return file }
      throw SystemError(number: EEXIST)
    }
    guard TemporaryName.hasName(name, file, at: place) else { throw SystemError(number: EEXIST) }
    return file
  }

  /// Under this path an open file can be found even if it has no name.
  private static func descriptorPath(of file: OpenFile) -> String { "/proc/self/fd/\(file.descriptor)" }

  /// Appends to the new file.
  package func write(_ bytes: [UInt8]) throws(ArchiveError) {
    do throws(SystemError) {
      try DescriptorOutput(file.descriptor).writeAll(bytes)
    } catch {
      throw error.attempting(to: "write a new version of", place.path, remedy: Self.remedy)
    }
  }

  /// Puts the new file into the place of the old one. To be called once, at the end.
  package func commit() throws(ArchiveError) {
    do throws(SystemError) {
      if let old { try inheritOwnerAndPermissions(of: old) }
      try synchronize()
      try takePlace()
    } catch {
      throw error.attempting(to: "replace", place.path, remedy: Self.remedy)
    }
    TemporaryName.removeDebris(at: place)
    do throws(SystemError) {
      try place.synchronizeDirectory()
    } catch {
      throw error.attempting(
        to: "make durable the directory of", place.path,
        remedy: "the new file is in its place, but a power failure may bring back the old one")
    }
  }

  private func inheritOwnerAndPermissions(of old: stat) throws(SystemError) {
    let new = try file.status()
    var mode = old.st_mode & 0o777
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid,
      fchown(file.descriptor, old.st_uid, old.st_gid) != 0,
      new.st_gid != old.st_gid, fchown(file.descriptor, uid_t.max, old.st_gid) != 0
    {
      // What the old group was allowed is not for the new one, but what everybody was.
      mode = mode & ~0o070 | (mode & 0o007) << 3
    }
    let final = mode
    try systemCall { fchmod(file.descriptor, final) }
  }

  private func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      // `fsync` there leaves the bytes in the cache of the disk.
      if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try systemCall { fsync(file.descriptor) }
  }

  /// Gives the file its name; an existing one needs a detour, since only renaming replaces.
  private func takePlace() throws(SystemError) {
    if temporary == nil {
      if old == nil {
        do throws(SystemError) {
          return try link(to: place.name)
        } catch {
          // Somebody else was faster: to be replaced.
          guard error.number == EEXIST else { throw error }
        }
      }
      temporary = try TemporaryName(for: place) { name throws(SystemError) in try link(to: name) }
    }
    guard let name = temporary?.text else { return }
    let directory = place.directory.descriptor
    try systemCall { unsafe renameat(directory, name, directory, place.name) }
    temporary = nil
  }

  private func link(to name: String) throws(SystemError) {
    let path = Self.descriptorPath(of: file)
    try systemCall { unsafe linkat(AT_FDCWD, path, place.directory.descriptor, name, AT_SYMLINK_FOLLOW) }
  }

  deinit {
    if let temporary { _ = unsafe unlinkat(place.directory.descriptor, temporary.text, 0) }
  }
}
