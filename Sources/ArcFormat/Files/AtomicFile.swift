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
/// The new file is written in the same directory, synced, and then renamed. Permissions and owner are kept as
/// far as the system allows; a symbolic link is followed. If anything fails, or `commit` is not called, the
/// old file stays and the new one is removed. On Linux the new file has no name until it is complete, so even
/// a killed process leaves nothing; where the file system does not support that, or between naming and
/// renaming, the next save of the same file removes what is left (`TemporaryName`).
///
/// Spec: 05-graph, rule W6.
package final class AtomicFile {
  private let place: FileLocation
  /// The status of the file to replace; nil if there is none.
  private let old: stat?
  private let file: OpenFile
  /// The name of `file` in the directory; nil if it has none.
  private var temporary: TemporaryName?

  /// Begins to replace the file at `path`, or to create it.
  ///
  /// - Throws: `fileSystem`.
  package convenience init(replacing path: String) throws(ArchiveError) {
    try self.init(replacing: path, isNamedFromTheStart: false)
  }

  init(replacing path: String, isNamedFromTheStart: Bool) throws(ArchiveError) {
    let place = try FileLocation(path: path)
    var found: stat?
    do throws(SystemError) {
      let old = try place.status()
      found = old
      if let old, !old.isRegularFile {
        // Renaming would replace a device or a pipe by a file.
        throw SystemError(number: old.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
      }
      // Never readable by more users than the file that it replaces, not even while it is written.
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
      throw Self.error(error, path, old: found)
    }
  }

  /// What became of a file that was to be replaced, or made if there is no old one.
  private static func error(_ error: SystemError, _ path: String, old: stat?) -> ArchiveError {
    guard let old else { return error.attempting(to: "create", path, outcome: "no file was created") }
    return error.attempting(
      to: "replace", path,
      outcome: old.isRegularFile ? "the old file is unchanged" : nil)
  }

  /// Creates a locked file without a name; nil if the system does not support that, or cannot name it later.
  private static func unnamedFile(in directory: OpenFile, _ mode: mode_t) -> OpenFile? {
    #if os(Linux)
      // `O_TMPFILE`, a macro too complex for Swift to import. The number is the same on every Linux that
      // Swift supports.
      let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
      guard
        // Not every file system has files without names. If any step fails, the file gets a temporary name.
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

  /// Creates and locks a file; fails with `EEXIST` if the name exists, or another save removed the file
  /// before it was locked.
  private static func namedFile(
    _ name: String, at place: FileLocation, _ mode: mode_t
  ) throws(SystemError) -> OpenFile {
    let file = try OpenFile {
      unsafe openat(
        place.directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    do throws(SystemError) {
      try TemporaryName.lock(file, LOCK_EX | LOCK_NB)
    } catch {
      // Where locks are not supported, those who look for debris cannot lock either.
      guard error.number == EWOULDBLOCK else { return file }
      throw SystemError(number: EEXIST)
    }
    guard TemporaryName.hasName(name, file, at: place) else { throw SystemError(number: EEXIST) }
    return file
  }

  /// A path to an open file, even one without a name.
  private static func descriptorPath(of file: OpenFile) -> String { "/proc/self/fd/\(file.descriptor)" }

  /// Appends bytes to the new file.
  package func write(_ bytes: [UInt8]) throws(ArchiveError) {
    do throws(SystemError) {
      try DescriptorOutput(file.descriptor).writeAll(bytes)
    } catch {
      throw Self.error(error, place.path, old: old)
    }
  }

  /// Replaces the old file by the new one. Called once, at the end.
  package func commit() throws(ArchiveError) {
    do throws(SystemError) {
      if let old { try inheritOwnerAndPermissions(of: old) }
      try synchronize()
      try takePlace()
    } catch {
      throw Self.error(error, place.path, old: old)
    }
    TemporaryName.removeDebris(at: place)
    do throws(SystemError) {
      try place.synchronizeDirectory()
    } catch {
      throw error.attempting(
        to: "synchronize the folder of", place.path,
        remedy: "save again: the new file is complete, but a power failure may restore the old file")
    }
  }

  /// Gives the new file the owner and permissions of the old one, as far as the system allows.
  private func inheritOwnerAndPermissions(of old: stat) throws(SystemError) {
    let new = try file.status()
    var mode = old.st_mode & 0o777
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid,
      fchown(file.descriptor, old.st_uid, old.st_gid) != 0,
      new.st_gid != old.st_gid, fchown(file.descriptor, uid_t.max, old.st_gid) != 0
    {
      // The group is another one: it gets what everybody was allowed, not what the old group was.
      mode = mode & ~0o070 | (mode & 0o007) << 3
    }
    let final = mode
    try systemCall { fchmod(file.descriptor, final) }
  }

  private func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      // On Darwin `fsync` leaves the bytes in the cache of the disk.
      if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try systemCall { fsync(file.descriptor) }
  }

  /// Gives the file its name; if the name exists, by way of a temporary one, since only renaming replaces.
  private func takePlace() throws(SystemError) {
    if temporary == nil {
      if old == nil {
        do throws(SystemError) {
          return try link(to: place.name)
        } catch {
          // Somebody else created the file meanwhile: replace it.
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
