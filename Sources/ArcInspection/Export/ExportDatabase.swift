import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new file that a library writes, which has its name when all is in it; before that its name ends in
/// `.partial`.
final class ExportDatabase: ExportTarget {
  private let path: String
  private let partialPath: String
  private let limit: ExportLimit
  private var isComplete = false

  /// Begins a file at a path where there is none.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    try Console.checkIsNew(path)
    self.path = path
    partialPath = path + ".partial"
    self.limit = limit
    // Nothing is followed, and nothing that another process makes is taken for it.
    let descriptor = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      isComplete = true
      let number = errno
      throw OutputFailure(number: number, doing: "make the file '\(number == EEXIST ? partialPath : path)'")
    }
    close(descriptor)
  }

  func databasePath() -> String { partialPath }

  func count(_ byteCount: Int) { limit.count(byteCount) }

  func commit() throws {
    guard unsafe rename(partialPath, path) == 0 else {
      throw OutputFailure(number: errno, doing: "rename '\(partialPath)' to '\(path)'")
    }
    isComplete = true
  }

  deinit {
    if !isComplete { unsafe unlink(partialPath) }
  }
}
