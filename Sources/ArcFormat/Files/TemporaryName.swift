#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// A temporary name of a new file, which is used until the new file replaces another file in the same
/// directory.
///
/// There are few possible names for each target, so a save finds the temporary files of killed saves without
/// reading the directory. A save that uses a name holds a lock (`flock`) on the file. When a process ends,
/// the system releases its locks, so a file without a lock is left over from a killed save. If possible, a
/// file is locked before it gets a name. Otherwise, the save checks after locking that the file still has the
/// name.
struct TemporaryName {
  private static let count = 16
  /// The maximum length, in bytes, of a target name that becomes part of the temporary name. A longer target
  /// name is represented by its checksum only, because the file system limits the length of names.
  private static let maximumByteCount = 100

  /// The temporary name that is in use.
  let text: String

  private static func all(for location: FileLocation) -> [String] {
    let checksum = String(Checksum.crc32(location.name.utf8), radix: 16)
    let short = location.name.utf8.count <= maximumByteCount ? location.name : ""
    return (0..<count).map { ".\(short).\(checksum)-\($0).tmp" }
  }

  /// Reserves a name. Calls `make`, which creates a locked file with a name or fails with `EEXIST`. If all
  /// names are in use, waits until a name is free.
  init(for location: FileLocation, _ make: (String) throws(SystemError) -> Void) throws(SystemError) {
    let names = Self.all(for: location)
    while true {
      for name in names {
        repeat {
          do throws(SystemError) {
            try make(name)
            text = name
            return
          } catch {
            guard error.number == EEXIST else { throw error }
          }
        } while Self.removeDebris(name, at: location)
      }
      try Self.wait(for: names[0], at: location)
    }
  }

  /// Removes the temporary files of killed saves.
  static func removeDebris(at location: FileLocation) {
    for name in all(for: location) { _ = removeDebris(name, at: location) }
  }

  /// Removes the file with a name if it is left over from a killed save. Returns whether it was removed.
  private static func removeDebris(_ name: String, at location: FileLocation) -> Bool {
    // A file that cannot be opened or locked is either in use or not debris.
    guard let file = try? open(name, at: location), (try? lock(file, LOCK_EX | LOCK_NB)) != nil,
      hasName(name, file, at: location)
    else { return false }
    return unsafe unlinkat(location.directory.descriptor, name, 0) == 0
  }

  /// Waits until the save that uses a name is finished. Throws `EEXIST` if the name belongs to something
  /// other than a regular file, because saves create only regular files.
  private static func wait(for name: String, at location: FileLocation) throws(SystemError) {
    guard let status = try location.status(ofName: name) else { return }
    guard status.isRegularFile else { throw SystemError(number: EEXIST) }
    do throws(SystemError) {
      try lock(open(name, at: location), LOCK_EX)
    } catch {
      guard error.number == ENOENT else { throw error }
    }
  }

  /// Opens a file that may be from a killed save. Does not open links, devices or pipes.
  private static func open(_ name: String, at location: FileLocation) throws(SystemError) -> OpenFile {
    guard let status = try location.status(ofName: name), status.isRegularFile else {
      throw SystemError(number: ENOENT)
    }
    return try OpenFile {
      unsafe openat(location.directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
  }

  /// Locks a file so that other saves do not remove it.
  static func lock(_ file: OpenFile, _ operation: Int32) throws(SystemError) {
    try systemCall { flock(file.descriptor, operation) }
  }

  /// Whether a name still belongs to an open file. Before the file was locked, another save may have removed
  /// or renamed it.
  static func hasName(_ name: String, _ file: OpenFile, at location: FileLocation) -> Bool {
    // If the status cannot be read, the file no longer has the name.
    guard let named = try? location.status(ofName: name), let opened = try? file.status() else {
      return false
    }
    return named.isRegularFile && named.isSameFile(as: opened)
  }
}
