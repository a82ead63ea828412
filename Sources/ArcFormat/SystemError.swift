#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// A call of the operating system that failed.
struct SystemError: Error {
  /// The value of `errno`.
  let number: Int32

  /// What the system says of it.
  var reason: String { unsafe String(cString: strerror(number)) }

  /// The same for the user of Arc; `action` is a verb for what was tried.
  func attempting(to action: String, _ path: String, remedy: String? = nil) -> ArchiveError {
    ArchiveError(
      .fileSystem, found: "'\(reason)' on the attempt to \(action) '\(path)'", remedy: remedy)
  }
}

/// The result of a call of the operating system, which is made again as long as signals interrupt it.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemError(number: number) }
  }
}

/// An open file, directory, pipe or socket; closed when it is let go of.
final class OpenFile {
  let descriptor: Int32

  /// Opens a file; `call` returns its descriptor.
  init(_ call: () -> Int32) throws(SystemError) { descriptor = try systemCall(call) }

  deinit { close(descriptor) }

  /// What the file is now.
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
