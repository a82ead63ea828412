import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new folder, which has its name when all files are in it; before that its name ends in `.partial`.
///
/// Files are open only while something is written to them: there may be more than a process can have open.
final class ExportFolder: ExportTarget {
  private let path: String
  private let partialPath: String
  private let limit: ExportLimit
  private var files: [(path: String, output: Output)] = []
  private var isComplete = false

  /// Begins a folder at a path where there is none.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try Console.checkIsNew(path)
    partialPath = path + ".partial"
    self.path = path
    self.limit = limit
    guard unsafe mkdir(partialPath, 0o777) == 0 else {
      // Another's, perhaps.
      isComplete = true
      let number = errno
      throw OutputFailure(number: number, doing: "make the folder '\(number == EEXIST ? partialPath : path)'")
    }
  }

  func file(named name: String) throws -> Output {
    let path = partialPath + "/" + name
    let output = limit.output { bytes throws(OutputFailure) in try Self.append(bytes, to: path) }
    files.append((path, output))
    // It is there even if nothing is written to it.
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
    for file in files { try file.output.flush() }
    guard unsafe rename(partialPath, path) == 0 else {
      throw OutputFailure(number: errno, doing: "rename '\(partialPath)' to '\(path)'")
    }
    isComplete = true
  }

  deinit {
    guard !isComplete else { return }
    for file in files { unsafe unlink(file.path) }
    unsafe rmdir(partialPath)
  }
}
