#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// A failed system call.
struct SystemError: Error {
  let number: Int32

  /// The system's description of the error.
  var reason: String { unsafe String(cString: strerror(number)) }

  /// Returns the error that callers of Arc receive for the failed call. `action` is a verb for the attempted
  /// action, and `outcome` is a sentence about the resulting state of the file.
  func attempting(
    to action: String, _ path: String, outcome: String? = nil, remedy: String? = nil
  ) -> ArchiveError {
    let remedies = [remedy, self.remedy].compactMap { $0 }.joined(separator: "; ")
    return ArchiveError(
      .fileSystem,
      found: "the system error '\(reason)' on the attempt to \(action) '\(path)'"
        + (outcome.map { " (\($0))" } ?? ""),
      remedy: remedies.isEmpty ? nil : remedies)
  }

  /// A remedy for the error, whatever action was attempted. Nil if there is none.
  private var remedy: String? {
    switch number {
    case ENOENT: "check the path: the file, or a folder in the path, does not exist"
    case ENOTDIR: "check the path: a part before the last is not a folder"
    case EISDIR: "pass the path of a file instead of a folder"
    case EACCES, EPERM: "check the permissions of the file and of its folder"
    case EROFS: "choose a folder on a file system that is not read-only"
    case ENOSPC, EDQUOT: "free space, or choose another disk"
    case ENAMETOOLONG: "choose a shorter name"
    case ELOOP: "check the symbolic links in the path: they form a cycle"
    case EMFILE, ENFILE: "close files that are no longer needed"
    case EPIPE: "keep the reader of the pipe running: it has closed its end"
    default: nil
    }
  }
}

/// Makes a system call and returns its result. Repeats the call if a signal interrupts it.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemError(number: number) }
  }
}

/// An open file, directory, pipe or socket. Its descriptor is closed when this object is released.
final class OpenFile {
  let descriptor: Int32

  /// Opens a file. `call` returns the descriptor of the file.
  init(_ call: () -> Int32) throws(SystemError) { descriptor = try systemCall(call) }

  deinit { close(descriptor) }

  func status() throws(SystemError) -> stat {
    var status = stat()
    try systemCall { unsafe fstat(descriptor, &status) }
    return status
  }
}

extension stat {
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isSymbolicLink: Bool { st_mode & S_IFMT == S_IFLNK }

  func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
