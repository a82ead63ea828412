import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new file that a library writes, which has its name when all is in it; before that it is in a
/// `PartialFolder`, with what the library needs beside it.
final class ExportDatabase: ExportTarget {
  private static let name = "database"

  private let path: String
  private let partial: PartialFolder
  private let limit: ExportLimit

  /// Begins a file at a path where there is none.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    try Console.checkIsNew(path)
    partial = try PartialFolder(for: path)
    self.path = path
    self.limit = limit
    let file = partial.path(of: Self.name)
    // Nothing is followed, and nothing that another process makes is taken for it.
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFailure(number: errno, doing: "create the file '\(file)'") }
    close(descriptor)
  }

  func databasePath() -> String { partial.path(of: Self.name) }

  func count(_ byteCount: Int) { limit.count(byteCount) }

  func commit() throws { try partial.commit(Self.name, as: path) }
}
