#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Replaces a file as a whole. Another process that reads the file sees either the old or the new content,
/// even if an error occurs while the new file is written.
///
///     let file = try AtomicFile(replacing: path)
///     try file.write(bytes)
///     try file.commit()
///
/// The new file is written in the directory of the old file, synchronized to disk, and renamed. It gets the
/// permissions and the owner of the old file, as far as the system allows. A symbolic link is followed. If an
/// error occurs, or if `commit` is not called, the old file remains and the new file is removed.
///
/// On Linux, the new file has no name until it is complete, so no temporary file remains if the process is
/// killed. In two cases, a temporary file can remain: the file system does not support files without names,
/// or the process is killed between naming and renaming the new file. The next save of the same file then
/// removes the temporary file (`TemporaryName`).
///
/// Spec: 05-graph, rule W6.
package final class AtomicFile {
  private let location: FileLocation
  /// The status of the old file. Nil if there is no old file.
  private let old: stat?
  private let file: OpenFile
  /// The temporary name of the new file in the directory. Nil if the new file has no name.
  private var temporary: TemporaryName?

  /// Begins to replace the file at `path`, or to create it if it does not exist.
  ///
  /// - Throws: `fileSystem`.
  package convenience init(replacing path: String) throws(ArchiveError) {
    try self.init(replacing: path, isNamedFromTheStart: false)
  }

  init(replacing path: String, isNamedFromTheStart: Bool) throws(ArchiveError) {
    let location = try FileLocation(path: path)
    var found: stat?
    do throws(SystemError) {
      let old = try location.status()
      found = old
      if let old, !old.isRegularFile {
        // Renaming would replace a device or a pipe with a file.
        throw SystemError(number: old.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
      }
      // The new file is never readable by more users than the old file, also while it is written.
      let mode = old.map { $0.st_mode & 0o600 } ?? 0o666
      if !isNamedFromTheStart, let file = Self.unnamedFile(in: location.directory, mode) {
        self.file = file
      } else {
        var file: OpenFile?
        temporary = try TemporaryName(for: location) { name throws(SystemError) in
          file = try Self.namedFile(name, at: location, mode)
        }
        guard let file else { throw SystemError(number: EEXIST) }
        self.file = file
      }
      (self.location, self.old) = (location, old)
    } catch {
      throw Self.error(error, path, old: found)
    }
  }

  /// Creates the error of a failed save. It states what was attempted (to replace or to create the file) and
  /// what remains (the unchanged old file or no file).
  private static func error(_ error: SystemError, _ path: String, old: stat?) -> ArchiveError {
    guard let old else { return error.attempting(to: "create", path, outcome: "no file was created") }
    return error.attempting(
      to: "replace", path,
      outcome: old.isRegularFile ? "the old file is unchanged" : nil)
  }

  /// Creates and locks a file without a name. Returns nil if the system does not support such files, or
  /// cannot name the file later.
  private static func unnamedFile(in directory: OpenFile, _ mode: mode_t) -> OpenFile? {
    #if os(Linux)
      // `O_TMPFILE` is a macro that is too complex for Swift to import. Its value is the same on each Linux
      // platform of Swift.
      let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
      guard
        // Some file systems do not support files without names. If a step fails, the file gets a temporary
        // name.
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

  /// Creates and locks a file. Fails with `EEXIST` if the name exists, or if another save removed the file
  /// before it was locked.
  private static func namedFile(
    _ name: String, at location: FileLocation, _ mode: mode_t
  ) throws(SystemError) -> OpenFile {
    let file = try OpenFile {
      unsafe openat(
        location.directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    do throws(SystemError) {
      try TemporaryName.lock(file, LOCK_EX | LOCK_NB)
    } catch {
      // If locks are not supported, a save that removes debris cannot lock the file either.
      guard error.number == EWOULDBLOCK else { return file }
      throw SystemError(number: EEXIST)
    }
    guard TemporaryName.hasName(name, file, at: location) else { throw SystemError(number: EEXIST) }
    return file
  }

  /// Returns a path to an open file, which may have no name.
  private static func descriptorPath(of file: OpenFile) -> String { "/proc/self/fd/\(file.descriptor)" }

  /// Appends bytes to the new file.
  package func write(_ bytes: [UInt8]) throws(ArchiveError) {
    do throws(SystemError) {
      try DescriptorOutput(file.descriptor).writeAll(bytes)
    } catch {
      throw Self.error(error, location.path, old: old)
    }
  }

  /// Replaces the old file with the new file. Must be called once, after all writes.
  package func commit() throws(ArchiveError) {
    do throws(SystemError) {
      if let old { try inheritOwnerAndPermissions(of: old) }
      try synchronize()
      try giveFinalName()
    } catch {
      throw Self.error(error, location.path, old: old)
    }
    TemporaryName.removeDebris(at: location)
    do throws(SystemError) {
      try location.synchronizeDirectory()
    } catch {
      throw error.attempting(
        to: "synchronize the folder of", location.path,
        remedy: "save again: the new file is complete, but a power failure may restore the old file")
    }
  }

  /// Sets the owner and the permissions of the new file to those of the old file, as far as the system
  /// allows.
  private func inheritOwnerAndPermissions(of old: stat) throws(SystemError) {
    let new = try file.status()
    var mode = old.st_mode & 0o777
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid,
      fchown(file.descriptor, old.st_uid, old.st_gid) != 0,
      new.st_gid != old.st_gid, fchown(file.descriptor, uid_t.max, old.st_gid) != 0
    {
      // The group differs from the old group, so it gets the permissions of all other users.
      mode = mode & ~0o070 | (mode & 0o007) << 3
    }
    let final = mode
    try systemCall { fchmod(file.descriptor, final) }
  }

  private func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      // On Darwin, `fsync` leaves the bytes in the cache of the disk.
      if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try systemCall { fsync(file.descriptor) }
  }

  /// Gives the new file its final name. If a file with this name exists, the new file first gets a temporary
  /// name, because only renaming can replace an existing file.
  private func giveFinalName() throws(SystemError) {
    if temporary == nil {
      if old == nil {
        do throws(SystemError) {
          return try link(to: location.name)
        } catch {
          // Another process has created the file meanwhile, so it is replaced.
          guard error.number == EEXIST else { throw error }
        }
      }
      temporary = try TemporaryName(for: location) { name throws(SystemError) in try link(to: name) }
    }
    guard let name = temporary?.text else { return }
    let directory = location.directory.descriptor
    try systemCall { unsafe renameat(directory, name, directory, location.name) }
    temporary = nil
  }

  private func link(to name: String) throws(SystemError) {
    let path = Self.descriptorPath(of: file)
    try systemCall { unsafe linkat(AT_FDCWD, path, location.directory.descriptor, name, AT_SYMLINK_FOLLOW) }
  }

  deinit {
    if let temporary { _ = unsafe unlinkat(location.directory.descriptor, temporary.text, 0) }
  }
}
