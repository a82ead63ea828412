#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Replaces a file as a whole: a reader sees the old content or the new one, whatever happens in between.
enum AtomicFile {
  /// Writes `bytes` to a new file in the same directory, makes them durable, and renames it over `url`, which keeps
  /// its permissions. A symbolic link is followed, so that its target is replaced and the link stays.
  static func write(_ bytes: [UInt8], to url: URL) throws(ArchiveError) {
    let path = resolved(url.path)
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    let temporary = "\(path).\(getpid())-\(UInt64.random(in: 0 ... .max)).tmp"
    var old = stat()
    let replacesFile = unsafe stat(path, &old) == 0
    // Never readable by more people than the file that it replaces, not even while it is written.
    let mode = replacesFile ? old.st_mode & 0o600 : mode_t(0o666)
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure("create", temporary) }
    do throws(ArchiveError) {
      defer { close(descriptor) }
      try write(bytes, to: descriptor, path: temporary)
      if replacesFile { _ = fchmod(descriptor, old.st_mode & 0o7777) }
      guard fsync(descriptor) == 0 else { throw failure("sync", temporary) }
      guard unsafe rename(temporary, path) == 0 else { throw failure("replace", path) }
    } catch {
      _ = unsafe unlink(temporary)
      throw error
    }
    // Without this the new name may be lost in a power failure; the content is safe either way.
    let parent = unsafe open(directory, O_RDONLY | O_CLOEXEC)
    if parent >= 0 {
      _ = fsync(parent)
      close(parent)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        #if canImport(Glibc)
          return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Musl)
          return unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Android)
          return unsafe Android.write(descriptor, rest.baseAddress, rest.count)
        #else
          return unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
        #endif
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure("write", path) }
      done += written
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func failure(_ action: String, _ path: String) -> ArchiveError {
    let reason = unsafe String(cString: strerror(errno))
    return ArchiveError(
      .fileSystem, found: "'\(reason)' on the attempt to \(action) '\(path)'",
      remedy: "the file that was there before is unchanged")
  }
}
