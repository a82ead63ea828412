import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The database of an export: a new file that a library writes. Until the export is complete, the file is in
/// a `PartialFolder`, together with temporary files of the library.
final class ExportDatabase: ExportTarget {
  private static let name = "database"

  private let path: String
  private let partial: PartialFolder
  private let limit: ExportLimit

  /// Begins the database. Throws if something already exists at `path`.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    try Console.checkIsNew(path)
    partial = try PartialFolder(for: path)
    self.path = path
    self.limit = limit
    let file = partial.path(of: Self.name)
    // The file is created here, so that the library neither follows a link nor opens a file of another
    // process.
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFailure(number: errno, doing: "create the file '\(file)'") }
    close(descriptor)
  }

  func databasePath() -> String { partial.path(of: Self.name) }

  func count(_ byteCount: Int) { limit.count(byteCount) }

  func commit() throws { try partial.commit(Self.name, as: path) }
}
