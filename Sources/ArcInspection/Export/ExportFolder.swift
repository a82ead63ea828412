import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder of an export. It is a `PartialFolder` until the export is complete, and then gets its final
/// name.
///
/// A file is open only while bytes are written to it, because there may be more files than a process can
/// open.
final class ExportFolder: ExportTarget {
  private let path: String
  private let partial: PartialFolder
  private let limit: ExportLimit
  private var outputs: [Output] = []

  /// Begins the folder. Throws if something already exists at `path`.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try Console.checkIsNew(path)
    partial = try PartialFolder(for: path)
    self.path = path
    self.limit = limit
  }

  func file(named name: String) throws -> Output {
    let path = partial.path(of: name)
    let output = limit.output { bytes throws(OutputFailure) in try Self.append(bytes, to: path) }
    outputs.append(output)
    // Creates the file, so that it exists even if nothing is written to it.
    try Self.append([], to: path)
    return output
  }

  private static func append(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFailure(number: errno, doing: "write '\(path)'") }
    defer { close(descriptor) }
    do throws(OutputFailure) {
      try writeAll(bytes, to: descriptor)
    } catch {
      throw OutputFailure(number: error.number, doing: "write '\(path)'")
    }
  }

  func commit() throws {
    for output in outputs { try output.flush() }
    try partial.commit(as: path)
  }
}
