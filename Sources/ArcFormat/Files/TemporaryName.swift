#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The names that a file can have in its directory before it replaces another one.
///
/// There are few for each target, so that a save finds what a killed one left without reading the directory.
/// Who uses a name holds a lock (`flock`) on the file, which the system releases when the process ends: so a
/// file without a lock is debris, whatever became of the process. A file is locked before it is named; where
/// that is not possible, it is checked after locking that it still has its name.
struct TemporaryName {
  private static let count = 16
  /// The maximum length of a target's name to include: the whole must be a valid name.
  private static let maximumByteCount = 100

  /// The name in use.
  let text: String

  private static func all(for place: FileLocation) -> [String] {
    let checksum = String(Checksum.crc32(place.name.utf8), radix: 16)
    let short = place.name.utf8.count <= maximumByteCount ? place.name : ""
    return (0..<count).map { ".\(short).\(checksum)-\($0).tmp" }
  }

  /// Takes a name: `make` creates a locked file with a name or fails with `EEXIST`. Waits if all are in use.
  init(for place: FileLocation, _ make: (String) throws(SystemError) -> Void) throws(SystemError) {
    let names = Self.all(for: place)
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
        } while Self.removeDebris(name, at: place)
      }
      try Self.wait(for: names[0], at: place)
    }
  }

  /// Removes what killed saves left.
  static func removeDebris(at place: FileLocation) {
    for name in all(for: place) { _ = removeDebris(name, at: place) }
  }

  /// Removes the file with a name if it is debris; returns whether it was.
  private static func removeDebris(_ name: String, at place: FileLocation) -> Bool {
    // A file that cannot be opened or locked is in use, or is not debris.
    guard let file = try? open(name, at: place), (try? lock(file, LOCK_EX | LOCK_NB)) != nil,
      hasName(name, file, at: place)
    else { return false }
    return unsafe unlinkat(place.directory.descriptor, name, 0) == 0
  }

  /// Waits until the save that uses a name is done; fails with `EEXIST` if no save can have made what has the
  /// name.
  private static func wait(for name: String, at place: FileLocation) throws(SystemError) {
    guard let status = try place.status(ofName: name) else { return }
    guard status.isRegularFile else { throw SystemError(number: EEXIST) }
    do throws(SystemError) {
      try lock(open(name, at: place), LOCK_EX)
    } catch {
      guard error.number == ENOENT else { throw error }
    }
  }

  /// Opens a file that a save may have left: no link, device or pipe.
  private static func open(_ name: String, at place: FileLocation) throws(SystemError) -> OpenFile {
    guard let status = try place.status(ofName: name), status.isRegularFile else {
      throw SystemError(number: ENOENT)
    }
    return try OpenFile {
      unsafe openat(place.directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
  }

  /// Locks a file against removal by other saves.
  static func lock(_ file: OpenFile, _ operation: Int32) throws(SystemError) {
    try systemCall { flock(file.descriptor, operation) }
  }

  /// Whether an open file still has a name: it may have been removed or renamed before it was locked.
  static func hasName(_ name: String, _ file: OpenFile, at place: FileLocation) -> Bool {
    // A file without a status does not have the name any more.
    guard let named = try? place.status(ofName: name), let opened = try? file.status() else { return false }
    return named.isRegularFile && named.isSameFile(as: opened)
  }
}
