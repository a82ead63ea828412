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
  /// The value of `errno`.
  let number: Int32

  /// The system's description of the error.
  var reason: String { unsafe String(cString: strerror(number)) }

  /// The error as callers of Arc see it; `action` is a verb for what was attempted.
  func attempting(to action: String, _ path: String, remedy: String? = nil) -> ArchiveError {
    ArchiveError(
      .fileSystem, found: "'\(reason)' on the attempt to \(action) '\(path)'", remedy: remedy)
  }
}

/// The result of a system call, which is repeated while signals interrupt it.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemError(number: number) }
  }
}

/// An open file, directory, pipe or socket, closed when this object is released.
final class OpenFile {
  let descriptor: Int32

  /// Opens a file; `call` returns its descriptor.
  init(_ call: () -> Int32) throws(SystemError) { descriptor = try systemCall(call) }

  deinit { close(descriptor) }

  /// The current status of the file.
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
