#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The names that a file can have in its directory before it takes the place of another one.
///
/// There are few of them for each target, so that a save finds what a killed one left without reading the directory.
/// Who uses a name holds a lock (`flock`) on the file that has it, which the system takes away with the process: so
/// a file without a lock is debris, whatever became of the number of its process. A file is locked before it has a
/// name, or, where that cannot be, checked to have its name still after it was locked.
struct TemporaryName {
  private static let count = 16
  /// Longer names are left out, so that the whole stays a name.
  private static let greatestByteCount = 100

  /// The name in use.
  let text: String

  private static func all(for place: FilePlace) -> [String] {
    let checksum = String(Checksum.crc32(place.name.utf8), radix: 16)
    let short = place.name.utf8.count <= greatestByteCount ? place.name : ""
    return (0..<count).map { ".\(short).\(checksum)-\($0).tmp" }
  }

  /// Takes a name: `make` makes a locked file with that name or fails with `EEXIST`. Where all are in use, waits.
  init(for place: FilePlace, _ make: (String) throws(SystemError) -> Void) throws(SystemError) {
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
  static func removeDebris(at place: FilePlace) {
    for name in all(for: place) { _ = removeDebris(name, at: place) }
  }

  /// Returns whether there was debris of that name, and is no more.
  private static func removeDebris(_ name: String, at place: FilePlace) -> Bool {
    guard let file = try? open(name, at: place), (try? lock(file, LOCK_EX | LOCK_NB)) != nil,
      hasName(name, file, at: place)
    else { return false }
    return unsafe unlinkat(place.directory.descriptor, name, 0) == 0
  }

  /// Waits until the save that uses a name is done. Throws `EEXIST` if what has the name is not of a save.
  private static func wait(for name: String, at place: FilePlace) throws(SystemError) {
    guard let status = try place.status(ofName: name) else { return }
    guard status.isRegularFile else { throw SystemError(number: EEXIST) }
    do throws(SystemError) {
      try lock(open(name, at: place), LOCK_EX)
    } catch {
      guard error.number == ENOENT else { throw error }
    }
  }

  /// Opens a file that a save may have left, and nothing else: no link, no device, no pipe.
  private static func open(_ name: String, at place: FilePlace) throws(SystemError) -> OpenFile {
    guard let status = try place.status(ofName: name), status.isRegularFile else {
      throw SystemError(number: ENOENT)
    }
    return try OpenFile {
      unsafe openat(place.directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
  }

  /// Locks a file against removal.
  static func lock(_ file: OpenFile, _ operation: Int32) throws(SystemError) {
    try systemCall { flock(file.descriptor, operation) }
  }

  /// Whether an open file still has a name: it may have been removed or renamed before it was locked.
  static func hasName(_ name: String, _ file: OpenFile, at place: FilePlace) -> Bool {
    guard let named = try? place.status(ofName: name), let opened = try? file.status() else { return false }
    return named.isRegularFile && named.isSameFile(as: opened)
  }
}
